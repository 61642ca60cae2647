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
