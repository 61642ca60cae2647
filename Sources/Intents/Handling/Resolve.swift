/// How one parameter is resolved: SiriKit's `resolveDropOffLocation(for:with:)` and its like.
///
/// ```swift
/// Resolve(\.$dropOff) { place, ride in
///     guard let place else { return .needsValue() }
///     return await map.serves(place) ? .success(place) : .unsupported(reason: "outsideServiceArea")
/// }
/// ```
/// The closure gets the value, or `nil` if there is none, and the intent with what is known of the other parameters (read those as
/// `ride.$pickup.value`: a required one may be open). A default, the range and the options have been applied before.
public struct Resolve<IntentType: Intent, Value: ParameterType>: Resolution, ResolutionStep {
    let keyPath: any WritableKeyPath<IntentType, Parameter<Value>> & Sendable
    let body: @Sendable (Value.Base?, IntentType, Context) async throws -> ResolutionResult<Value.Base>

    public init(
        _ keyPath: any WritableKeyPath<IntentType, Parameter<Value>> & Sendable,
        _ body: @escaping @Sendable (Value.Base?, IntentType) async throws -> ResolutionResult<Value.Base>
    ) {
        self.keyPath = keyPath
        self.body = { value, intent, _ in try await body(value, intent) }
    }

    /// The same with the ``Context``, for the session's attributes or the locale.
    public init(
        _ keyPath: any WritableKeyPath<IntentType, Parameter<Value>> & Sendable,
        _ body: @escaping @Sendable (Value.Base?, IntentType, Context) async throws -> ResolutionResult<Value.Base>
    ) {
        self.keyPath = keyPath
        self.body = body
    }

    public var steps: ResolutionSteps<IntentType> { ResolutionSteps(all: [self]) }

    func identity(in intent: IntentType) -> ObjectIdentifier { intent[keyPath: keyPath].identity }
}
