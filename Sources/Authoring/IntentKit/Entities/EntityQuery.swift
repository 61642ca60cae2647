/// A query that finds entities: App Intents' protocol of the same name. A query is also the options provider of its
/// suggestions.
///
/// A query obtains its dependencies with `@Dependency`.
public protocol EntityQuery<Value>: DynamicOptionsProvider where Value: AppEntity, Results == ItemCollection<Value> {
    /// The type of the entities, also called `Entity`.
    associatedtype Value

    /// Returns the entities with these identifiers, in any order, without entities that no longer exist. All
    /// identifiers of a list are passed in one call.
    func entities(for identifiers: [Value.ID]) async throws -> [Value]
    /// Returns suggestions for a person who has not named an entity, the most likely first. Two or more suggestions are
    /// offered instead of a plain question. Returns none by default. For suggestions in sections, implement
    /// ``DynamicOptionsProvider/results()`` instead.
    func suggestedEntities() async throws -> [Value]
}

extension EntityQuery {
    public typealias Entity = Value

    public func suggestedEntities() async throws -> [Value] { [] }
    public func results() async throws -> ItemCollection<Value> { try await suggestedEntities().collection }
}

/// A query that finds entities by a person's words: App Intents' protocol of the same name.
public protocol EntityStringQuery<Value>: EntityQuery {
    associatedtype Value
    /// Returns the entities that the text may refer to, the most likely first. If the text is the title or a synonym of
    /// some of these entities, all others are ignored.
    func entities(matching string: String) async throws -> [Value]
}

/// A query that returns all entities, for types with few of them: App Intents' protocol of the same name.
///
/// No other method is required: identifiers and text are matched against all entities, and all entities are
/// suggestions.
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

/// A query for an entity that exists exactly once, such as the settings: App Intents' protocol of the same name.
///
/// The person is never asked for a parameter of such a type.
public protocol UniqueAppEntityQuery<Value>: EnumerableEntityQuery {
    associatedtype Value
    func uniqueEntity() async throws -> Value
}

extension UniqueAppEntityQuery {
    public func allEntities() async throws -> [Value] { [try await uniqueEntity()] }
}
