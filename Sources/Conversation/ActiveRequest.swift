public import IntentModel

/// A request that a session is working on.
public struct ActiveRequest: Sendable, Hashable {
    /// Where it stands. Each case names its exits; ``StageName/exits`` is the same list for machines.
    public enum Stage: Sendable, Hashable {
        /// A resolver has the intent.
        ///
        /// Can transition to: `resolving` (again after a retry or a correction), `awaitingAnswer` (a parameter needs the person), `confirming`
        /// (all are resolved), `handedOff` (asked too often), or the end (failure, unsupported, cancelled, timed out).
        case resolving
        /// The person is asked about a parameter, or which of the items they mean that the handler has found.
        ///
        /// Can transition to: `awaitingAnswer` (asked again after an interruption or silence, or for another value), `resolving` (answered or
        /// corrected), `confirming` or `handling` (that phase asked, and was answered), `handedOff` (asked too often), or the end (declined,
        /// cancelled, timed out).
        case awaitingAnswer(Prompt)
        /// A confirmer has the intent.
        ///
        /// Can transition to: `confirming` (retry), `resolving` (correction), `awaitingConfirmation` (the person must agree, or the confirmer asks
        /// whether), `awaitingAnswer` (it asks something else), `handling` (ready), `handedOff` (`continueInApp`), or the end.
        case confirming
        /// The person is asked whether it shall be done.
        ///
        /// Can transition to: `awaitingConfirmation` (asked again after an interruption), `handling` (accepted, or the handler asked), `confirming` (the
        /// confirmer asked, or what it had answered holds no longer), `resolving` (corrected, or answered with changes), or the end (declined, cancelled, timed out).
        case awaitingConfirmation(Prompt)
        /// A handler has the intent.
        ///
        /// Can transition to: `handling` (retry, or on to the app's workers with `handleInApp`), `inProgress`, `awaitingAnswer` or
        /// `awaitingConfirmation` (the handler asks), `handedOff` (`continueInApp`), or the end.
        case handling
        /// A handler said that it takes longer.
        ///
        /// Can transition to: `inProgress` (more progress), `handling` (retry, or on to the app's workers), `awaitingAnswer` or
        /// `awaitingConfirmation` (the handler asks), `handedOff` (`continueInApp`), or the end.
        case inProgress
        /// An app may go on with it, or is at it.
        ///
        /// Can transition to: `handedOff` (claimed), or the end (completed by the app, cancelled, timed out or deferred).
        case handedOff(handoff: String)
    }

    /// As it was accepted, but for its parameters: those are in ``parameters``.
    public var request: IntentRequest
    /// What is known of the parameters by now.
    public var parameters: [ParameterState]
    public var stage: Stage
    /// The token of the work item or prompt that is open; it grows by one with each.
    public var step: Int
    public var attempt: Int
    /// When the stage ends by itself.
    public var stageEnds: Instant
    /// When the phase is tried again; nothing is given out until then.
    public var retryAt: Instant?
    /// How many prompts there were.
    public var turns: Int
    /// How often each parameter was asked for.
    public var asks: [String: Int]
    /// The app's workers handle it.
    public var isInApp: Bool
    /// A running handler has been told to stop.
    public var isCancelling: Bool
    /// The progress last told.
    public var fraction: Double?
    /// What the confirmer gave the app, should it be needed later.
    public var activity: UserActivity?
    /// What the confirmer found, told at the end unless the handler finds something itself.
    public var items: [ParameterOption] = []
    /// What the handler answered, and what the request ends with unless it goes on: while the person is asked which of its items they mean (without
    /// the items, which are the prompt's options), or whether other values will do than those that it has failed with.
    public var result: IntentResponse?
    /// How often it has gone on after it was handled: each time is another call, and no repeat of the one before.
    public var redone = 0
    /// The item that the person chose.
    var chosenItem: String?
    /// What the phase has asked and done so far.
    public var notes = PhaseNotes()
    /// How many questions its phases have asked.
    public var questions = 0
    /// Until when the confirmer's answer holds, while the person is asked.
    public var validUntil: Instant?
    /// A resolver has said which parameters are secret. Until then any of them may be.
    public var knowsSecrets = false
    /// What the session remembers its parameters as, by their names.
    public var memoryKeys: [String: String] = [:]
    /// What the intent asks of this conversation, as far as a resolver has said.
    public var policy: IntentPolicy?
    /// The claim of the handler that may be called, of an ``IntentEffect/atMostOnce`` intent; `nil` until one was let.
    public var permit: String?
    /// When the person is told that the phase takes longer; `nil` if they have been, or need not be.
    public var announceAt: Instant?
    /// Why a running handler was told to stop.
    public var cancelReason: CancellationReason?
    /// What became of asking for each parameter.
    public var misses: [String: Misses] = [:]
    /// What the person may be offered if the open prompt leads nowhere.
    public var alternatives: [ParameterOption] = []

    public init(
        request: IntentRequest, parameters: [ParameterState], stage: Stage = .resolving, step: Int = 0, attempt: Int = 1,
        stageEnds: Instant,
        retryAt: Instant? = nil, turns: Int = 0, asks: [String: Int] = [:], isInApp: Bool = false, isCancelling: Bool = false,
        fraction: Double? = nil, activity: UserActivity? = nil
    ) {
        self.request = request
        self.parameters = parameters
        self.stage = stage
        self.step = step
        self.attempt = attempt
        self.stageEnds = stageEnds
        self.retryAt = retryAt
        self.turns = turns
        self.asks = asks
        self.isInApp = isInApp
        self.isCancelling = isCancelling
        self.fraction = fraction
        self.activity = activity
    }

    /// The phase that a worker is at, if one is.
    public var phase: Phase? {
        switch stage {
        case .resolving: .resolve
        case .confirming: .confirm
        case .handling, .inProgress: .handle
        case .awaitingAnswer, .awaitingConfirmation, .handedOff: nil
        }
    }

    /// The prompt that is open.
    public var prompt: Prompt? {
        switch stage {
        case .awaitingAnswer(let prompt), .awaitingConfirmation(let prompt): prompt
        default: nil
        }
    }

    /// The handle phase was given out already: what it was given can't be changed any more.
    var isBeingHandled: Bool {
        switch stage {
        case .resolving, .confirming: false
        case .awaitingAnswer(let prompt), .awaitingConfirmation(let prompt):
            prompt.question?.phase == .handle || result?.code.isFailure == false
        case .handling, .inProgress, .handedOff: true
        }
    }

    /// When something becomes due by itself.
    var nextTimer: Instant {
        var next = retryAt.map { min($0, stageEnds) } ?? stageEnds
        if let announceAt { next = min(next, announceAt) }
        if let deadline = request.deadline { next = min(next, deadline) }
        return next
    }
}
