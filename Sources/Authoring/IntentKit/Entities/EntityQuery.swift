/// Finds entities: App Intents' protocol of the same name. It is also an options provider of its suggestions.
///
/// It gets what it needs with `@Dependency`.
public protocol EntityQuery<Value>: DynamicOptionsProvider where Value: AppEntity, Results == ItemCollection<Value> {
    /// The entities' type, also called `Entity`.
    associatedtype Value

    /// The entities with these identifiers, in any order. Entities that no longer exist are left out. All identifiers of a list are in one call.
    func entities(for identifiers: [Value.ID]) async throws -> [Value]
    /// Suggestions for a person who has not named an entity, the most likely first. Two or more are offered instead of a plain question. By
    /// default, none. For suggestions in sections implement ``DynamicOptionsProvider/results()`` instead.
    func suggestedEntities() async throws -> [Value]
}

extension EntityQuery {
    public typealias Entity = Value

    public func suggestedEntities() async throws -> [Value] { [] }
    public func results() async throws -> ItemCollection<Value> { try await suggestedEntities().collection }
}

/// Finds entities by what a person said: App Intents' protocol of the same name.
public protocol EntityStringQuery<Value>: EntityQuery {
    associatedtype Value
    /// The entities that the text may mean, the most likely first. If one of them has exactly this title, the others are ignored.
    func entities(matching string: String) async throws -> [Value]
}

/// Returns all entities, because they are few: App Intents' protocol of the same name.
///
/// It needs no other method: identifiers and text are searched for among them, and all of them are suggestions.
public protocol EnumerableEntityQuery<Value>: EntityQuery {
    associatedtype Value
    func allEntities() async throws -> [Value]
}

extension EnumerableEntityQuery {
    public func entities(for identifiers: [Value.ID]) async throws -> [Value] {
        let wanted = Set(identifiers)
        return try await allEntities().filter { wanted.contains($0.id) }
    }

    public func suggestedEntities() async throws -> [Value] { try await allEntities() }
}

/// For an entity of which there is exactly one, such as the settings: App Intents' protocol of the same name. A parameter of its type is never asked
/// for.
public protocol UniqueAppEntityQuery<Value>: EnumerableEntityQuery {
    associatedtype Value
    func uniqueEntity() async throws -> Value
}

extension UniqueAppEntityQuery {
    public func allEntities() async throws -> [Value] { [try await uniqueEntity()] }
}
