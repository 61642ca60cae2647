public import Intents

/// A request that a session is working on.
public struct ActiveRequest: Sendable, Hashable {
    /// Where it stands. Each case names its exits; ``StageName/exits`` is the same list for machines.
    public enum Stage: Sendable, Hashable {
        /// A resolver has the intent.
        ///
        /// Can transition to: `resolving` (again after a retry or a correction), `awaitingAnswer` (a parameter needs the person), `confirming`
        /// (all are resolved), `handedOff` (asked too often), or the end (failure, unsupported, cancelled, timed out).
        case resolving
        /// The person is asked about a parameter.
        ///
        /// Can transition to: `awaitingAnswer` (asked again after an interruption, or after silence), `resolving` (answered or corrected),
        /// `handedOff` (asked too often), or the end (declined, cancelled, timed out).
        case awaitingAnswer(Prompt)
        /// A confirmer has the intent.
        ///
        /// Can transition to: `confirming` (retry), `resolving` (correction), `awaitingConfirmation` (the person must agree), `handling` (ready),
        /// `handedOff` (`continueInApp`), or the end.
        case confirming
        /// The person is asked whether it shall be done.
        ///
        /// Can transition to: `awaitingConfirmation` (asked again after an interruption), `handling` (accepted), `resolving` (corrected, or
        /// answered with changes), or the end (declined, cancelled, timed out).
        case awaitingConfirmation(Prompt)
        /// A handler has the intent.
        ///
        /// Can transition to: `handling` (retry, or on to the app's workers with `handleInApp`), `inProgress`, `handedOff` (`continueInApp`),
        /// or the end.
        case handling
        /// A handler said that it takes longer.
        ///
        /// Can transition to: `inProgress` (more progress), `handling` (retry, or on to the app's workers), `handedOff` (`continueInApp`), or the end.
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

    /// When something becomes due by itself.
    var nextTimer: Instant {
        var next = retryAt.map { min($0, stageEnds) } ?? stageEnds
        if let announceAt { next = min(next, announceAt) }
        if let deadline = request.deadline { next = min(next, deadline) }
        return next
    }

    /// Merges what the person said: each replaces what was known; `null` forgets it.
    mutating func merge(_ changes: [ParameterState]) {
        for change in changes {
            let value = change.value == .null ? nil : change.value
            set(change.name, value, change.origin)
        }
    }

    mutating func set(_ name: String, _ value: JSON?, _ origin: ParameterState.Origin) {
        if let index = parameters.firstIndex(where: { $0.name == name }) {
            parameters[index].value = value
            parameters[index].origin = origin
        } else {
            parameters.append(ParameterState(name: name, value: value, origin: origin))
        }
    }

    func parameter(_ name: String) -> ParameterState? { parameters.first { $0.name == name } }
}
