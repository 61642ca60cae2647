import IntentModel

// A phase is dispatched to its workers.
extension Transition {
    /// How a phase begins.
    enum Dispatch {
        /// With neither answers nor records.
        case first
        /// The person has answered its question, or it moves to the app's workers: with its answers and what it has recorded.
        case again
        /// Another try: as ``again``, and within the time that it had.
        case retry
    }

    /// Dispatches the active request to the workers of a phase.
    mutating func dispatch(_ phase: Phase, _ how: Dispatch = .first) {
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
        if how == .first {
            active.notes = PhaseNotes()
            active.validUntil = nil
            if phase != .handle { active.items = [] }
        }
        if active.result != nil {
            active.result = nil
            active.redone += 1
        }
        active.step += 1
        active.retryAt = nil
        active.permit = nil
        if how == .retry {
            active.attempt += 1
        } else {
            active.attempt = 1
            active.stageEnds = now.advanced(by: policy.timeout(of: phase, active.policy))
            active.announceAt = policy.announceAfter(phase, active.policy).map { now.advanced(by: $0) }
        }
        session.active = active
        effects.append(.work(.item(session.workItem(active, phase))))
    }
}
