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

/// Finds entities by what a person said: App Intents' protocol of the same name.
public protocol EntityStringQuery<Value>: EntityQuery {
    associatedtype Value
    /// What may be meant by the text, the likeliest first. If one of them has exactly this title, the others don't count.
    func entities(matching string: String) async throws -> [Value]
}

/// Can tell all entities there are, because they are few: App Intents' protocol of the same name.
///
/// That is all it takes: identifiers and text are looked for among them, and they are what is suggested.
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

/// For an entity of which there is only one, such as the settings: App Intents' protocol of the same name. A parameter of its type is never
/// asked for.
public protocol UniqueAppEntityQuery<Value>: EnumerableEntityQuery {
    associatedtype Value
    func uniqueEntity() async throws -> Value
}

extension UniqueAppEntityQuery {
    public func allEntities() async throws -> [Value] { [try await uniqueEntity()] }
}
