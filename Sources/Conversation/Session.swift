import IntentModel

/// One conversation: what was asked for, where it stands, and what happens next.
///
/// A value without side effects: ``receive(_:at:policy:)`` takes what happened and says what to do. The same events at the same times make the same
/// session, on any machine.
public struct Session: Sendable, Hashable {
    /// 1 to 128 characters, none of them a control character.
    public let id: String
    /// The number of the last result; 0 before the first.
    public var sequence: Int
    /// What is being worked on; `nil` is the idle state, which can transition to `resolving` (a request), or end the session.
    public var active: ActiveRequest?
    /// Interrupted requests; the last one goes on first.
    public var suspended: [ActiveRequest]
    /// Requests that wait, in the order in which they came.
    public var queued: [IntentRequest]
    /// What apps may take up, or have taken up.
    public var handoffs: [Handoff]
    /// The ids of the last requests, oldest first.
    public var rememberedRequests: [String]
    /// What its requests said, by the keys under which their parameters are remembered.
    public var memory = SessionMemory()
    /// Requests that ended while a handler was still at them, oldest first.
    public var unanswered: [UnansweredWork] = []
    /// Requests that have succeeded and whose handlers can tell how things go on, oldest first.
    public var updates: [LiveUpdates] = []
    /// Somebody ends it from outside: it takes nothing more, and is forgotten when all that it had is completed.
    public var ending: SessionEnding?
    /// When the last event that changed it came.
    public var updated: Instant

    public init(
        id: String, sequence: Int = 0, active: ActiveRequest? = nil, suspended: [ActiveRequest] = [], queued: [IntentRequest] = [],
        handoffs: [Handoff] = [], rememberedRequests: [String] = [], updated: Instant
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
        if ending != nil, active == nil { return updated }
        let next = active?.nextTimer ?? nextUpdatesTimer ?? updated.advanced(by: policy.idleTimeout)
        return min(handoffs.reduce(next) { min($0, $1.expires) }, nextWaitingDeadline ?? next, nextUpdatesTimer ?? next)
    }

    /// The work that is given out and not answered yet: what to give out again after a crash.
    public var outstandingWork: [WorkItem] {
        guard let active, let phase = active.phase, active.retryAt == nil else { return outstandingUpdates }
        var open = [active.permit == nil ? workItem(active, phase) : permitItem(active)]
        if active.isCancelling { open.append(cancelItem(active, phase, active.cancelReason ?? .person)) }
        return open + outstandingUpdates
    }

    /// Takes what happened, and says what to do. If the answer is only ``Effect/ignored(_:)``, the session is as it was; no effect at all
    /// means that it changed and nobody needs to hear of it yet.
    ///
    /// - Parameters:
    ///   - now: when it happened, as the session's owner sees it. Written down with the decision, so that repeating it changes nothing.
    ///   - policy: times and bounds.
    public mutating func receive(_ event: SessionEvent, at now: Instant, policy: SessionPolicy) -> [Effect] {
        var turn = Turn(session: self, now: now, policy: policy)
        turn.receive(event)
        if !turn.effects.isIgnored {
            turn.session.updated = max(now, updated)
            self = turn.session
        }
        return turn.effects
    }

    /// Whether a request of this id was accepted: it has not ended, or is still remembered.
    func knows(_ request: String) -> Bool {
        rememberedRequests.contains(request) || active?.request.id == request || suspended.contains { $0.request.id == request }
            || queued.contains { $0.id == request }
    }

    func workItem(_ active: ActiveRequest, _ phase: Phase) -> WorkItem {
        let kind: WorkItem.Kind =
            switch phase {
            case .resolve: .resolve
            case .confirm: .confirm
            case .handle: .handle
            }
        var item = WorkItem(
            kind: kind, phase: phase, isInApp: active.isInApp && phase == .handle, request: active.request.id, step: active.step,
            attempt: active.attempt, intent: active.request.intent, parameters: active.parameters,
            deadline: min(active.stageEnds, active.request.deadline ?? active.stageEnds),
            idempotencyKey: Self.key(session: id, request: active.request.id, call: active.redone + 1),
            locale: active.request.locale, attributes: active.request.attributes, trace: active.request.trace)
        item.answers = active.notes.answers
        item.recorded = active.notes.recorded
        item.memory = memory.values
        if phase == .handle, active.isAtMostOnce { item.effect = .atMostOnce }
        return item
    }

    /// What a request is known by beyond its session: both with a slash between them. A slash in the session's id is escaped, so no two requests
    /// anywhere share a key.
    ///
    /// - Parameter call: which of the request's calls, from 1, if it was handled again with other values. It stands before the slash, behind a percent sign that
    ///   escapes nothing: a request's id may be anything, so nothing behind the slash could tell it from one.
    public static func key(session id: String, request: String, call: Int = 1) -> String {
        if call > 1 {
            let key = key(session: id, request: request)
            let slash = key.firstIndex(of: "/") ?? key.endIndex
            return "\(key[..<slash])%call\(call)\(key[slash...])"
        }
        guard id.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "%") }) else { return "\(id)/\(request)" }
        let escaped = id.unicodeScalars.map { $0 == "/" ? "%2F" : $0 == "%" ? "%25" : String($0) }
        return "\(escaped.joined())/\(request)"
    }

    /// - Parameter reason: told to the handler, with the time that it has to clean up if anyone waits for its answer.
    func cancelItem(_ active: ActiveRequest, _ phase: Phase, _ reason: CancellationReason) -> WorkItem {
        var item = WorkItem(
            kind: .cancel, phase: phase, isInApp: active.isInApp && phase == .handle, request: active.request.id, step: active.step,
            intent: active.request.intent, deadline: active.isCancelling ? active.stageEnds : nil, trace: active.request.trace)
        item.reason = reason
        return item
    }
}

/// One event being decided on.
struct Turn {
    var session: Session
    let now: Instant
    let policy: SessionPolicy
    var effects: [Effect] = []

    init(session: Session, now: Instant, policy: SessionPolicy) {
        self.session = session
        self.now = now
        self.policy = policy
    }

    mutating func receive(_ event: SessionEvent) {
        switch event {
        case .requested(let request): requested(request)
        case .answered(let answer): answered(answer)
        case .corrected(let correction): corrected(correction)
        case .cancelled(let request): cancelled(request)
        case .handoffClaimed(let handoff, let claimant): claimed(handoff, by: claimant)
        case .handoffCompleted(let handoff, let claimant, let response): handoffCompleted(handoff, by: claimant, response)
        case .forgotten(let keys): forget(keys)
        case .ended(let reason): endSession(reason)
        case .handoffReturned(let handoff, let claimant): handoffReturned(handoff, by: claimant)
        case .updatesStarted(let request): updatesStarted(request)
        case .updatesStopped(let request): updatesStopped(request)
        case .outcome(let outcome): answeredByWorker(outcome)
        case .unreadableOutcome(let rejection): unreadable(rejection)
        case .refused(let rejection): reject(rejection)
        case .timer: timePassed()
        }
    }

    /// - Parameter trace: where the request stands; that of the active request unless given.
    mutating func tell(_ body: SessionResult.Body, about request: String?, trace: TraceContext? = nil) {
        session.sequence += 1
        let trace = trace ?? (request == session.active?.request.id ? session.active?.request.trace : nil)
        effects.append(.result(SessionResult(sequence: session.sequence, request: request, body: body, trace: trace)))
    }

    mutating func ignore(_ why: Ignored) { effects.append(.ignored(why)) }

    mutating func reject(_ rejection: Rejection, about request: String? = nil) { tell(.rejected(rejection), about: request) }

    /// Gives the active request to the workers of a phase.
    ///
    /// - Parameter again: the phase was given out before and goes on, with its answers and what it has recorded. Otherwise it begins with neither.
    mutating func giveOut(_ phase: Phase, again: Bool = false) {
        guard var active = session.active else { return }
        switch phase {
        case .resolve:
            active.stage = .resolving
            active.isInApp = false
        case .confirm:
            active.stage = .confirming
            active.isInApp = false
        case .handle: active.stage = .handling
        }
        if !again {
            active.notes = PhaseNotes()
            active.validUntil = nil
            if phase != .handle { active.items = [] }
        }
        if active.result != nil {
            active.result = nil
            active.redone += 1
        }
        active.attempt = 1
        active.step += 1
        active.retryAt = nil
        active.permit = nil
        active.stageEnds = now.advanced(by: policy.timeout(of: phase, active.policy))
        active.announceAt = policy.announceAfter(phase, active.policy).map { now.advanced(by: $0) }
        session.active = active
        effects.append(.work(session.workItem(active, phase)))
    }
}
