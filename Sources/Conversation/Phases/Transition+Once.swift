import IntentModel

// A handler that may be called once, and outcomes that come too late.
//
// The worker asks before it calls the handler, with a unique claim. The first claim of a step is written down and permitted, and only the worker that has
// it calls the handler. A copy of the work, a second worker, or a restarted worker has another claim and is not permitted. It is then not known whether
// the first one has called the handler, so the request ends as `outcomeUnknown`.
extension Transition {
    static let outcomeUnknown = Rejection(
        .outcomeUnknown,
        "the handler was permitted to do it and its answer was lost: whether it has happened is not known, and it is not tried again"
    )

    /// `true` if the active request waits for this outcome.
    func isAwaited(_ outcome: Outcome) -> Bool {
        guard session.active?.stage.phase == outcome.phase,
            session.active?.step == outcome.step,  // rule: outcomesBelongToTheirStep
            session.active?.request.id == outcome.request, session.active?.stage.retryAt == nil
        else { return false }
        guard let permit = session.active?.stage.permit else { return true }  // rule: permittedWorkHasOneWorker
        return outcome.isFrom(permit)
    }

    mutating func starting(_ claim: String) {
        guard session.active?.stage.phase == .handle, let request = session.active?.request.id else {
            return end(.failure, .failure, error: Rejection(.unexpected, "only 'handle' can be claimed"))
        }
        if session.active?.stage.permit == claim { return ignore(.repeatedStart) }
        guard session.active?.stage.permit == nil else {  // rule: oneClaimIsPermitted
            noteAbandoned()
            cancelWork(.handle, .ended)
            return endUnknown()
        }
        if session.active?.stage.isCancelling == true { return end(.cancelled, "cancelled") }
        guard session.onceRequests.remember(request, at: now, policy) == .accepted else { return endUnremembered() }
        session.active?.stage.call?.permit = claim
        if let address = session.active?.address(.handle) {
            effects.append(.work(.permit(WorkPermit(address, claim: claim))))
        }
    }

    mutating func endUnknown() { end(.failure, .failure, error: Self.outcomeUnknown) }

    /// Tells the workers of the active request to stop.
    mutating func cancelWork(_ phase: Phase, _ reason: CancellationReason) {
        if let cancel = session.active?.cancel(phase, reason) { effects.append(.work(.cancel(cancel))) }
    }

    /// Tells the worker that has the active request to stop, and remembers that it may still report an outcome.
    mutating func stop(_ reason: CancellationReason) {
        guard let phase = session.active?.stage.phase, session.active?.stage.retryAt == nil else { return }
        cancelWork(phase, reason)
        noteAbandoned()
    }

    /// Remembers a handler that is no longer waited for: if it still succeeds, the person is told.
    mutating func noteAbandoned() {
        guard session.active?.stage.phase == .handle,  // rule: lateSuccessesAreReported
            session.active?.stage.retryAt == nil,
            session.active?.needsPermit == false, let active = session.active
        else { return }
        session.abandoned.append(
            AbandonedWork(
                request: active.request.id, intent: active.request.intent, step: active.step, ticket: active.ticket,
                trace: active.request.trace))
        if session.abandoned.count > policy.limits.maximumAbandoned { session.abandoned.removeFirst() }
    }

    /// Handles an outcome that no open step waits for.
    mutating func lateOutcome(_ outcome: Outcome) {
        guard outcome.phase == .handle,
            let index = session.abandoned.firstIndex(where: { $0.request == outcome.request && $0.step == outcome.step }
            )
        else { return ignore(.staleOutcome) }
        guard case .finished(.responded(let response, _)) = outcome.content, response.code == .success else {
            return ignore(.lateOutcome)
        }
        let work = session.abandoned.remove(at: index)
        tell(
            .lateOutcome(
                LateOutcome(
                    intent: work.intent, code: response.code, response: response.values, dialog: response.dialog)),
            about: work.request, trace: work.trace)
    }
}

extension Outcome {
    /// Whether it can be from the worker that was permitted to call the handler. A worker that has a copy of the work gives that back, or stops, without
    /// having asked: that says nothing about the call. Workers of earlier versions tell no claim.
    fileprivate func isFrom(_ permit: String) -> Bool {
        if case .starting = content { return true }
        return claim.map { $0 == permit } ?? !content.isGivenBack
    }
}

// Which requests a repeat is recognised of. Any handler gets the same idempotency key from a repeat; a once-only handler has no other protection. So such a
// request is known longer, and none of them is forgotten to make room for another.
extension Transition {
    /// Remembers the request, so that the same id is the same request.
    mutating func accept(_ request: Identifier) {
        session.rememberedRequests.append(request)
        if session.rememberedRequests.count > policy.limits.rememberedRequests {
            session.rememberedRequests.removeFirst()
        }
        session.onceRequests.forget(at: now)
    }

    /// Ends a request whose once-only handler was not called, because the session could not remember that it was.
    mutating func endUnremembered() {
        cancelWork(.handle, .ended)
        let first = session.onceRequests.map(\.until).min() ?? now
        end(
            .failure, .failure,
            error: Rejection(
                .busy,
                "the session remembers \(session.onceRequests.count) requests whose handlers may be called once, and has no room for another: ask again after "
                    + "\(first), or in another session"))
    }
}

// The once-only requests of a session.
extension [OnceRequest] {
    /// Remembers that the once-only handler of a request may be called from now on.
    ///
    /// - Returns: `refused` if the session has no room for one more; the handler must not be called then.
    mutating func remember(_ request: Identifier, at now: Instant, _ policy: SessionPolicy) -> Transition.Verdict {
        forget(at: now)
        if !contains(where: { $0.id == request }) {
            guard count < policy.limits.maximumOnceRequests else { return .refused }
            append(OnceRequest(id: request, until: now))
        }
        extend(request, at: now, policy)
        return .accepted
    }

    /// Begins the time of a request again: when its handler is permitted, and when it ends.
    mutating func extend(_ request: Identifier, at now: Instant, _ policy: SessionPolicy) {
        guard let index = firstIndex(where: { $0.id == request }) else { return }
        self[index].until = now.advanced(by: policy.onceRepeatTimeout)
    }

    fileprivate mutating func forget(at now: Instant) {
        if contains(where: { $0.until <= now }) { removeAll { $0.until <= now } }
    }
}
