import IntentKit

/// Ends a phase: with a return, an error, or an end that its code asked for.
extension IntentBinding {
    /// The outcome of a phase. An ending that the code has set in the scope overrides the handler's result.
    func finish(_ outcome: PhaseOutcome, _ intent: Subject, _ context: Context) -> PhaseOutcome {
        // Matching an outcome copies it, and most have nothing to add.
        if context.scope.isUntouched, !outcome.isFailure { return outcome }
        var outcome = outcome
        switch context.scope.ending {
        case nil: break
        case .asked(var question):
            if !question.kind.isSignIn {
                question.summary = summary.text(for: intent, locale: context.locale)
                question.parameters = inWords(intent, context.locale)
            }
            if question.kind == .confirmIntent {
                if question.action == nil { question.action = actionName.action(in: context.locale) }
            } else if let index = question.parameter.flatMap({ names.firstIndex(of: $0) }) {
                question.declaration = bindings[index].declaration(ofElement: false, in: context.locale)
            }
            question.recorded = context.scope.recorded
            return .asked(question)
        case .responded(let response): outcome = responded(response, intent, context)
        case .failed(let failure): outcome = .failed(failure)
        }
        switch outcome {
        case .resolved(let parameters, let confirmation, let summary, _) where !context.scope.recorded.isEmpty:
            return .resolved(parameters, confirmation: confirmation, summary: summary, recorded: context.scope.recorded)
        case .failed(var failure):
            failure.recorded = context.scope.recorded
            return .failed(failure)
        case .responded(var response, let confirmation) where !context.scope.invocation.answers.isEmpty:
            response.appliedAnswers = context.scope.appliedAnswers
            return .responded(response, confirmation: confirmation)
        default: return outcome
        }
    }

    /// The outcome for an error that a handler has thrown.
    ///
    /// - Parameter isUpdating: `true` if the handler was reporting updates, which are not the intent's effect.
    func outcome(of error: any Error, _ intent: Subject, _ context: Context, isUpdating: Bool = false) -> PhaseOutcome {
        let isOnce = context.phase == .handle && !isUpdating && policy.effect == .atMostOnce
        switch error {
        case let failure as IntentFailure: return .failed(checked(failure))
        case let error as any CustomAppIntentErrorConvertible:
            do {
                let response = try error.intentResponse.response(
                    to: intent, in: context.locale, names: context.scope.name(of:))
                return responded(response, intent, context)
            } catch { return .failed(error) }
        case let error as IntentDeclinedError:
            return .failed(IntentFailure(.failure(.cancelled), reason: .unexpected, message: error.description))
        case let error as RestartPerformError: return ended(intent, context) { try context.scope.restart(error.ask) }
        case let error as SignInRequiredError: return ended(intent, context) { try context.scope.signIn(error) }
        case let error as ContinueInForegroundError:
            return ended(intent, context) { try context.scope.continueInForeground(error) }
        case is PhaseEnded where context.scope.ending == nil:
            let message =
                "\(context.phase.rawValue) of \(name) threw the end of another phase: ask where the answer is needed"
            return .failed(IntentFailure(.failure(.failure), reason: .internal, message: message))
        case is CancellationError where !isOnce: return .failed(Self.cancelled)
        default:
            if Task.isCancelled, !isOnce { return .failed(Self.cancelled) }
            // Only the error's type is named, because the error's text may quote the person.
            let message = "\(isUpdating ? "the updates" : context.phase.rawValue) of \(name) threw \(type(of: error))"
            if isOnce {
                // The handler may have had its effect before it threw, even if it was cancelled, so it must not be
                // called again.
                return .failed(IntentFailure(.failure(.failure), reason: .outcomeUnknown, message: message))
            }
            return .failed(IntentFailure(.retry(after: .seconds(1)), reason: .internal, message: message))
        }
    }

    /// The failure, without an activity that breaks a rule.
    private func checked(_ failure: IntentFailure) -> IntentFailure {
        guard let violation = failure.activity?.violation else { return failure }
        var failure = failure
        failure.activity = nil
        failure.message += " (without its activity: \(violation.message))"
        return failure
    }

    /// The outcome for an error that asks a question. The question is in the scope afterwards.
    private func ended(_ intent: Subject, _ context: Context, _ body: () throws -> Never) -> PhaseOutcome {
        do { try body() } catch { return outcome(of: error, intent, context) }
    }

    private static var cancelled: IntentFailure {
        IntentFailure(.failure(.cancelled), reason: .unexpected, message: "cancelled while it was running")
    }

    /// The outcome for a response that a handler has thrown or set in the scope, instead of returning it.
    private func responded(_ response: IntentResponse, _ intent: Subject, _ context: Context) -> PhaseOutcome {
        do {
            if context.phase != .resolve { return .responded(try check(response, context)) }
            guard response.code.isFailure else {
                let message = "resolve of \(name) ended with '\(response.code)'; only a failure may end it"
                return .failed(IntentFailure(.failure(.failure), reason: .unexpected, message: message))
            }
            let message = response.dialog ?? "resolve of \(name) ended with '\(response.code)'"
            var failure = IntentFailure(.failure(response.code), reason: .unexpected, message: message)
            failure.activity = try check(response, context).userActivity
            if response.code.requiresAppLaunch, failure.activity == nil { failure.activity = defaultActivity(intent) }
            return .failed(failure)
        } catch {
            return .failed(error)
        }
    }
}

/// The rules for every response of confirm and handle, from Swift handlers and from fulfilments.
extension IntentBinding {
    /// Checks a response.
    ///
    /// - Returns: The response. A code that needs an activity may come without one: the coordinator adds confirm's, or one
    ///   that is named after the intent.
    func check(_ response: IntentResponse, _ context: Context) throws(IntentFailure) -> IntentResponse {
        var response = response
        switch (response.code, context.phase) {
        case (.unspecified, _), (.inProgress, .confirm), (.partialSuccess, .confirm), (.ready, .handle),
            (.userConfirmationRequired, .handle):
            throw wrong(
                .unexpected,
                "\(context.phase.rawValue) of \(name) ended with '\(response.code)', not a code of that phase")
        case (.handleInApp, .handle) where context.isInApp:
            throw wrong(.unexpected, "\(name) is already being handled in the app, so 'handleInApp' is not possible")
        default: break
        }
        if response.code == .continueInApp, context.phase == .confirm, continueInAppAtConfirm == .isFailure {
            response.code = .failureRequiringAppLaunch
        }
        if let validFor = response.validFor, validFor <= .zero {
            throw wrong(
                .unexpected, "\(context.phase.rawValue) of \(name) is valid for \(validFor); it has to be longer than 0"
            )
        }
        if let approval = response.approval {
            if let problem = approval.problem {
                throw wrong(.unexpected, "confirm of \(name) requires an approval that \(problem)", field: "approval")
            }
            if response.code == .continueInApp || response.code.isFailure {
                throw wrong(
                    .unexpected, "confirm of \(name) requires an approval and ends with '\(response.code)'",
                    field: "approval")
            }
        }
        if let activity = response.userActivity { try check(activity) }
        return response
    }

    /// The intent with the values that its confirmer or handler proposes.
    ///
    /// - Throws: A failure if there is no such parameter, or the value is not valid for the parameter.
    func applying(_ proposed: [String: JSON], to intent: Subject, _ context: Context) throws(IntentFailure) -> Subject {
        var intent = intent
        for (name, value) in proposed.sorted(by: { $0.key < $1.key }) {
            guard let index = names.firstIndex(of: name) else {
                throw wrong(
                    .unexpected,
                    "\(context.phase.rawValue) of \(self.name) proposes '\(name.prefix(80))', which is not one of its parameters"
                )
            }
            let given: Given?
            do {
                given = try bindings[index].decode(
                    ParameterState(name: name, value: value, origin: .confirmed), into: &intent, isResolving: false)
            } catch {
                given = nil
            }
            if given == nil || (given?.text != nil && !lookedUp.contains(index)) {
                throw wrong(
                    .unexpected, "\(context.phase.rawValue) of \(self.name) proposes a value that '\(name)' can't have",
                    field: "proposed.\(name)")
            }
        }
        return intent
    }

    /// The activity of an intent that fails before it is resolved: the coordinator does not yet know which values are
    /// secrets.
    func defaultActivity(_ intent: Subject) -> UserActivity {
        var values: [(String, JSON)] = []
        for binding in bindings { if let json = binding.json(in: intent) { values.append((binding.name, json)) } }
        return UserActivity(activityType: name, fitting: values)
    }

    private func check(_ activity: UserActivity) throws(IntentFailure) {
        guard let violation = activity.violation else { return }
        throw wrong(violation.reason, violation.message, field: violation.field)
    }

    private func wrong(_ reason: RejectionReason, _ message: String, field: String? = nil) -> IntentFailure {
        IntentFailure(.failure(.failure), reason: reason, message: message, field: field)
    }
}
