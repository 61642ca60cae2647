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
            // The activity and the approval are about values that may change now.
            if phase == .resolve {
                session.active?.confirmed.activity = nil
                if session.active?.confirmed.$agreement.hasValue == true { session.active?.confirmed.agreement = nil }
            }
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
            working.announceAt = session.active?.stage.announceAt
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

// The intent's own policy, with the coordinator's as the default.
extension ActiveRequest {
    var isAtMostOnce: Bool { traits.policy?.effect == .atMostOnce }

    /// `true` if its handler may be called once, and no worker is permitted to call it yet.
    var needsPermit: Bool { isAtMostOnce && permit == nil }
}

extension Transition {
    var retryPolicy: RetryPolicy {
        session.active?.stage.phase.flatMap { session.active?.traits.policy?[$0].retry }
            ?? RetryPolicy(maximumAttempts: policy.limits.maximumAttempts)
    }

    func mayRetry(_ failure: IntentFailure) -> Bool {
        guard session.active?.stage.isCancelling == false, let attempt = session.active?.run.attempt else {
            return false
        }
        // Work returned before a permit does not count as an attempt.
        if session.active?.stage.phase == .handle, session.active?.needsPermit == true { return true }
        let retry = retryPolicy
        return attempt < retry.maximumAttempts && !retry.neverRetried.contains(failure.reason)  // rule: triesAreBounded
    }

    /// Tells the person, once, that a phase takes longer. The phase gets no more time.
    mutating func announce() {
        session.active?.stage.working?.announceAt = nil
        guard let phase = session.active?.stage.phase else { return }
        tell(.progressed(Progress(phase: phase, code: .inProgress)), about: session.active?.request.id)
    }

    /// Ends waiting requests whose deadline has passed.
    ///
    /// - Returns: `notMine` if there is none.
    mutating func endWaiting() -> Handled {
        guard let deadline = session.nextWaitingDeadline, deadline <= now else { return .notMine }
        let late = session.queued.filter { $0.deadline ?? .distantFuture <= now }
        session.queued.removeAll { $0.deadline ?? .distantFuture <= now }
        let interrupted = session.suspended.filter { $0.request.deadline ?? .distantFuture <= now }
        session.suspended.removeAll { $0.request.deadline ?? .distantFuture <= now }
        for request in late.map({ ActiveRequest(request: $0, parameters: $0.parameters, began: now) }) + interrupted {
            let error = Rejection(.unexpected, "the request's deadline passed while it waited for its turn")
            complete(request, .timedOut, "requestTimedOut", error: error)
        }
        return .handled
    }
}

extension Session {
    /// The earliest deadline of those that are queued or interrupted.
    var nextWaitingDeadline: Instant? {
        if queued.isEmpty, suspended.isEmpty { return nil }
        return (queued.compactMap(\.deadline) + suspended.compactMap(\.request.deadline)).min()
    }
}

extension Instant {
    /// Later than any other time.
    static var distantFuture: Instant { .latest }
}
