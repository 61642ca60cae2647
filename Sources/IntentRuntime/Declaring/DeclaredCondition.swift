public import IntentKit

/// What a declared parameter's value has to be for something to count: a part of a summary, or the question whether to go on.
public struct DeclaredCondition: Sendable, Hashable {
    /// The parameter's name.
    public var parameter: String
    public var comparison: ParameterSummaryCondition.Comparison
    /// What it is compared with, in wire form or in words that the type understands; none for `hasAnyValue` and `hasNoValue`, one for all others but
    /// `oneOf` and `noneOf`. Enumerations and entities are compared by their identifiers.
    public var operands: [JSON]

    public init(_ parameter: String, _ comparison: ParameterSummaryCondition.Comparison, _ operands: JSON...) {
        self.parameter = parameter
        self.comparison = comparison
        self.operands = operands
    }

    public init(_ parameter: String, _ comparison: ParameterSummaryCondition.Comparison, operands: [JSON]) {
        self.parameter = parameter
        self.comparison = comparison
        self.operands = operands
    }
}
