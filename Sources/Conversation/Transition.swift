import IntentModel

/// One event being decided on.
struct Transition {
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
    mutating func dispatch(_ phase: Phase, again: Bool = false) {
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
