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
        if how == .first {
            // A resolver goes on in the next round with what it has recorded and was answered.
            if phase != .resolve || active.run.notes.phase != .resolve { active.run.notes = PhaseNotes() }
            active.confirmed.validUntil = nil
            if phase != .handle { active.confirmed.items = [] }
        }
        if active.result != nil {
            active.result = nil
            active.redone += 1
        }
        active.step += 1
        active.ticket = Ticket(using: &randomness)
        var working = ActiveRequest.Working()
        if how == .retry {
            active.run.attempt += 1
            working.announceAt = active.announceAt
        } else {
            active.run.attempt = 1
            active.stageEnds = now.advanced(by: policy.timeout(of: phase, active.policy))
            working.announceAt = policy.announceAfter(phase, active.policy).map { now.advanced(by: $0) }
        }
        switch phase {
        case .resolve: active.stage = .resolving(working)
        case .confirm: active.stage = .confirming(working)
        case .handle: active.stage = .handling(working, ActiveRequest.HandlerCall())
        }
        if phase != .handle { active.run.isInApp = false }
        session.active = active
        effects.append(.work(.item(session.workItem(active, phase, policy))))
    }
}
