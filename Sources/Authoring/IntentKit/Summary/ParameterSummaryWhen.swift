/// A summary that depends on a value: App Intents' `When`.
///
/// ```swift
/// When(\.$pickup, .hasAnyValue) { Summary("\(\.$ride) from \(\.$pickup)") } otherwise: { Summary("\(\.$ride)") }
/// When(\.$partySize, .greaterThan, 4) { … }
/// When(\.$activity, .oneOf, [.biking, .hiking]) { … } otherwise: { … }
/// When(\.$trail, .equalTo, identifier: "kettle-valley") { … }
/// ```
/// If the condition does not hold and there is no `otherwise`, the title of the intent is shown.
public struct ParameterSummaryWhen<Subject: Intent>: ParameterSummary {
    public let content: ParameterSummaryContent

    /// Creates a summary that depends on the presence of a value.
    public init<Value, Then: ParameterSummary>(
        _ keyPath: any KeyPath<Subject, Parameter<Value>> & Sendable, _ presence: ParameterSummaryPresence,
        @ParameterSummaryBuilder<Subject> _ content: () -> Then,
        @ParameterSummaryOtherwiseBuilder<Subject> otherwise: () -> ParameterSummaryContent? = { nil }
    ) {
        self.init(keyPath, ParameterSummaryCondition(presence), content(), otherwise())
    }

    /// Creates a summary that depends on the equality of the value with another.
    public init<Value, Then: ParameterSummary>(
        _ keyPath: any KeyPath<Subject, Parameter<Value>> & Sendable, _ equality: ParameterSummaryEquality,
        _ other: Value.Base,
        @ParameterSummaryBuilder<Subject> _ content: () -> Then,
        @ParameterSummaryOtherwiseBuilder<Subject> otherwise: () -> ParameterSummaryContent? = { nil }
    ) {
        self.init(keyPath, ParameterSummaryCondition(equality.comparison, among: [other]), content(), otherwise())
    }

    /// Creates a summary that depends on the order of the value and another.
    public init<Value, Then: ParameterSummary>(
        _ keyPath: any KeyPath<Subject, Parameter<Value>> & Sendable, _ order: ParameterSummaryOrder,
        _ other: Value.Base,
        @ParameterSummaryBuilder<Subject> _ content: () -> Then,
        @ParameterSummaryOtherwiseBuilder<Subject> otherwise: () -> ParameterSummaryContent? = { nil }
    ) where Value.Base: Comparable {
        self.init(keyPath, ParameterSummaryCondition(order, other), content(), otherwise())
    }

    /// Creates a summary that depends on the membership of the value among others.
    public init<Value, Then: ParameterSummary>(
        _ keyPath: any KeyPath<Subject, Parameter<Value>> & Sendable, _ membership: ParameterSummaryMembership,
        _ others: [Value.Base],
        @ParameterSummaryBuilder<Subject> _ content: () -> Then,
        @ParameterSummaryOtherwiseBuilder<Subject> otherwise: () -> ParameterSummaryContent? = { nil }
    ) {
        self.init(keyPath, ParameterSummaryCondition(membership.comparison, among: others), content(), otherwise())
    }

    /// Creates a summary that depends on the identifier of the value (``ParameterValue/optionID``).
    public init<Value, Then: ParameterSummary>(
        _ keyPath: any KeyPath<Subject, Parameter<Value>> & Sendable, _ equality: ParameterSummaryEquality,
        identifier: String,
        @ParameterSummaryBuilder<Subject> _ content: () -> Then,
        @ParameterSummaryOtherwiseBuilder<Subject> otherwise: () -> ParameterSummaryContent? = { nil }
    ) {
        self.init(
            keyPath, ParameterSummaryCondition(equality.comparison, identifiers: [identifier]), content(), otherwise())
    }

    /// Creates a summary that depends on the membership of the value's identifier (``ParameterValue/optionID``) among
    /// others.
    public init<Value, Then: ParameterSummary>(
        _ keyPath: any KeyPath<Subject, Parameter<Value>> & Sendable, _ membership: ParameterSummaryMembership,
        identifiers: [String],
        @ParameterSummaryBuilder<Subject> _ content: () -> Then,
        @ParameterSummaryOtherwiseBuilder<Subject> otherwise: () -> ParameterSummaryContent? = { nil }
    ) {
        self.init(
            keyPath, ParameterSummaryCondition(membership.comparison, identifiers: identifiers), content(), otherwise())
    }

    private init(
        _ keyPath: any AnyKeyPath & Sendable, _ condition: ParameterSummaryCondition, _ content: some ParameterSummary,
        _ otherwise: ParameterSummaryContent?
    ) {
        let alternative = ParameterSummaryAlternative(condition, content.content)
        self.content = .choice(of: keyPath, cases: [alternative], otherwise: otherwise)
    }
}
