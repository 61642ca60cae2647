/// A summary that is chosen by the value of a parameter: App Intents' `Switch`, with `Case` and `DefaultCase`.
///
/// ```swift
/// Switch(\.$activity) {
///     Case(.biking) { Summary("Ride a bike near \(\.$location)") }
///     Case([.hiking, .walking]) { Summary("Walk near \(\.$location)") }
///     DefaultCase { Summary("Suggest \(\.$activity) trails") }
/// }
/// ```
/// The first matching case is shown. If no case matches and there is no `DefaultCase`, the title of the intent is
/// shown.
public struct ParameterSummarySwitch<Subject: Intent>: ParameterSummary {
    public let content: ParameterSummaryContent

    public init<Value>(
        _ keyPath: any KeyPath<Subject, Parameter<Value>> & Sendable,
        @ParameterSummarySwitchBuilder<Subject, Value.Base> _ cases: () -> ParameterSummaryCases<Subject, Value.Base>
    ) {
        let cases = cases()
        content = .choice(of: keyPath, cases: cases.alternatives, otherwise: cases.otherwise)
    }
}

/// A part of a ``ParameterSummarySwitch``: the summary for one value, or for several values. Within an intent, write
/// `Case`.
public struct ParameterSummaryCase<Subject: Intent, Value: ParameterValue>: Sendable {
    let alternative: ParameterSummaryAlternative

    public init<Content: ParameterSummary>(_ value: Value, @ParameterSummaryBuilder<Subject> _ content: () -> Content) {
        alternative = ParameterSummaryAlternative(
            ParameterSummaryCondition(.equalTo, among: [value]), content().content)
    }

    public init<Content: ParameterSummary>(
        _ values: [Value], @ParameterSummaryBuilder<Subject> _ content: () -> Content
    ) {
        alternative = ParameterSummaryAlternative(ParameterSummaryCondition(.oneOf, among: values), content().content)
    }

    /// Creates a case that matches by identifier (``ParameterValue/optionID``).
    public init<Content: ParameterSummary>(
        identifier: String, @ParameterSummaryBuilder<Subject> _ content: () -> Content
    ) {
        alternative = ParameterSummaryAlternative(
            ParameterSummaryCondition(.equalTo, identifiers: [identifier]), content().content)
    }
}

/// The last part of a ``ParameterSummarySwitch``: the summary if no case matches. Within an intent, write
/// `DefaultCase`.
public struct ParameterSummaryDefaultCase<Subject: Intent>: Sendable {
    let content: ParameterSummaryContent

    public init<Content: ParameterSummary>(@ParameterSummaryBuilder<Subject> _ content: () -> Content) {
        self.content = content().content
    }
}

/// The parts of a ``ParameterSummarySwitch``.
public struct ParameterSummaryCases<Subject: Intent, Value: ParameterValue>: Sendable {
    var alternatives: [ParameterSummaryAlternative]
    var otherwise: ParameterSummaryContent?
}

/// Builds the parts of a ``ParameterSummarySwitch``. Nothing can follow a `DefaultCase`.
@resultBuilder
public enum ParameterSummarySwitchBuilder<Subject: Intent, Value: ParameterValue> {
    public typealias Case = ParameterSummaryCase<Subject, Value>
    public typealias DefaultCase = ParameterSummaryDefaultCase<Subject>
    public typealias Cases = ParameterSummaryCases<Subject, Value>

    /// Parts that end with a `DefaultCase`.
    public struct Complete: Sendable { let cases: Cases }

    public static func buildExpression(_ part: Case) -> Case { part }
    public static func buildExpression(_ part: DefaultCase) -> DefaultCase { part }

    public static func buildPartialBlock(first: Case) -> Cases {
        Cases(alternatives: [first.alternative], otherwise: nil)
    }
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
