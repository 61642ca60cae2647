public import IntentModel

/// What travels on a work topic.
public indirect enum Work: Sendable, Hashable, WorkAddressed {
    /// Run a phase.
    case item(WorkItem)
    /// Keep reporting how things go, after the request has succeeded.
    case update(WorkItem)
    /// Stop.
    case cancel(WorkCancel)
    /// Call a handler that may be called once.
    case permit(WorkPermit)

    public var address: WorkAddress {
        switch self {
        case .item(let item), .update(let item): item.address
        case .cancel(let cancel): cancel.address
        case .permit(let permit): permit.address
        }
    }

    /// The service whose workers get it; `nil` for the default service. It is looked at for each record, so no address is copied for it.
    public var service: String? {
        switch self {
        case .item(let item), .update(let item): item.address.service
        case .cancel(let cancel): cancel.address.service
        case .permit(let permit): permit.address.service
        }
    }

    /// Looked at in the same way.
    public var trace: TraceContext? {
        switch self {
        case .item(let item), .update(let item): item.address.trace
        case .cancel(let cancel): cancel.address.trace
        case .permit(let permit): permit.address.trace
        }
    }

    /// What it is, for those who only tell one from another. The raw value is the last part of its event's id.
    public enum Kind: String, Sendable, Hashable, CaseIterable { case resolve, confirm, handle, update, cancel, permit }

    public var kind: Kind { kind(in: phase) }

    /// The kind of work about this phase.
    package func kind(in phase: Phase) -> Kind {
        switch self {
        case .item:
            switch phase {
            case .resolve: .resolve
            case .confirm: .confirm
            case .handle: .handle
            }
        case .update: .update
        case .cancel: .cancel
        case .permit: .permit
        }
    }

    /// The work item, of ``item(_:)`` and ``update(_:)``.
    public var item: WorkItem? {
        switch self {
        case .item(let item), .update(let item): item
        case .cancel, .permit: nil
        }
    }

    public var cancel: WorkCancel? {
        if case .cancel(let cancel) = self { cancel } else { nil }
    }

    public var permit: WorkPermit? {
        if case .permit(let permit) = self { permit } else { nil }
    }
}

/// Which step of which request work is about, and which workers get it.
public struct WorkAddress: Sendable, Hashable {
    // Optionals that the initializer sets are spelled out: one that begins as `nil` makes it copy the whole value.
    public var request: Identifier
    /// The step token of the request; it grows by one with each work item and prompt.
    public var step: Int
    public var intent: Identifier
    public var phase: Phase
    /// Whether the app's workers get it instead of the extension's.
    public var isInApp: Bool
    /// The service whose workers get it; `nil` for the default service.
    public var service: Optional<String>
    public var trace: Optional<TraceContext>

    public init(
        request: Identifier, step: Int, intent: Identifier, phase: Phase, isInApp: Bool = false, service: String? = nil,
        trace: TraceContext? = nil
    ) {
        self.request = request
        self.step = step
        self.intent = intent
        self.phase = phase
        self.isInApp = isInApp
        self.service = service
        self.trace = trace
    }
}

/// Something that is sent to the workers of one step.
public protocol WorkAddressed {
    var address: WorkAddress { get }
}

extension WorkAddressed {
    public var request: Identifier { address.request }
    public var step: Int { address.step }
    public var intent: Identifier { address.intent }
    public var phase: Phase { address.phase }
    public var isInApp: Bool { address.isInApp }
    public var service: String? { address.service }
    public var trace: TraceContext? { address.trace }
}

/// Tells workers to stop the work of one step, and of the steps before it.
public struct WorkCancel: Sendable, Hashable, WorkAddressed {
    public var address: WorkAddress
    public var reason: CancellationReason?
    /// When the time to clean up ends, if the handler's outcome is still waited for. By the coordinator's clock; a worker replaces it by its own time.
    public var deadline: Instant?

    public init(_ address: WorkAddress, reason: CancellationReason? = nil, deadline: Instant? = nil) {
        self.address = address
        self.reason = reason
        self.deadline = deadline
    }
}

/// Permits the worker that has the claim to call the handler. No other worker may.
public struct WorkPermit: Sendable, Hashable, WorkAddressed {
    public var address: WorkAddress
    /// The claim of ``Outcome/Content/starting(claim:)``.
    public var claim: String?

    public init(_ address: WorkAddress, claim: String?) {
        self.address = address
        self.claim = claim
    }
}

/// One phase of one request, given to workers.
public struct WorkItem: Sendable, Hashable, WorkAddressed {
    // Optionals that the initializer sets are spelled out: one that begins as `nil` makes it copy the whole value.
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
    public var locale: Optional<String>
    public var attributes: [String: JSON]
    /// The IANA name of the person's time zone, if the request says it.
    public var timeZone: String?
    /// When the person said what the phase reads, by their own clock; `nil` if the request says neither zone nor time.
    public var now: Instant?
    /// Who has requested it; `nil` if they are not authenticated.
    public var principal: Principal?
    /// What the person has answered to this phase's questions so far.
    public var answers: [PhaseAnswer] = []
    /// Answers in words that the resolver reads, each with its question. Empty in other phases.
    public var said: [SaidAnswer] = []
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
