/// A summary that depends on a value. Within an intent it is written `When(\.$pickup, .hasAnyValue) { … } otherwise: { … }`.
public struct ParameterSummaryWhen<Subject: Intent>: ParameterSummary {
    public let content: ParameterSummaryContent

    /// Whether there is a value.
    public enum Presence: Sendable { case hasAnyValue, hasNoValue }
    /// How a value relates to another. No value equals none.
    public enum Relation: Sendable { case equalTo, notEqualTo }

    public init<Value, Then: ParameterSummary, Else: ParameterSummary>(
        _ keyPath: any KeyPath<Subject, Parameter<Value>> & Sendable, _ presence: Presence,
        @ParameterSummaryBuilder<Subject> _ content: () -> Then, @ParameterSummaryBuilder<Subject> otherwise: () -> Else
    ) {
        self.init(keyPath, content(), otherwise()) { value in (value != nil) == (presence == .hasAnyValue) }
    }

    public init<Value, Then: ParameterSummary, Else: ParameterSummary>(
        _ keyPath: any KeyPath<Subject, Parameter<Value>> & Sendable, _ relation: Relation, _ other: Value.Base,
        @ParameterSummaryBuilder<Subject> _ content: () -> Then, @ParameterSummaryBuilder<Subject> otherwise: () -> Else
    ) {
        self.init(keyPath, content(), otherwise()) { value in (value as? Value.Base == other) == (relation == .equalTo) }
    }

    private init(
        _ keyPath: any AnyKeyPath & Sendable, _ content: some ParameterSummary, _ otherwise: some ParameterSummary,
        if condition: @escaping @Sendable ((any ParameterValue)?) -> Bool
    ) {
        let thisCase = ParameterSummaryCase(condition: condition, content: content.content)
        self.content = .choice(of: keyPath, cases: [thisCase], otherwise: otherwise.content)
    }
}
