/// The values that a parameter may have, found at run time: App Intents' protocol of the same name.
///
/// It is asked each time the parameter is resolved, so answer quickly and in the same order for the same data.
public protocol DynamicOptionsProvider<Value>: Sendable {
    associatedtype Value: ParameterValue
    /// What may be chosen, the likeliest first.
    func results() async throws -> [Value]
}
