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

    /// Notes what the intent asks of the conversation, if a resolver says so.
    ///
    /// - Returns: the active request, if it waits for this outcome.
    mutating func accepting(_ outcome: Outcome) -> ActiveRequest? {
        guard let active = session.active, active.request.id == outcome.request, active.phase == outcome.phase,
            active.step == outcome.step || !Rule.outcomesBelongToTheirStep.holds, active.retryAt == nil
        else { return nil }
        if let permit = active.permit, !outcome.isFrom(permit), Rule.permittedWorkHasOneWorker.holds { return nil }
        if outcome.phase == .resolve, let policy = outcome.policy { session.active?.traits.policy = policy }
        return session.active
    }

    mutating func starting(_ active: ActiveRequest, _ claim: String) {
        guard active.phase == .handle else {
            return end(.failure, .failure, error: Rejection(.unexpected, "only 'handle' can be claimed"))
        }
        if active.permit == claim { return ignore(.repeatedStart) }
        guard active.permit == nil || !Rule.oneClaimIsPermitted.holds else {
            noteAbandoned(active)
            effects.append(.work(.cancel(session.cancel(active, .handle, .ended))))
            return endUnknown()
        }
        if active.isCancelling { return end(.cancelled, "cancelled") }
        guard remembersOnce(active.request.id) else { return endUnremembered(active) }
        session.active?.stage.call?.permit = claim
        if let active = session.active { effects.append(.work(.permit(session.permit(active)))) }
    }

    mutating func endUnknown() { end(.failure, .failure, error: Self.outcomeUnknown) }

    /// Tells the worker that has the active request to stop, and remembers that it may still report an outcome.
    mutating func stop(_ active: ActiveRequest, _ reason: CancellationReason) {
        guard let phase = active.phase, active.retryAt == nil else { return }
        effects.append(.work(.cancel(session.cancel(active, phase, reason))))
        noteAbandoned(active)
    }

    /// Remembers a handler that is no longer waited for: if it still succeeds, the person is told.
    mutating func noteAbandoned(_ active: ActiveRequest) {
        guard Rule.lateSuccessesAreReported.holds, active.phase == .handle, active.retryAt == nil,
            !(active.isAtMostOnce && active.permit == nil)
        else { return }
        session.abandoned.append(
            AbandonedWork(
                request: active.request.id, intent: active.request.intent, step: active.step, ticket: active.ticket,
                trace: active.request.trace))
        if session.abandoned.count > policy.maximumAbandoned { session.abandoned.removeFirst() }
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
