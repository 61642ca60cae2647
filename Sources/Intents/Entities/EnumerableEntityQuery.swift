/// Can tell all entities there are, because they are few: App Intents' protocol of the same name.
///
/// That is all it takes: identifiers and text are looked for among them, and they are what is suggested.
public protocol EnumerableEntityQuery<Entity>: EntityQuery {
    func allEntities() async throws -> [Entity]
}

extension EnumerableEntityQuery {
    public func entities(for identifiers: [Entity.ID]) async throws -> [Entity] {
        let wanted = Set(identifiers)
        return try await allEntities().filter { wanted.contains($0.id) }
    }

    public func suggestedEntities() async throws -> ItemCollection<Entity> { try await allEntities().collection }
}

/// For an entity of which there is only one, such as the settings: App Intents' protocol of the same name. A parameter of its type is never
/// asked for.
public protocol UniqueAppEntityQuery<Entity>: EnumerableEntityQuery {
    func uniqueEntity() async throws -> Entity
}

extension UniqueAppEntityQuery {
    public func allEntities() async throws -> [Entity] { [try await uniqueEntity()] }
}
