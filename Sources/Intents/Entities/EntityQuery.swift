/// How entities are found: App Intents' protocol of the same name. It is an options provider too: of what it suggests.
///
/// What it needs it takes by `@Dependency`.
public protocol EntityQuery<Entity>: DynamicOptionsProvider where Value == Entity, Results == ItemCollection<Entity> {
    associatedtype Entity: AppEntity

    /// The entities with these identifiers, in any order. What is no longer there is left out. All identifiers of a list come in one call.
    func entities(for identifiers: [Entity.ID]) async throws -> [Entity]
    /// What a person might mean who has said nothing yet, the likeliest first. Five or fewer are offered instead of a plain question.
    /// Unless you write it, none.
    func suggestedEntities() async throws -> ItemCollection<Entity>
}

extension EntityQuery {
    public func suggestedEntities() async throws -> ItemCollection<Entity> { ItemCollection(sections: []) }
    public func results() async throws -> ItemCollection<Entity> { try await suggestedEntities() }
}
