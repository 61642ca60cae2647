/// Finds entities by what a person said: App Intents' protocol of the same name.
public protocol EntityStringQuery<Value>: EntityQuery {
    associatedtype Value
    /// What may be meant by the text, the likeliest first. If one of them has exactly this title, the others don't count.
    func entities(matching string: String) async throws -> [Value]
}
