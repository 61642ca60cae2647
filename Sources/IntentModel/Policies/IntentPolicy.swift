/// What an intent asks of the conversations about it. Whatever it leaves out is as the coordinator's own policy has it.
///
/// Declared with the intent, as ``Intent/policy`` and ``Intent/effect``. A coordinator knows no intents, so it travels with every answer of a
/// resolver.
///
/// ```swift
/// static let effect: IntentEffect = .atMostOnce
/// static let policy = IntentPolicy(
///     handle: PhasePolicy(timeout: .seconds(300), retry: RetryPolicy(firstDelay: .seconds(1), factor: 2, maximumAttempts: 3)),
///     answerTimeout: .seconds(60), asks: AskPolicy(noAnswer: 1, noMatch: 2, finally: .handToApp))
/// ```
public struct IntentPolicy: Sendable, Hashable {
    /// How often the handle phase may be called for one request, come what may.
    public var effect: IntentEffect?
    public var resolve: PhasePolicy
    public var confirm: PhasePolicy
    public var handle: PhasePolicy
    /// How long a person has to answer a prompt.
    public var answerTimeout: Duration?
    /// How long an app has to claim and complete a handoff.
    public var handoffTimeout: Duration?
    /// How long it may stay `inProgress`, counted from the last word of its handler.
    public var inProgressTimeout: Duration?
    /// How long a running handler has to clean up after a cancel.
    public var cleanupTimeout: Duration?
    /// How often a person is asked for a parameter, and what then.
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

/// How often the handle phase is called when something dies on the way.
public enum IntentEffect: String, Sendable, Hashable, CaseIterable {
    /// Until an answer has come. A handler passes ``Context/idempotencyKey`` on to whatever must not happen twice.
    case atLeastOnce
    /// Never a second time unless the handler itself asks for it, with a failure that says `retry`. If its answer is lost the request fails with
    /// the reason `outcomeUnknown`. So it does if the handler throws an error that is not an ``IntentFailure``, also when it was called off: one that
    /// knows that nothing has happened throws `IntentFailure(.failure(.cancelled), …)`. Costs one more round trip for each call.
    case atMostOnce
}
