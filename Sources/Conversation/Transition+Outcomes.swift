import IntentModel

// A worker reports an outcome.
extension Transition {
    mutating func answeredByWorker(_ outcome: Outcome) {
        guard session.authorizes(outcome) || !Rule.outcomesNeedTheirTicket.holds else {
            return ignore(.unauthorizedOutcome)
        }
        guard let active = accepting(outcome) else {
            if !updated(outcome) { lateOutcome(outcome) }
            return
        }
        switch outcome.content {
        case .updated, .updatesEnded:
            protocolError("updates come after 'success', not before it")
        case .starting(let claim):
            starting(active, claim)
        case .cancelled:
            end(.cancelled, "cancelled")
        case .progressed(let fraction, let dialog):
            progressed(active, fraction: fraction, dialog: dialog)
        case .finished(.resolved(let parameters, let confirmation, let summary, let recorded)):
            if outcome.phase == .resolve {
                guard keep(recorded) else { return }
                session.active?.traits.confirmation = confirmation
                resolved(active, parameters, summary: summary)
            } else {
                protocolError("'\(outcome.phase.rawValue)' answered with resolutions")
            }
        case .finished(.responded(let response, let confirmation)):
            if let route = outcome.openedRoute { session.active?.openedRoute = route }
            if let memory = outcome.openedMemory { session.active?.openedMemory = memory }
            let active = applying(response.appliedAnswers) ?? active
            switch outcome.phase {
            case .resolve: protocolError("'resolve' answered with a response code")
            case .confirm: confirmed(active, response, confirmation)
            case .handle: handled(active, response, confirmation)
            }
        case .finished(.asked(let question)):
            asked(active, question, in: outcome.phase)
        case .finished(.failed(let failure)):
            failed(active, failure)
        }
    }

    mutating func unreadable(_ rejection: Rejection, _ ticket: Ticket?) {
        guard let active = session.active, active.phase != nil, active.retryAt == nil else {
            return ignore(.staleOutcome)
        }
        // What can't be read may be from anyone.
        guard active.ticket == nil || active.ticket == ticket else { return ignore(.unauthorizedOutcome) }
        end(.failure, .failure, error: active.permit == nil ? rejection : Self.outcomeUnknown)
    }

    /// No worker gets the work of a step. An earlier owner of the session may have dispatched the same work, so a handler may still succeed.
    mutating func workRefused(_ request: Identifier, _ step: Int, _ rejection: Rejection) {
        if let index = session.updates.firstIndex(where: { $0.isOpen && $0.request.id == request && $0.step == step }) {
            return stopUpdates(index, .invalid, rejection)
        }
        guard let active = session.active, active.request.id == request, active.step == step, active.phase != nil,
            active.retryAt == nil
        else { return ignore(.staleOutcome) }
        // A worker has it: what was refused is a repeat.
        if case .inProgress = active.stage { return ignore(.staleOutcome) }
        noteAbandoned(active)
        if active.permit != nil { return endUnknown() }
        if active.isCancelling { return end(.cancelled, "cancelled") }
        end(.failure, .failure, error: rejection)
    }

    private mutating func confirmed(
        _ active: ActiveRequest, _ response: IntentResponse, _ confirmation: ConfirmationRequest?
    ) {
        var confirmation = confirmation
        // Other values than those said need the person's confirmation.
        if confirmation == nil, !response.proposed.isEmpty {
            confirmation = ConfirmationRequest(dialog: response.dialog)
        }
        // No confirmer alone can leave out what the declaration demands.
        if confirmation == nil, Rule.resolversMayAskToConfirm.holds, var declared = active.traits.confirmation {
            declared.dialog = response.dialog ?? declared.dialog
            confirmation = declared
        }
        // What the person agrees to is said by the resolver, whatever the confirmer says of it.
        if response.proposed.isEmpty, let declared = active.traits.confirmation, let summary = declared.summary {
            confirmation?.summary = summary
            confirmation?.parameters = declared.parameters
        }
        session.active?.confirmed.activity = response.userActivity?.forRestoration
        session.active?.confirmed.items = response.items
        switch response.code {
        case .ready, .success:
            if let confirmation, Rule.confirmationsAreAsked.holds {
                askToConfirm(response, confirmation)
            } else {
                dispatch(.handle)
            }
        case .userConfirmationRequired:
            askToConfirm(response, confirmation ?? ConfirmationRequest(dialog: response.dialog))
        case .handleInApp:
            session.active?.run.isInApp = true
            if let confirmation { askToConfirm(response, confirmation) } else { offerInBackground(active, response) }
        case .continueInApp:
            offerInForeground(active, response)
        case let code where code.isFailure:
            endWithFailure(active, response)
        default:
            protocolError("'confirm' can't answer '\(response.code)'")
        }
    }

    private mutating func handled(
        _ active: ActiveRequest, _ response: IntentResponse, _ confirmation: ConfirmationRequest?
    ) {
        switch response.code {
        case .success, .partialSuccess:
            remember(response)
            if asksToChoose(active, response) { return }
            if response.offersUpdates { keepForUpdates(active) }
            end(.success, response.code, response: response)
        case .inProgress:
            progressed(active, fraction: nil, dialog: response.dialog)
        case .handleInApp where active.isCancelling && Rule.cancelledWorkIsNotHandedOver.holds,
            .continueInApp where active.isCancelling && Rule.cancelledWorkIsNotHandedOver.holds:
            // It was told to stop, and has done nothing yet: it must not be done elsewhere.
            end(.cancelled, "cancelled")
        case .handleInApp where !active.isInApp:
            session.active?.run.isInApp = true
            offerInBackground(active, response)
        case .continueInApp:
            offerInForeground(active, response)
        case let code where code.isFailure:
            if proposesInstead(active, response, confirmation) { return }
            endWithFailure(active, response)
        default:
            protocolError("'handle' can't answer '\(response.code)'")
        }
    }

    private mutating func progressed(_ active: ActiveRequest, fraction: Double?, dialog: String?) {
        guard active.phase == .handle else { return protocolError("only 'handle' can be in progress") }
        if case .inProgress = active.stage, fraction ?? 0 <= active.run.fraction ?? 0, fraction != nil || dialog == nil
        {
            return ignore(.repeatedProgress)
        }
        session.active?.stage = .inProgress(active.stage.call ?? ActiveRequest.HandlerCall())
        if let fraction { session.active?.run.fraction = fraction }
        if !active.isCancelling {
            session.active?.stageEnds = now.advanced(by: policy.inProgressTimeout(active.policy))
        }
        tell(
            .progressed(Progress(phase: .handle, code: .inProgress, fraction: fraction, dialog: dialog)),
            about: active.request.id)
    }

    private mutating func failed(_ active: ActiveRequest, _ failure: IntentFailure) {
        let rejection = Rejection(failure.reason, failure.message, field: failure.field)
        switch failure.disposition {
        case .retry(let delay) where delay >= .zero && mayRetry(active, failure):
            guard keep(failure.recorded) else { return }
            let own = retryPolicy(active).delay(before: active.run.attempt + 1)
            let working = ActiveRequest.Working(
                announceAt: active.announceAt, retryAt: now.advanced(by: max(delay, own)))
            if active.phase == .handle {
                session.active?.stage = .handling(working, ActiveRequest.HandlerCall())
            } else {
                session.active?.stage.working = working
            }
        case .retry:
            end(
                active.isCancelling ? .cancelled : .failure, active.isCancelling ? "cancelled" : .failure,
                error: rejection)
        // The person said no to a question of the handler's, or its task was cancelled.
        case .failure(.cancelled): end(.cancelled, .cancelled)
        case .failure(let code):
            let response = IntentResponse(code, userActivity: failure.activity)
            if code.requiresAppLaunch { offer(active, response, .foreground) }
            end(.failure, code, response: response, error: rejection)
        case .reject where takesBack(active, rejection): return
        case .reject where failure.reason == .unsupported:
            end(.unsupported, "noHandlerProvidedForIntent", error: rejection)
        case .reject: end(.failure, .failure, error: rejection)
        }
    }

    private mutating func endWithFailure(_ active: ActiveRequest, _ response: IntentResponse) {
        if response.code.requiresAppLaunch { offer(active, response, .foreground) }
        let error = response.code == .unspecified ? Rejection(.unexpected, "the handler answered 'unspecified'") : nil
        end(.failure, response.code, response: response, error: error)
    }

    /// A worker broke the rules of the phase: the person learns that it failed, the operator why.
    /// If the handler may be called once, it is not known what it has done.
    mutating func protocolError(_ message: String) {
        end(
            .failure, .failure, error: Rejection(session.active?.permit == nil ? .unexpected : .outcomeUnknown, message)
        )
    }
}

extension ParameterState.Origin {
    /// A value that the person picked keeps its origin when the resolver accepts it.
    var kept: ParameterState.Origin { self == .chosen || self == .confirmed ? self : .resolved }
}
