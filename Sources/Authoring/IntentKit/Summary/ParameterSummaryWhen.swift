/// A summary that depends on a value: App Intents' `When`.
///
/// ```swift
/// When(\.$pickup, .hasAnyValue) { Summary("\(\.$ride) from \(\.$pickup)") } otherwise: { Summary("\(\.$ride)") }
/// When(\.$partySize, .greaterThan, 4) { … }
/// When(\.$activity, .oneOf, [.biking, .hiking]) { … } otherwise: { … }
/// When(\.$trail, .equalTo, identifier: "kettle-valley") { … }
/// ```
/// Without `otherwise`, the intent's title is shown if the condition is not met.
public struct ParameterSummaryWhen<Subject: Intent>: ParameterSummary {
    public let content: ParameterSummaryContent

    /// Shown if there is a value, or if there is none.
    public init<Value, Then: ParameterSummary>(
        _ keyPath: any KeyPath<Subject, Parameter<Value>> & Sendable, _ presence: ParameterSummaryPresence,
        @ParameterSummaryBuilder<Subject> _ content: () -> Then,
        @ParameterSummaryOtherwiseBuilder<Subject> otherwise: () -> ParameterSummaryContent? = { nil }
    ) {
        self.init(keyPath, ParameterSummaryCondition(presence), content(), otherwise())
    }

    /// Shown if the value equals this one, or if it does not.
    public init<Value, Then: ParameterSummary>(
        _ keyPath: any KeyPath<Subject, Parameter<Value>> & Sendable, _ equality: ParameterSummaryEquality, _ other: Value.Base,
        @ParameterSummaryBuilder<Subject> _ content: () -> Then,
        @ParameterSummaryOtherwiseBuilder<Subject> otherwise: () -> ParameterSummaryContent? = { nil }
    ) {
        self.init(keyPath, ParameterSummaryCondition(equality.comparison, among: [other]), content(), otherwise())
    }

    /// Shown if the value comes before or after this one.
    public init<Value, Then: ParameterSummary>(
        _ keyPath: any KeyPath<Subject, Parameter<Value>> & Sendable, _ order: ParameterSummaryOrder, _ other: Value.Base,
        @ParameterSummaryBuilder<Subject> _ content: () -> Then,
        @ParameterSummaryOtherwiseBuilder<Subject> otherwise: () -> ParameterSummaryContent? = { nil }
    ) where Value.Base: Comparable {
        self.init(keyPath, ParameterSummaryCondition(order, other), content(), otherwise())
    }

    /// Shown if the value is one of these, or if it is not.
    public init<Value, Then: ParameterSummary>(
        _ keyPath: any KeyPath<Subject, Parameter<Value>> & Sendable, _ membership: ParameterSummaryMembership, _ others: [Value.Base],
        @ParameterSummaryBuilder<Subject> _ content: () -> Then,
        @ParameterSummaryOtherwiseBuilder<Subject> otherwise: () -> ParameterSummaryContent? = { nil }
    ) {
        self.init(keyPath, ParameterSummaryCondition(membership.comparison, among: others), content(), otherwise())
    }

    /// Shown if the value has this identifier (``ParameterValue/optionID``), or if it has not.
    public init<Value, Then: ParameterSummary>(
        _ keyPath: any KeyPath<Subject, Parameter<Value>> & Sendable, _ equality: ParameterSummaryEquality, identifier: String,
        @ParameterSummaryBuilder<Subject> _ content: () -> Then,
        @ParameterSummaryOtherwiseBuilder<Subject> otherwise: () -> ParameterSummaryContent? = { nil }
    ) {
        self.init(keyPath, ParameterSummaryCondition(equality.comparison, identifiers: [identifier]), content(), otherwise())
    }

    /// Shown if the value has one of these identifiers (``ParameterValue/optionID``), or if it has none of them.
    public init<Value, Then: ParameterSummary>(
        _ keyPath: any KeyPath<Subject, Parameter<Value>> & Sendable, _ membership: ParameterSummaryMembership, identifiers: [String],
        @ParameterSummaryBuilder<Subject> _ content: () -> Then,
        @ParameterSummaryOtherwiseBuilder<Subject> otherwise: () -> ParameterSummaryContent? = { nil }
    ) {
        self.init(keyPath, ParameterSummaryCondition(membership.comparison, identifiers: identifiers), content(), otherwise())
    }

    private init(
        _ keyPath: any AnyKeyPath & Sendable, _ condition: ParameterSummaryCondition, _ content: some ParameterSummary,
        _ otherwise: ParameterSummaryContent?
    ) {
        let alternative = ParameterSummaryAlternative(condition, content.content)
        self.content = .choice(of: keyPath, cases: [alternative], otherwise: otherwise)
    }
}
