public import IntentModel

/// What a worker reports for a work item.
public struct Outcome: Sendable, Hashable {
    public enum Content: Sendable, Hashable {
        /// The phase is done.
        case finished(PhaseOutcome)
        /// The handle phase goes on; `fraction` is from 0 to 1.
        case progressed(fraction: Double?, dialog: String?)
        /// The worker was told to stop, and did.
        case cancelled
        /// A handler that may be called once is about to be called, if it is permitted. `claim` is unique.
        case starting(claim: String)
        /// A live update, after the request has succeeded.
        case updated(IntentUpdate)
        /// No more updates follow.
        case updatesEnded(UpdatesEnd)
    }

    // Optionals that the initializer sets are spelled out: one that begins as `nil` makes it copy the whole value.
    public var request: Identifier
    /// The step of the work item.
    public var step: Int
    public var phase: Phase
    public var content: Content
    /// The ticket of the work item.
    public var ticket: Ticket?
    /// The claim of the worker, of work that may be called once; `nil` if it has made none, and from workers of earlier versions.
    public var claim: Optional<String>
    /// Resolve: what the intent asks of the conversation.
    @Boxed public var policy: Optional<IntentPolicy>
    /// Handle: which workers get the work of the intent that its response opens, as the coordinator has read it in the catalogue.
    public var openedRoute: IntentRoute?
    /// With it: what is remembered for the person for that intent. The coordinator has looked it up.
    @Boxed public var openedMemory: [RememberedValue]? = nil

    public init(
        request: Identifier, step: Int, phase: Phase, content: Content, ticket: Ticket?, claim: String? = nil,
        policy: IntentPolicy? = nil
    ) {
        self.request = request
        self.step = step
        self.phase = phase
        self.content = content
        self.ticket = ticket
        self.claim = claim
        self.policy = policy
    }
}

extension Outcome.Content {
    /// The handler has succeeded, whatever it was told.
    package var isSuccess: Bool {
        if case .finished(.responded(let response, _)) = self { response.code == .success } else { false }
    }

    /// The phase is given back, or was stopped before it began: nothing that a handler has said.
    var isGivenBack: Bool {
        switch self {
        case .cancelled: true
        case .finished(.failed(let failure)): if case .retry = failure.disposition { true } else { false }
        default: false
        }
    }
}
