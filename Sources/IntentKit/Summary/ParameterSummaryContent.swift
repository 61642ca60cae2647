/// What a ``ParameterSummary`` consists of.
public indirect enum ParameterSummaryContent: Sendable {
    /// Words and values one after the other, and how other languages (BCP 47) put them.
    case sentence([ParameterSummaryPiece], translations: [String: [ParameterSummaryPiece]] = [:])
    /// The first case whose condition the parameter's value meets, else what is otherwise; if there is neither, the intent's title.
    case choice(of: any AnyKeyPath & Sendable, cases: [ParameterSummaryAlternative], otherwise: ParameterSummaryContent?)
}

/// A part of a sentence.
public enum ParameterSummaryPiece: Sendable {
    case text(LocalizedText)
    /// A parameter, by its key path (`\.$ride`).
    case parameter(any AnyKeyPath & Sendable)
}

/// What a summary is if a parameter's value meets a condition.
public struct ParameterSummaryAlternative: Sendable {
    public var condition: ParameterSummaryCondition
    public var content: ParameterSummaryContent

    public init(_ condition: ParameterSummaryCondition, _ content: ParameterSummaryContent) {
        self.condition = condition
        self.content = content
    }
}
