/// How entities are found: App Intents' protocol of the same name. It is an options provider too: of what it suggests.
///
/// What it needs it takes by `@Dependency`.
public protocol EntityQuery<Value>: DynamicOptionsProvider where Value: AppEntity, Results == ItemCollection<Value> {
    /// The entities' type, also called `Entity`.
    associatedtype Value

    /// The entities with these identifiers, in any order. What is no longer there is left out. All identifiers of a list come in one call.
    func entities(for identifiers: [Value.ID]) async throws -> [Value]
    /// What a person might mean who has said nothing yet, the likeliest first. Five or fewer are offered instead of a plain question.
    /// Unless you write it, none. For suggestions in sections write ``DynamicOptionsProvider/results()`` instead.
    func suggestedEntities() async throws -> [Value]
}

extension EntityQuery {
    public typealias Entity = Value

    public func suggestedEntities() async throws -> [Value] { [] }
    public func results() async throws -> ItemCollection<Value> { try await suggestedEntities().collection }
}
