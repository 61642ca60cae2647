/// The values that a parameter may have, found at run time: App Intents' protocol of the same name.
///
/// ```swift
/// struct CupOptions: DynamicOptionsProvider {
///     @Dependency var cupboard: Cupboard
///     func results() async throws -> [Cup] { cupboard.cups }
/// }
/// ```
/// It answers with an array, or with an ``ItemCollection`` if the values come in sections. It is asked each time the parameter is resolved,
/// so answer quickly and in the same order for the same data. What never changes is written as ``StaticOptions``.
public protocol DynamicOptionsProvider<Value>: Sendable {
    associatedtype Value: ParameterValue
    /// An array of values, or an ``ItemCollection`` of them.
    associatedtype Results: ResultsCollection<Value>
    /// What may be chosen, the likeliest first.
    func results() async throws -> Results
}

/// Options that never change: `options: StaticOptions("window", "aisle")`.
public struct StaticOptions<Value: ParameterValue>: DynamicOptionsProvider {
    private let items: [Value]

    public init(_ items: Value...) { self.items = items }
    public init(_ items: [Value]) { self.items = items }

    public func results() async throws -> [Value] { items }
}

extension DynamicOptionsProvider {
    package func offered() async throws -> ItemCollection<Value> { try await results().collection }
}
