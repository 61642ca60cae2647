public import IntentModel

/// What a decision wants done.
public enum Effect: Sendable, Hashable {
    /// Give out work.
    case work(WorkItem)
    /// Tell the person's side.
    case result(SessionResult)
    /// Nothing: the event came too late, twice, or for something that is not there.
    case ignored(Ignored)
    /// Forget the session.
    case ended
}

extension [Effect] {
    /// Whether the event changed nothing.
    public var isIgnored: Bool { if case .ignored? = first { true } else { false } }
}

/// Why an event changed nothing.
public enum Ignored: String, Sendable, Hashable, CaseIterable {
    /// This request was accepted before.
    case duplicateRequest
    /// The outcome belongs to an older step, or to a request that has ended.
    case staleOutcome
    /// The answer, or a word of progress, of a handler whose request has ended without it.
    case lateOutcome
    /// The handler was let before, or the updates are being sent already.
    case repeatedStart
    /// There are no updates to stop.
    case noUpdates
    /// An update that gives a parameter of its request another value: it is about another ride.
    case foreignUpdate
    /// An update that tells nothing new, too soon after the one before.
    case earlyUpdate
    /// Nothing was due.
    case earlyTimer
    /// The request is being cancelled already.
    case duplicateCancel
    /// The progress was told before.
    case repeatedProgress
    /// The handoff belongs to this claimant already.
    case repeatedClaim
    /// Nothing that was to be forgotten is remembered.
    case nothingToForget
    /// The session is being ended already.
    case repeatedEnd
    /// There is no session to end.
    case nothingToEnd
}

/// Work for a resolver, confirmer or handler.
public struct WorkItem: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable {
        case resolve, confirm, handle
        /// Stop what is being done for `step`.
        case cancel
        /// The handler that has ``claim`` may be called, and no other.
        case permit
        /// Go on telling how things stand, after the request has succeeded.
        case update
    }

    public var kind: Kind
    /// The phase whose workers get it.
    public var phase: Phase
    /// The app's workers get it, not the extension's.
    public var isInApp: Bool
    public var request: String
    public var step: Int
    public var attempt: Int
    public var intent: String
    public var parameters: [ParameterState]
    public var deadline: Instant?
    public var idempotencyKey: String
    public var locale: String?
    public var attributes: [String: JSON]
    public var trace: TraceContext?
    /// What the person has answered to this phase's questions so far.
    public var answers: [PhaseAnswer] = []
    /// What the phase has recorded so far.
    public var recorded: [String: JSON] = [:]
    /// What the session remembers.
    public var memory: [String: JSON] = [:]
    /// With ``IntentEffect/atMostOnce``: whoever gets it has to be permitted before the handler is called.
    public var effect: IntentEffect?
    /// Who may call the handler, in a permit.
    public var claim: String?
    /// Why it is to stop, in a cancel; `deadline` is then the end of the time to clean up.
    public var reason: CancellationReason?

    public init(
        kind: Kind, phase: Phase, isInApp: Bool = false, request: String, step: Int, attempt: Int = 1, intent: String,
        parameters: [ParameterState] = [], deadline: Instant? = nil, idempotencyKey: String = "", locale: String? = nil,
        attributes: [String: JSON] = [:], trace: TraceContext? = nil
    ) {
        self.kind = kind
        self.phase = phase
        self.isInApp = isInApp
        self.request = request
        self.step = step
        self.attempt = attempt
        self.intent = intent
        self.parameters = parameters
        self.deadline = deadline
        self.idempotencyKey = idempotencyKey
        self.locale = locale
        self.attributes = attributes
        self.trace = trace
    }
}

/// Something for the person's side. Sequences count up by one in a session, beginning at 1.
public struct SessionResult: Sendable, Hashable {
    public enum Body: Sendable, Hashable {
        case prompted(Prompt)
        case progressed(Progress)
        case handoffOffered(Handoff)
        case handoffClaimed(Handoff)
        case completed(Completion)
        case answeredLate(LateAnswer)
        case updated(intent: String, IntentUpdate)
        /// The error says what was wrong if the end is `invalid`.
        case updatesEnded(intent: String, UpdatesEnd, error: Rejection? = nil)
        case rejected(Rejection)
    }

    public var sequence: Int
    /// The request it is about, if there is one.
    public var request: String?
    public var body: Body
    public var trace: TraceContext?

    public init(sequence: Int, request: String?, body: Body, trace: TraceContext? = nil) {
        self.sequence = sequence
        self.request = request
        self.body = body
        self.trace = trace
    }
}
