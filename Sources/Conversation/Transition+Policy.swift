import IntentModel

// The intent's own policy, with the coordinator's as the default.
extension SessionPolicy {
    func timeout(of phase: Phase, _ policy: IntentPolicy?) -> Duration { policy?[phase].timeout ?? phaseTimeout }

    func announceAfter(_ phase: Phase, _ policy: IntentPolicy?) -> Duration? {
        policy?[phase].announceAfter ?? announceAfter
    }

    func inProgressTimeout(_ policy: IntentPolicy?) -> Duration { policy?.inProgressTimeout ?? inProgressTimeout }
}

extension ActiveRequest {
    var isAtMostOnce: Bool { policy?.effect == .atMostOnce }
}

extension Transition {
    func retryPolicy(_ active: ActiveRequest) -> RetryPolicy {
        active.phase.flatMap { active.policy?[$0].retry } ?? RetryPolicy(maximumAttempts: policy.maximumAttempts)
    }

    func mayRetry(_ active: ActiveRequest, _ failure: IntentFailure) -> Bool {
        if active.isCancelling { return false }
        // Work returned before a permit does not count as an attempt.
        if active.phase == .handle, active.isAtMostOnce, active.permit == nil { return true }
        let retry = retryPolicy(active)
        return (active.run.attempt < retry.maximumAttempts || !Rule.triesAreBounded.holds)
            && !retry.neverRetried.contains(failure.reason)
    }

    /// Tells the person, once, that a phase takes longer. The phase gets no more time.
    mutating func announce(_ active: ActiveRequest) {
        session.active?.stage.working?.announceAt = nil
        guard let phase = active.phase else { return }
        tell(.progressed(Progress(phase: phase, code: .inProgress)), about: active.request.id)
    }

    /// Ends waiting requests whose deadline has passed.
    ///
    /// - Returns: whether there were any.
    mutating func endWaiting() -> Bool {
        let late = session.queued.filter { $0.deadline ?? .distantFuture <= now }
        session.queued.removeAll { $0.deadline ?? .distantFuture <= now }
        let interrupted = session.suspended.filter { $0.request.deadline ?? .distantFuture <= now }
        session.suspended.removeAll { $0.request.deadline ?? .distantFuture <= now }
        for request in late.map({ ActiveRequest(request: $0, parameters: $0.parameters, began: now) }) + interrupted {
            let error = Rejection(.unexpected, "the request's deadline passed while it waited for its turn")
            complete(request, .timedOut, "requestTimedOut", error: error)
        }
        return !late.isEmpty || !interrupted.isEmpty
    }
}

extension Session {
    /// The earliest deadline of those that are queued or interrupted.
    var nextWaitingDeadline: Instant? {
        (queued.compactMap(\.deadline) + suspended.compactMap(\.request.deadline)).min()
    }
}

extension Instant {
    /// Later than any other time.
    static var distantFuture: Instant { .latest }
}
