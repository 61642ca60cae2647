import IntentModel

// A worker reports an outcome.
extension Transition {
    mutating func answeredByWorker(_ outcome: Outcome) {
        guard session.authorizes(outcome) else {  // rule: outcomesNeedTheirTicket
            return ignore(.unauthorizedOutcome)
        }
        guard isAwaited(outcome) else {
            if update(by: outcome) == .notMine { lateOutcome(outcome) }
            return
        }
        if outcome.phase == .resolve, let policy = outcome.policy { session.active?.traits.policy = policy }
        switch outcome.content {
        case .updated, .updatesEnded:
            protocolError("updates come after 'success', not before it")
        case .starting(let claim):
            starting(claim)
        case .cancelled:
            end(.cancelled, "cancelled")
        case .progressed(let fraction, let dialog):
            progressed(fraction: fraction, dialog: dialog)
        case .finished(.resolved(let parameters, let confirmation, let summary, let recorded)):
            guard outcome.phase == .resolve else {
                return protocolError("'\(outcome.phase.rawValue)' answered with resolutions")
            }
            guard record(recorded) == .accepted else { return }
            session.active?.traits.confirmation = confirmation
            resolved(parameters, summary: summary)
        case .finished(.responded(let response, let confirmation)):
            if outcome.phase == .handle, response.code == .inProgress,
                isRepeated(fraction: nil, dialog: response.dialog)
            {
                return ignore(.repeatedProgress)
            }
            if let route = outcome.openedRoute { session.active?.openedRoute = route }
            if let memory = outcome.openedMemory { session.active?.openedMemory = memory }
            apply(response.appliedAnswers)
            switch outcome.phase {
            case .resolve: protocolError("'resolve' answered with a response code")
            case .confirm: confirmed(response, confirmation)
            case .handle: handled(response, confirmation)
            }
        case .finished(.asked(let question)):
            asked(question, in: outcome.phase)
        case .finished(.failed(let failure)):
            failed(failure)
        }
    }

    mutating func unreadable(_ rejection: Rejection, _ ticket: Ticket?) {
        guard session.active?.stage.phase != nil, session.active?.stage.retryAt == nil else {
            return ignore(.staleOutcome)
        }
        // What can't be read may be from anyone.
        if let known = session.active?.ticket, known != ticket { return ignore(.unauthorizedOutcome) }
        end(.failure, .failure, error: session.active?.stage.permit == nil ? rejection : Self.outcomeUnknown)
    }

    /// No worker gets the work of a step. An earlier owner of the session may have dispatched the same work, so a handler may still succeed.
    mutating func workRefused(_ request: Identifier, _ step: Int, _ rejection: Rejection) {
        if let index = session.updates.open(request, step) {
            return stopUpdates(index, .invalid, rejection)
        }
        guard session.active?.stage.phase != nil, session.active?.step == step, session.active?.request.id == request,
            session.active?.stage.retryAt == nil
        else { return ignore(.staleOutcome) }
        // A worker has it: what was refused is a repeat.
        if session.active?.stage.name == .inProgress { return ignore(.staleOutcome) }
        noteAbandoned()
        if session.active?.stage.permit != nil { return endUnknown() }
        if session.active?.stage.isCancelling == true { return end(.cancelled, "cancelled") }
        end(.failure, .failure, error: rejection)
    }

    private mutating func confirmed(_ response: IntentResponse, _ asked: ConfirmationRequest?) {
        var confirmation = asked
        // Other values than those said need the person's confirmation.
        if asked == nil, !response.proposed.isEmpty { confirmation = ConfirmationRequest(dialog: response.dialog) }
        if confirmation == nil, session.active?.asking.inWords.mustAgree == true || response.approval != nil {
            confirmation = ConfirmationRequest(dialog: response.dialog)
        }
        if let declared = session.active?.traits.confirmation {
            // No confirmer alone can leave out what the declaration demands.
            if confirmation == nil {  // rule: resolversMayAskToConfirm
                confirmation = declared
                confirmation?.dialog = response.dialog ?? declared.dialog
            }
            // What the person agrees to is said by the resolver, whatever the confirmer says of it.
            if response.proposed.isEmpty, let summary = declared.summary {
                confirmation?.summary = summary
                confirmation?.parameters = declared.parameters
            }
            if let approval = declared.approval { confirmation?.approval = approval }
        }
        if let approval = response.approval { confirmation?.approval = approval }
        // A confirm that runs again for the same values may leave the activity out.
        let activity = response.userActivity ?? session.active?.confirmed.activity
        session.active?.confirmed.activity = activity?.forRestoration
        session.active?.confirmed.items = response.items
        switch response.code {
        case .ready, .success:
            if let confirmation {  // rule: confirmationsAreAsked
                askToConfirm(response, confirmation)
            } else {
                dispatch(.handle)
            }
        case .userConfirmationRequired:
            askToConfirm(response, confirmation ?? ConfirmationRequest(dialog: response.dialog))
        case .handleInApp:
            session.active?.run.isInApp = true
            if let confirmation {
                askToConfirm(response, confirmation)
            } else {
                offerInBackground(response, activity)
            }
        case .continueInApp where confirmation?.approval != nil:
            protocolError("'confirm' can't hand the intent over to an app before others have agreed")
        case .continueInApp:
            offerInForeground(response, activity)
        case let code where code.isFailure:
            endWithFailure(response, activity)
        default:
            protocolError("'confirm' can't answer '\(response.code)'")
        }
    }

    private mutating func handled(_ response: IntentResponse, _ confirmation: ConfirmationRequest?) {
        let activity = response.userActivity ?? session.active?.confirmed.activity
        switch response.code {
        case .success, .partialSuccess:
            // Updates get what was remembered before the handler has answered.
            let active = response.offersUpdates ? session.active : nil
            remember(response)
            if askToChoose(response) == .handled { return }
            if let active { session.updates.keep(active, at: now, maximum: policy.limits.maximumUpdates) }
            end(.success, response.code, response: response)
        case .inProgress:
            progressed(fraction: nil, dialog: response.dialog)
        case .handleInApp where session.active?.stage.isCancelling == true,  // rule: cancelledWorkIsNotHandedOver
            .continueInApp where session.active?.stage.isCancelling == true:  // rule: cancelledWorkIsNotHandedOver
            // It was told to stop, and has done nothing yet: it must not be done elsewhere.
            end(.cancelled, "cancelled")
        case .handleInApp where session.active?.isInApp == false:
            session.active?.run.isInApp = true
            offerInBackground(response, activity)
        case .continueInApp:
            offerInForeground(response, activity)
        case let code where code.isFailure:
            if proposeInstead(response, confirmation) == .notMine { endWithFailure(response, activity) }
        default:
            protocolError("'handle' can't answer '\(response.code)'")
        }
    }

    private mutating func progressed(fraction: Double?, dialog: String?) {
        guard session.active?.stage.phase == .handle, let request = session.active?.request.id else {
            return protocolError("only 'handle' can be in progress")
        }
        if isRepeated(fraction: fraction, dialog: dialog) { return ignore(.repeatedProgress) }
        let call = session.active?.stage.call ?? ActiveRequest.HandlerCall()
        session.active?.stage = .inProgress(call)
        if let fraction { session.active?.run.fraction = fraction }
        if session.active?.stage.isCancelling == false {
            let timeout = session.active?.traits.policy?.inProgressTimeout ?? policy.inProgressTimeout
            session.active?.stageEnds = now.advanced(by: timeout)
        }
        tell(
            .progressed(Progress(phase: .handle, code: .inProgress, fraction: fraction, dialog: dialog)),
            about: request)
    }

    /// `true` if the person was told this progress before.
    private func isRepeated(fraction: Double?, dialog: String?) -> Bool {
        guard session.active?.stage.name == .inProgress else { return false }
        return fraction ?? 0 <= session.active?.run.fraction ?? 0 && (fraction != nil || dialog == nil)
    }

    private mutating func failed(_ failure: IntentFailure) {
        let rejection = Rejection(failure.reason, failure.message, field: failure.field)
        let isCancelling = session.active?.stage.isCancelling == true
        switch failure.disposition {
        case .retry(let delay) where delay >= .zero && mayRetry(failure): retry(failure, after: delay)
        case .retry:
            end(isCancelling ? .cancelled : .failure, isCancelling ? "cancelled" : .failure, error: rejection)
        // The person said no to a question of the handler's, or its task was cancelled.
        case .failure(.cancelled): end(.cancelled, .cancelled)
        case .failure(let code):
            let response = IntentResponse(code, userActivity: failure.activity)
            if code.requiresAppLaunch {
                offer(response, .foreground, failure.activity ?? session.active?.confirmed.activity)
            }
            end(.failure, code, response: response, error: rejection)
        case .reject:
            if revertRejectedAnswer(rejection) == .handled { return }
            if failure.reason == .unsupported {
                end(.unsupported, "noHandlerProvidedForIntent", error: rejection)
            } else {
                end(.failure, .failure, error: rejection)
            }
        }
    }

    private mutating func retry(_ failure: IntentFailure, after delay: Duration) {
        guard record(failure.recorded) == .accepted, let attempt = session.active?.run.attempt else { return }
        let working = ActiveRequest.Working(
            announceAt: session.active?.stage.announceAt,
            retryAt: now.advanced(by: max(delay, retryPolicy.delay(before: attempt + 1))))
        if session.active?.stage.phase == .handle {
            session.active?.stage = .handling(working, ActiveRequest.HandlerCall())
        } else {
            session.active?.stage.working = working
        }
    }

    private mutating func endWithFailure(_ response: IntentResponse, _ activity: UserActivity?) {
        if response.code.requiresAppLaunch { offer(response, .foreground, activity) }
        let error = response.code == .unspecified ? Rejection(.unexpected, "the handler answered 'unspecified'") : nil
        end(.failure, response.code, response: response, error: error)
    }

    /// A worker broke the rules of the phase: the person learns that it failed, the operator why.
    /// If the handler may be called once, it is not known what it has done.
    mutating func protocolError(_ message: String) {
        end(
            .failure, .failure,
            error: Rejection(session.active?.stage.permit == nil ? .unexpected : .outcomeUnknown, message)
        )
    }
}

extension ParameterState.Origin {
    /// A value that the person picked keeps its origin when the resolver accepts it.
    var kept: ParameterState.Origin { self == .chosen || self == .confirmed ? self : .resolved }
}
