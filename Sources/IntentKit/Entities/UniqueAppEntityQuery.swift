/// For an entity of which there is only one, such as the settings: App Intents' protocol of the same name. A parameter of its type is never
/// asked for.
public protocol UniqueAppEntityQuery<Value>: EnumerableEntityQuery {
    associatedtype Value
    func uniqueEntity() async throws -> Value
}

extension UniqueAppEntityQuery {
    public func allEntities() async throws -> [Value] { [try await uniqueEntity()] }
}
