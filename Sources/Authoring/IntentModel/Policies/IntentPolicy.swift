/// The timeouts, retries and limits that an intent sets for its requests. The coordinator's own policy applies to
/// members that are `nil`.
///
/// Declared with the intent, as ``Intent/policy`` and ``Intent/effect``. A coordinator knows no intents, so the policy
/// travels with every outcome of a resolver.
///
/// ```swift
/// static let effect: IntentEffect = .atMostOnce
/// static let policy = IntentPolicy(
///     handle: PhasePolicy(
///         timeout: .seconds(300), retry: RetryPolicy(firstDelay: .seconds(1), factor: 2, maximumAttempts: 3)),
///     answerTimeout: .seconds(60), asks: AskPolicy(noAnswer: 1, noMatch: 2, finally: .handToApp))
/// ```
public struct IntentPolicy: Sendable, Hashable {
    /// The delivery guarantee of the handle phase.
    public var effect: IntentEffect?
    public var resolve: PhasePolicy
    public var confirm: PhasePolicy
    public var handle: PhasePolicy
    /// The time that a person has to answer a prompt, up to 30 days; the operator may set a shorter one.
    public var answerTimeout: Duration?
    /// The times after which a person is reminded of a prompt, counted from the prompt; at most
    /// ``Approval/maximumReminders``.
    public var reminders: [Duration] = []
    /// The approval that the confirmation of the intent needs. It goes with the confirmation, and not with the policy.
    public var approval: Approval?
    /// The time that an app has to claim and complete a handoff.
    public var handoffTimeout: Duration?
    /// The time that the intent may stay `inProgress`, counted from the last report of its handler.
    public var inProgressTimeout: Duration?
    /// The time that a running handler has to clean up after a cancel.
    public var cleanupTimeout: Duration?
    /// The limits on asking a person for a parameter.
    public var asks: AskPolicy?

    public init(
        effect: IntentEffect? = nil, resolve: PhasePolicy = PhasePolicy(), confirm: PhasePolicy = PhasePolicy(),
        handle: PhasePolicy = PhasePolicy(), answerTimeout: Duration? = nil, handoffTimeout: Duration? = nil,
        inProgressTimeout: Duration? = nil, asks: AskPolicy? = nil
    ) {
        self.effect = effect
        self.resolve = resolve
        self.confirm = confirm
        self.handle = handle
        self.answerTimeout = answerTimeout
        self.handoffTimeout = handoffTimeout
        self.inProgressTimeout = inProgressTimeout
        self.asks = asks
    }

    /// Creates a policy that only asks for an approval.
    public init(approval: Approval) {
        self.init()
        self.approval = approval
    }

    /// The reason why the policy can't be kept; `nil` if there is none.
    package var problem: String? {
        if reminders.count > Approval.maximumReminders { return "has more than \(Approval.maximumReminders) reminders" }
        if !(reminders.allSatisfy { $0 >= .seconds(1) }) { return "has a reminder before 1 s" }
        if approval != nil, asks?.finally == .handToApp {
            return "hands over to an app after too many questions, where nobody else agrees"
        }
        return approval?.problem.map { "has an approval that \($0)" }
    }

    public subscript(phase: Phase) -> PhasePolicy {
        switch phase {
        case .resolve: resolve
        case .confirm: confirm
        case .handle: handle
        }
    }
}

/// The delivery guarantee of the handle phase if a process or message is lost.
public enum IntentEffect: String, Sendable, Hashable, CaseIterable {
    /// The handle phase is repeated until an outcome arrives. A handler passes ``Context/idempotencyKey`` to every call
    /// that must not happen twice.
    case atLeastOnce
    /// The handle phase is called once, except if the handler itself asks for a retry with a failure that says `retry`.
    /// If the outcome is lost, the request fails with the reason `outcomeUnknown`. The request also fails with this
    /// reason if the handler throws an error that is not an ``IntentFailure``, even after a cancel. A handler that
    /// knows that nothing has happened throws `IntentFailure(.failure(.cancelled), …)`. Costs one more round trip for
    /// each call.
    case atMostOnce
}
