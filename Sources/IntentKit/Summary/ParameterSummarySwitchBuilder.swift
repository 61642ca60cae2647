/// Puts the parts of a ``ParameterSummarySwitch`` together. Nothing can stand behind a `DefaultCase`.
@resultBuilder
public enum ParameterSummarySwitchBuilder<Subject: Intent, Value: ParameterValue> {
    public typealias Case = ParameterSummaryCase<Subject, Value>
    public typealias DefaultCase = ParameterSummaryDefaultCase<Subject>
    public typealias Cases = ParameterSummaryCases<Subject, Value>

    /// What ends with a `DefaultCase`.
    public struct Complete: Sendable { let cases: Cases }

    public static func buildExpression(_ part: Case) -> Case { part }
    public static func buildExpression(_ part: DefaultCase) -> DefaultCase { part }

    public static func buildPartialBlock(first: Case) -> Cases { Cases(alternatives: [first.alternative], otherwise: nil) }
    public static func buildPartialBlock(first: DefaultCase) -> Complete {
        Complete(cases: Cases(alternatives: [], otherwise: first.content))
    }

    public static func buildPartialBlock(accumulated: Cases, next: Case) -> Cases {
        Cases(alternatives: accumulated.alternatives + [next.alternative], otherwise: nil)
    }

    public static func buildPartialBlock(accumulated: Cases, next: DefaultCase) -> Complete {
        Complete(cases: Cases(alternatives: accumulated.alternatives, otherwise: next.content))
    }

    public static func buildFinalResult(_ cases: Cases) -> Cases { cases }
    public static func buildFinalResult(_ complete: Complete) -> Cases { complete.cases }
}
