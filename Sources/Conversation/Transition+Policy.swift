import IntentModel

// The intent's own policy, with the coordinator's as the default.
extension ActiveRequest {
    var isAtMostOnce: Bool { traits.policy?.effect == .atMostOnce }

    /// `true` if its handler may be called once, and no worker is permitted to call it yet.
    var needsPermit: Bool { isAtMostOnce && permit == nil }
}

extension Transition {
    var retryPolicy: RetryPolicy {
        session.active?.phase.flatMap { session.active?.traits.policy?[$0].retry }
            ?? RetryPolicy(maximumAttempts: policy.maximumAttempts)
    }

    func mayRetry(_ failure: IntentFailure) -> Bool {
        guard session.active?.isCancelling == false, let attempt = session.active?.run.attempt else { return false }
        // Work returned before a permit does not count as an attempt.
        if session.active?.phase == .handle, session.active?.needsPermit == true { return true }
        let retry = retryPolicy
        return (attempt < retry.maximumAttempts || !Rule.triesAreBounded.holds)
            && !retry.neverRetried.contains(failure.reason)
    }

    /// Tells the person, once, that a phase takes longer. The phase gets no more time.
    mutating func announce() {
        session.active?.stage.working?.announceAt = nil
        guard let phase = session.active?.phase else { return }
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
