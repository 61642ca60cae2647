public import IntentModel

/// One conversation: what was requested, how far it is, and what happens next.
///
/// A value without side effects: ``receive(_:from:isNamed:at:policy:randomness:)`` takes an event and returns a decision. The same events at the same times, with
/// the same randomness, make the same session, on any machine.
public struct Session: Sendable, Hashable {
    // Optionals that the initializer sets are spelled out: one that begins as `nil` makes it copy the whole value.
    /// 1 to 128 characters, none of them a control character.
    public let id: Identifier
    /// The number of the last result; 0 before the first.
    public var sequence: Int
    /// The request that is being worked on; `nil` is the idle state, which can transition to `resolving` (a request), or end the session.
    public var active: Optional<ActiveRequest>
    /// Interrupted requests. The last one resumes first.
    public var suspended: [ActiveRequest]
    /// Waiting requests, in the order in which they came.
    public var queued: [IntentRequest]
    /// What apps may claim, or have claimed.
    public var handoffs: [Handoff]
    /// The ids of the last requests, oldest first.
    public var rememberedRequests: RequestIDs
    /// Requests whose once-only handlers may have been called, oldest first.
    public var onceRequests: [OnceRequest] = []
    /// What the session remembers of its requests.
    public var memory = SessionMemory()
    /// What it has changed in the memory for its owner.
    public var person = PersonMemory()
    /// Requests that ended while a handler was still running, oldest first.
    public var abandoned: [AbandonedWork] = []
    /// Requests that have succeeded and whose handlers can report how things go on, oldest first.
    public var updates: [LiveUpdates] = []
    /// Requests that have succeeded and can be taken back, oldest first.
    public var undoable: [UndoableRequest] = []
    /// Set while the session is being ended from outside. It accepts no more requests, and is forgotten when all of its requests are completed.
    public var ending: SessionEnding?
    /// Who has opened it, if the event named a principal. Events of others are refused.
    public var owner: Principal?
    /// Whether the owner was only named, by a producer that is not trusted to authenticate principals. The session then does not count as one that the owner has
    /// opened.
    public var isOwnerNamed = false
    /// When the last event that changed it came.
    public var updated: Instant

    public init(
        id: Identifier, sequence: Int = 0, active: ActiveRequest? = nil, suspended: [ActiveRequest] = [],
        queued: [IntentRequest] = [],
        handoffs: [Handoff] = [], rememberedRequests: RequestIDs = [], updated: Instant
    ) {
        self.id = id
        self.sequence = sequence
        self.active = active
        self.suspended = suspended
        self.queued = queued
        self.handoffs = handoffs
        self.rememberedRequests = rememberedRequests
        self.updated = updated
    }

    /// When ``SessionEvent/timer`` is due next.
    public func nextTimer(_ policy: SessionPolicy) -> Instant {
        if isIdle, ending != nil { return updated }
        let next = activeTimer ?? updates.nextTimer ?? updated.advanced(by: policy.idleTimeout)
        return min(
            handoffs.reduce(next) { min($0, $1.expires) }, nextWaitingDeadline ?? next, updates.nextTimer ?? next)
    }

    /// When something of the active request becomes due by itself.
    private var activeTimer: Instant? {
        guard var next = active?.stageEnds, let stage = active?.stage else { return nil }
        if let retryAt = stage.retryAt { next = min(next, retryAt) }
        if let announceAt = stage.announceAt { next = min(next, announceAt) }
        if let deadline = active?.request.deadline { next = min(next, deadline) }
        return next
    }

    /// Decides on an event.
    ///
    /// - Parameters:
    ///   - principal: who caused the event; `nil` if it names no principal, or if it is the pipeline's own.
    ///   - isNamed: whether the principal is only named, by a producer that is not trusted to authenticate it.
    ///   - now: when it happened, as the session's owner sees it. It is written down with the decision, so that repeating it changes nothing.
    ///   - policy: times and bounds.
    ///   - randomness: for the tickets of work.
    public mutating func receive(
        _ event: SessionEvent, from principal: Principal? = nil, isNamed: Bool = false, at now: Instant,
        policy: SessionPolicy,
        randomness: inout Randomness
    ) -> Decision {
        #if DEBUG
            let before = self
        #endif
        var transition = Transition(now: now, policy: policy, randomness: randomness)
        // To consume the session would copy it.
        swap(&self, &transition.session)
        let decision = transition.decide(on: event, from: principal, isNamed: isNamed)
        swap(&self, &transition.session)
        randomness = transition.randomness
        #if DEBUG
            precondition(!decision.isIgnored || self == before, "an ignored event has changed the session: \(event)")
        #endif
        return decision
    }

    /// `true` if others have to agree to one of its requests, or have.
    package var hasApproval: Bool {
        active?.hasApproval == true || !suspended.isEmpty && suspended.contains { $0.hasApproval }
    }

    /// `true` if no request is active. Cheaper than to compare the active request with `nil`.
    package var isIdle: Bool { active?.step == nil }

    /// `true` if nothing has happened in the session that its owner or the person's side would know of.
    package var isBlank: Bool { sequence == 0 && isIdle && person.isEmpty }

    /// Whether a request of this id was accepted: it has not ended, or is still remembered.
    package func knows(_ request: Identifier) -> Bool {
        rememberedRequests.contains(request) || onceRequests.contains { $0.id == request }
            || active?.request.id == request
            || suspended.contains { $0.request.id == request } || queued.contains { $0.id == request }
    }
}
