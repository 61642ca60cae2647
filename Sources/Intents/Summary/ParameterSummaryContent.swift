/// What a ``ParameterSummary`` consists of.
public indirect enum ParameterSummaryContent: Sendable {
    /// Words and values one after the other.
    case sentence([ParameterSummaryPiece])
    /// The first case whose condition the parameter's value meets, else the last one.
    case choice(of: any AnyKeyPath & Sendable, cases: [ParameterSummaryCase], otherwise: ParameterSummaryContent)
}

public enum ParameterSummaryPiece: Sendable {
    case text(LocalizedText)
    /// A parameter, by its key path (`\.$ride`).
    case parameter(any AnyKeyPath & Sendable)
}

public struct ParameterSummaryCase: Sendable {
    /// Gets the parameter's value, if there is one.
    public var condition: @Sendable ((any ParameterValue)?) -> Bool
    public var content: ParameterSummaryContent

    public init(condition: @escaping @Sendable ((any ParameterValue)?) -> Bool, content: ParameterSummaryContent) {
        self.condition = condition
        self.content = content
    }
}
