/// The timeouts, retries and limits that an intent sets for its requests. The coordinator's own policy applies to what it leaves out.
///
/// Declared with the intent, as ``Intent/policy`` and ``Intent/effect``. A coordinator knows no intents, so the policy travels with every outcome of
/// a resolver.
///
/// ```swift
/// static let effect: IntentEffect = .atMostOnce
/// static let policy = IntentPolicy(
///     handle: PhasePolicy(timeout: .seconds(300), retry: RetryPolicy(firstDelay: .seconds(1), factor: 2, maximumAttempts: 3)),
///     answerTimeout: .seconds(60), asks: AskPolicy(noAnswer: 1, noMatch: 2, finally: .handToApp))
/// ```
public struct IntentPolicy: Sendable, Hashable {
    /// How often the handle phase may be called for one request.
    public var effect: IntentEffect?
    public var resolve: PhasePolicy
    public var confirm: PhasePolicy
    public var handle: PhasePolicy
    /// How long a person has to answer a prompt.
    public var answerTimeout: Duration?
    /// How long an app has to claim and complete a handoff.
    public var handoffTimeout: Duration?
    /// How long it may stay `inProgress`, counted from the last report of its handler.
    public var inProgressTimeout: Duration?
    /// How long a running handler has to clean up after a cancel.
    public var cleanupTimeout: Duration?
    /// How often a person is asked for a parameter, and what happens then.
    public var asks: AskPolicy?

    public init(
        effect: IntentEffect? = nil, resolve: PhasePolicy = PhasePolicy(), confirm: PhasePolicy = PhasePolicy(),
        handle: PhasePolicy = PhasePolicy(), answerTimeout: Duration? = nil, handoffTimeout: Duration? = nil,
        inProgressTimeout: Duration? = nil, cleanupTimeout: Duration? = nil, asks: AskPolicy? = nil
    ) {
        self.effect = effect
        self.resolve = resolve
        self.confirm = confirm
        self.handle = handle
        self.answerTimeout = answerTimeout
        self.handoffTimeout = handoffTimeout
        self.inProgressTimeout = inProgressTimeout
        self.cleanupTimeout = cleanupTimeout
        self.asks = asks
    }

    public subscript(phase: Phase) -> PhasePolicy {
        switch phase {
        case .resolve: resolve
        case .confirm: confirm
        case .handle: handle
        }
    }
}

/// How often the handle phase is called if a process or message is lost.
public enum IntentEffect: String, Sendable, Hashable, CaseIterable {
    /// Until an outcome arrives. A handler passes ``Context/idempotencyKey`` on to every call that must not happen twice.
    case atLeastOnce
    /// Once, except if the handler itself asks for a retry with a failure that says `retry`. If its outcome is lost, the request fails with the
    /// reason `outcomeUnknown`. The same applies if the handler throws an error that is not an ``IntentFailure``, also when it was cancelled: a
    /// handler that knows that nothing has happened throws `IntentFailure(.failure(.cancelled), …)`. Costs one more round trip for each call.
    case atMostOnce
}
