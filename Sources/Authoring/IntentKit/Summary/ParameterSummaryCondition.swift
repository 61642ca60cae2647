/// A condition on the value of a parameter, which selects a part of a summary.
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
    /// The values to compare with, as shown to a person.
    package let operandTexts: [LocalizedText]
    private let test: @Sendable ((any ParameterValue)?) -> Bool

    package func holds(for value: (any ParameterValue)?) -> Bool { test(value) }

    /// Creates a condition on the presence of a value.
    package init(_ presence: ParameterSummaryPresence) {
        comparison = presence == .hasAnyValue ? .hasAnyValue : .hasNoValue
        operands = []
        operandTexts = []
        test = { ($0 != nil) == (presence == .hasAnyValue) }
    }

    /// Creates a condition of equality or membership. A missing value equals no value and is among no values.
    package init<Value: ParameterValue>(_ comparison: Comparison, among others: [Value]) {
        let isWanted = comparison == .equalTo || comparison == .oneOf
        self.init(comparison, others) { value in (value as? Value).map { others.contains($0) } ?? false == isWanted }
    }

    /// Creates a condition on the identifier of a value (``ParameterValue/optionID``).
    init(_ comparison: Comparison, identifiers: [String]) {
        let isWanted = comparison == .equalTo || comparison == .oneOf
        self.init(comparison, identifiers) { value in
            value.map { identifiers.contains($0.optionID) } ?? false == isWanted
        }
    }

    /// Creates a condition on the order. A missing value is neither less nor greater than any value.
    package init<Value: ParameterValue & Comparable>(_ order: ParameterSummaryOrder, _ other: Value) {
        self.init(order.comparison, [other]) { value in (value as? Value).map { order.holds($0, other) } ?? false }
    }

    private init(
        _ comparison: Comparison, _ operands: [some ParameterValue],
        _ test: @escaping @Sendable ((any ParameterValue)?) -> Bool
    ) {
        self.comparison = comparison
        self.operands = operands.map { JSON($0) }
        operandTexts = operands.map(\.displayRepresentation.title)
        self.test = test
    }
}

/// The presence of a value, as a condition.
public enum ParameterSummaryPresence: Sendable { case hasAnyValue, hasNoValue }

/// The equality of a value with another, as a condition. A missing value equals no value.
public enum ParameterSummaryEquality: Sendable {
    case equalTo, notEqualTo

    var comparison: ParameterSummaryCondition.Comparison { self == .equalTo ? .equalTo : .notEqualTo }
}

/// The membership of a value among others, as a condition. A missing value is among no values.
public enum ParameterSummaryMembership: Sendable {
    case oneOf, noneOf

    var comparison: ParameterSummaryCondition.Comparison { self == .oneOf ? .oneOf : .noneOf }
}

/// The order of a value and another, as a condition. A missing value comes neither before nor after any value.
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
