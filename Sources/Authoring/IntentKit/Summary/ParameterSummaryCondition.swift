/// A condition on a parameter's value for a part of a summary.
public struct ParameterSummaryCondition: Sendable {
    /// App Intents' comparison operators.
    public enum Comparison: String, Sendable, Hashable, CaseIterable {
        case hasAnyValue, hasNoValue
        case equalTo, notEqualTo
        case lessThan, lessThanOrEqualTo, greaterThan, greaterThanOrEqualTo
        case oneOf, noneOf
    }

    public let comparison: Comparison
    /// The values to compare with, in wire form.
    public let operands: [JSON]
    /// The same values as shown to a person.
    package let operandTexts: [LocalizedText]
    private let test: @Sendable ((any ParameterValue)?) -> Bool

    package func holds(for value: (any ParameterValue)?) -> Bool { test(value) }

    /// Tests whether there is a value.
    package init(_ presence: ParameterSummaryPresence) {
        comparison = presence == .hasAnyValue ? .hasAnyValue : .hasNoValue
        operands = []
        operandTexts = []
        test = { ($0 != nil) == (presence == .hasAnyValue) }
    }

    /// Tests equality or membership. A missing value equals none and is among none.
    package init<Value: ParameterValue>(_ comparison: Comparison, among others: [Value]) {
        let isWanted = comparison == .equalTo || comparison == .oneOf
        self.init(comparison, others) { value in (value as? Value).map { others.contains($0) } ?? false == isWanted }
    }

    /// Tests by ``ParameterValue/optionID``.
    init(_ comparison: Comparison, identifiers: [String]) {
        let isWanted = comparison == .equalTo || comparison == .oneOf
        self.init(comparison, identifiers) { value in value.map { identifiers.contains($0.optionID) } ?? false == isWanted }
    }

    /// Tests the order. A missing value is neither less nor greater than any.
    package init<Value: ParameterValue & Comparable>(_ order: ParameterSummaryOrder, _ other: Value) {
        self.init(order.comparison, [other]) { value in (value as? Value).map { order.holds($0, other) } ?? false }
    }

    private init(_ comparison: Comparison, _ operands: [some ParameterValue], _ test: @escaping @Sendable ((any ParameterValue)?) -> Bool) {
        self.comparison = comparison
        self.operands = operands.map { JSON($0) }
        operandTexts = operands.map(\.displayRepresentation.title)
        self.test = test
    }
}

/// Whether there is a value.
public enum ParameterSummaryPresence: Sendable { case hasAnyValue, hasNoValue }

/// Whether a value equals another. A missing value equals none.
public enum ParameterSummaryEquality: Sendable {
    case equalTo, notEqualTo

    var comparison: ParameterSummaryCondition.Comparison { self == .equalTo ? .equalTo : .notEqualTo }
}

/// Whether a value is among others. A missing value is among none.
public enum ParameterSummaryMembership: Sendable {
    case oneOf, noneOf

    var comparison: ParameterSummaryCondition.Comparison { self == .oneOf ? .oneOf : .noneOf }
}

/// Whether a value comes before or after another. A missing value does neither.
public enum ParameterSummaryOrder: Sendable {
    case lessThan, lessThanOrEqualTo, greaterThan, greaterThanOrEqualTo

    package var comparison: ParameterSummaryCondition.Comparison {
        switch self {
        case .lessThan: .lessThan
        case .lessThanOrEqualTo: .lessThanOrEqualTo
        case .greaterThan: .greaterThan
        case .greaterThanOrEqualTo: .greaterThanOrEqualTo
        }
    }

    func holds<Value: Comparable>(_ value: Value, _ other: Value) -> Bool {
        switch self {
        case .lessThan: value < other
        case .lessThanOrEqualTo: value <= other
        case .greaterThan: value > other
        case .greaterThanOrEqualTo: value >= other
        }
    }
}
