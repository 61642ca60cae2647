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
        if session.isIdle { return }
        if how == .first {
            // A resolver goes on in the next round with what it has recorded and was answered.
            if phase != .resolve || session.active?.run.notes.phase != .resolve {
                session.active?.run.notes = PhaseNotes()
            }
            session.active?.confirmed.validUntil = nil
            if phase != .handle { session.active?.confirmed.items = [] }
        }
        if session.active?.hasResult == true {
            session.active?.result = nil
            session.active?.redone += 1
        }
        session.active?.step += 1
        session.active?.ticket = Ticket(using: &randomness)
        var working = ActiveRequest.Working()
        if how == .retry {
            session.active?.run.attempt += 1
            working.announceAt = session.active?.announceAt
        } else {
            session.active?.run.attempt = 1
            let limits = session.active?.traits.policy?[phase]
            let ends = now.advanced(by: limits?.timeout ?? policy.phaseTimeout)
            session.active?.stageEnds = ends
            working.announceAt = (limits?.announceAfter ?? policy.announceAfter).map { now.advanced(by: $0) }
        }
        switch phase {
        case .resolve: session.active?.stage = .resolving(working)
        case .confirm: session.active?.stage = .confirming(working)
        case .handle: session.active?.stage = .handling(working, ActiveRequest.HandlerCall())
        }
        if phase != .handle { session.active?.run.isInApp = false }
        if let work = session.workItem(phase, policy) { effects.append(.work(.item(work))) }
    }
}
