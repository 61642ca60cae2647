public import IntentModel

/// One phase of one request, given to workers.
public struct WorkItem: Sendable, Hashable, WorkAddressed {
    public var address: WorkAddress
    /// Which try of the phase it is, from 1.
    public var attempt: Int
    public var parameters: [ParameterState]
    /// Goes into each outcome of the work, which is refused without it. `nil` from coordinators of earlier versions.
    public var ticket: Ticket?
    /// When an outcome is no longer of use, by the coordinator's clock. Workers go by the record's time limit instead, which needs no common clock.
    public var deadline: Instant?
    /// The same for every repeat of one handle phase.
    public var idempotencyKey: Identifier
    public var locale: String?
    public var attributes: [String: JSON]
    /// The IANA name of the person's time zone, if the request says it.
    public var timeZone: String?
    /// When the person said what the phase reads, by their own clock; `nil` if the request says neither zone nor time.
    public var now: Instant?
    /// Who has requested it; `nil` if they are not authenticated.
    public var principal: Principal?
    /// What the person has answered to this phase's questions so far.
    public var answers: [PhaseAnswer] = []
    /// What the phase has recorded so far.
    public var recorded: [String: JSON] = [:]
    /// What the session remembers.
    public var memory: [String: JSON] = [:]
    /// With ``IntentEffect/atMostOnce`` the worker needs a permit before it calls the handler.
    public var effect: IntentEffect?
    /// How long the coordinator waits after each progress report of a handler, instead of until ``deadline``. `nil` in other phases, and from
    /// coordinators that don't tell.
    public var inProgressTimeout: Duration?
    /// The request's own deadline by the coordinator's clock, past which no progress report extends the wait. `nil` if there is none, in other phases, and from coordinators that
    /// don't tell.
    public var requestDeadline: Instant?

    public init(
        _ address: WorkAddress, attempt: Int = 1, parameters: [ParameterState] = [], deadline: Instant? = nil,
        idempotencyKey: Identifier = "", locale: String? = nil, attributes: [String: JSON] = [:]
    ) {
        self.address = address
        self.attempt = attempt
        self.parameters = parameters
        self.deadline = deadline
        self.idempotencyKey = idempotencyKey
        self.locale = locale
        self.attributes = attributes
    }
}
