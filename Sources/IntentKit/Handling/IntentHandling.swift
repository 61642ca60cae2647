/// What does one intent: SiriKit's handling protocols (`INRequestRideIntentHandling` and its like) in one.
///
/// Only ``handle(_:context:)`` has to be written. A parameter without a ``Resolve`` is resolved by its declaration, and confirm answers `ready`.
public protocol IntentHandling<IntentType>: IntentHandler {
    associatedtype IntentType: Intent
    associatedtype ResolutionContent: Resolution<IntentType>

    /// How parameters are resolved that need more than their declaration says. The order here doesn't matter.
    @ResolutionBuilder<IntentType> var resolution: ResolutionContent { get }

    /// The last check before the intent is handled: can it be done, is the service there?
    ///
    /// - Returns: `ready` (or `success`) to go on, `userConfirmationRequired` to have the person asked whatever the policy is, a failure, or
    ///   `continueInApp`/`handleInApp` to leave it to the app.
    func confirm(_ intent: IntentType, context: Context) async throws -> IntentResponse

    /// Does it. May be called again with the same ``Context/idempotencyKey`` after a crash.
    func handle(_ intent: IntentType, context: Context) async throws -> IntentResponse
}

extension IntentHandling {
    public var handlings: [any IntentHandling] { [self] }
    public var resolution: NoResolution<IntentType> { NoResolution() }
    public func confirm(_ intent: IntentType, context: Context) async throws -> IntentResponse { .ready }
}
