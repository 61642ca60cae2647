import IntentKit

extension IntentBinding {
    func perform(
        _ invocation: IntentInvocation, by server: any IntentExtension, _ spokenValues: (any SpokenValueReading)?,
        report: @escaping @Sendable (IntentProgress) -> Void
    ) async -> PhaseOutcome {
        let scope = PhaseScope(
            invocation.context, phase: invocation.phase, names: names, identities: identities,
            parameters: invocation.parameters,
            spokenValues: spokenValues)
        let context = Context(scope, report: report)
        return await Context.$current.withValue(context) {
            var intent = prototype
            do {
                try authenticate(invocation, context)
                let invocation =
                    invocation.context.said.isEmpty ? invocation : await splitting(invocation, spokenValues)
                let parameters =
                    invocation.context.answers.isEmpty
                    ? invocation.parameters : try await applyAnswers(invocation, context)
                let isResolving = invocation.phase == .resolve
                if isResolving, let zone = context.timeZone, !context.knowsTimeZone {
                    throw IntentFailure(
                        .reject, reason: .invalid,
                        message: "'\(zone)' is no time zone of the IANA database, such as Europe/Amsterdam",
                        field: "timeZone")
                }
                var given = try decode(parameters, into: &intent, isResolving: isResolving)
                for answer in invocation.context.said {
                    if let index = names.firstIndex(where: { $0 == answer.parameter }) { given[index].add(answer) }
                }
                for index in lookedUp {
                    do {
                        try await bindings[index].lookUp(&intent, &given[index], isResolving: isResolving, context)
                    } catch let failure as IntentFailure where !isResolving && given[index].origin == .given {
                        guard try await applyEarlierAnswer(parameters, index, &intent, &given[index], context) else {
                            throw failure
                        }
                    }
                }
                if !isResolving {
                    for index in 0..<names.count where given[index].text != nil && given[index].origin == .given {
                        _ = try await applyEarlierAnswer(parameters, index, &intent, &given[index], context)
                    }
                }
                let handling = try handling(by: try handler(of: server, for: intent, isInApp: context.isInApp))
                if invocation.isUpdating {
                    return finish(try await sendUpdates(handling, intent, given, context, report), intent, context)
                }
                return finish(try await run(handling, intent, given, context), intent, context)
            } catch {
                return finish(outcome(of: error, intent, context, isUpdating: invocation.isUpdating), intent, context)
            }
        }
    }

    private func handler(
        of server: any IntentExtension, for intent: Subject, isInApp: Bool
    ) throws(IntentFailure) -> any IntentHandler {
        if let handler = isInApp ? server.application(handlerFor: intent) : server.handler(for: intent) {
            return handler
        }
        if let performer { return performer }
        throw IntentFailure(
            .reject, reason: .unsupported, message: "\(server.typeName) has no handler for '\(name)' at present")
    }

    func bind(_ parameters: [ParameterState]) throws(IntentFailure) -> any Intent {
        var intent = prototype
        _ = try decode(parameters, into: &intent, isResolving: false)
        return intent
    }

    /// Decodes the values that can be converted into the intent.
    private func decode(
        _ parameters: [ParameterState], into intent: inout Subject, isResolving: Bool
    ) throws(IntentFailure) -> [Given] {
        var given = Array(repeating: Given(), count: bindings.count)
        for state in parameters {
            guard let index = names.firstIndex(of: state.name) else {
                let all = names.isEmpty ? "none" : names.joined(separator: ", ")
                let unknown = state.name.prefix(80)
                let message = "\(name) has no parameter '\(unknown)'; it has \(all)"
                throw IntentFailure(.reject, reason: .invalid, message: message, field: "parameters.\(unknown)")
            }
            if let noneWords, state.origin == .given, let said = state.value?.view.string,
                noneWords[index].contains(TextFolding.fold(said))
            {
                given[index] = Given(origin: .notRequired, isNone: true)
            } else {
                given[index] = try bindings[index].decode(state, into: &intent, isResolving: isResolving)
                if state.hasProvenance, state.origin == .given {
                    given[index].confidence = state.provenance?.confidence
                }
            }
        }
        return given
    }

    /// The handling of this intent by a handler.
    ///
    /// - Throws: A failure if the handler does not handle this intent.
    func handling(by handler: any IntentHandler) throws(IntentFailure) -> any IntentHandling {
        func handles<Handling: IntentHandling>(_ handling: Handling) -> Bool {
            Handling.IntentType.self == Subject.self
        }
        func name<Handling: IntentHandling>(_ handling: Handling) -> String { "\(Handling.IntentType.self)" }
        let handlings = handler.handlings
        for handling in handlings where handles(handling) { return handling }
        let handled = handlings.isEmpty ? "nothing" : handlings.map { name($0) }.joined(separator: ", ")
        let message = "\(type(of: handler)) was returned for '\(self.name)' but handles \(handled)"
        throw IntentFailure(.failure(.failure), reason: .internal, message: message)
    }

    /// Runs the phase. Generic, to open the handler's existential type.
    private func run<Handler: IntentHandling>(
        _ handler: Handler, _ intent: Subject, _ given: [Given], _ context: Context
    ) async throws -> PhaseOutcome {
        guard let definition = self as? IntentBinding<Handler.IntentType>, let intent = intent as? Handler.IntentType
        else {
            throw IntentFailure(
                .failure(.failure), reason: .internal, message: "\(Handler.self) does not handle '\(name)'")
        }
        switch context.phase {
        case .resolve: return try await definition.resolve(handler, intent, given, context)
        case .confirm: return try await definition.confirm(handler, intent, given, context)
        case .handle: return try await definition.handle(handler, intent, given, context)
        }
    }

    private func confirm(
        _ handler: some IntentHandling<Subject>, _ intent: Subject, _ given: [Given], _ context: Context
    ) async throws -> PhaseOutcome {
        let intent = try complete(intent, given, context)
        let response = try check(
            wire(try await handler.confirm(intent, context: context), intent, context), context)
        let isReady = response.code == .ready || response.code == .success
        let isOther = !response.proposed.isEmpty && (isReady || response.code == .handleInApp)
        let asks =
            response.code == .userConfirmationRequired || isOther || response.approval != nil
            || (isReady && confirmation.asks(about: intent))
        guard asks else { return .responded(response) }
        let meant = try applying(response.proposed, to: intent, context)
        return .responded(response, confirmation: confirmationRequest(dialog: response.dialog, about: meant, context))
    }

    private func handle(
        _ handler: some IntentHandling<Subject>, _ intent: Subject, _ given: [Given], _ context: Context
    ) async throws -> PhaseOutcome {
        let intent = try complete(intent, given, context)
        let result = try await handler.handle(intent, context: context)
        var response = try wire(result, intent, context)
        if response.code == .success, handler is any LiveUpdating { response.offersUpdates = true }
        if isUndoable, response.undo == nil, response.code == .success || response.code == .partialSuccess {
            response.undo = (intent as? any UndoableIntent)?.undoOffer(after: result, in: context.locale)
        }
        return try handled(response, intent, context) {
            confirmationRequest(dialog: response.dialog, about: $0, context)
        }
    }

    private func wire<Phase>(_ response: PhaseResponse<Phase>, _ intent: Subject, _ context: Context)
        throws(IntentFailure)
        -> IntentResponse
    {
        try response.response(to: intent, in: context.locale, names: context.scope.name(of:))
    }

    /// The outcome for an immediate or a deferred response of handle.
    ///
    /// - Parameter request: Makes the confirmation request for the intent with the values that the response proposes.
    func handled(
        _ response: IntentResponse, _ intent: Subject, _ context: Context, _ request: (Subject) -> ConfirmationRequest
    ) throws(IntentFailure) -> PhaseOutcome {
        let response = try check(response, context)
        if !response.code.isFailure || response.proposed.isEmpty { return .responded(response) }
        let meant = try applying(response.proposed, to: intent, context)
        return .responded(response, confirmation: request(meant))
    }

    /// The outcome for a response that arrives after handle has ended with `inProgress`. The intent's values are no
    /// longer known, so a proposal has no sentence.
    func deferred(_ response: IntentResponse, _ context: Context) throws(IntentFailure) -> PhaseOutcome {
        try handled(response, prototype, context) { _ in ConfirmationRequest(dialog: response.dialog) }
    }

    /// Checks before confirm and handle that every required parameter has a value, and that the declaration allows the
    /// values of the work item: a handler does not depend on the resolver for that.
    func complete(_ intent: Subject, _ given: [Given], _ context: Context) throws(IntentFailure) -> Subject {
        var intent = intent
        for index in 0..<names.count {
            if given[index].origin == .notRequired, bindings[index].omitValue(in: &intent) { continue }
            let problem: String
            switch given[index].reading {
            case .stored(let reading) where reading.isAllowed: continue
            case .text, .refused: problem = "can't be read"
            case .open, .stored, .value, .items:
                if !bindings[index].complete(&intent, context) {
                    problem = "is required and has no value"
                } else if given[index].json != nil, let violation = bindings[index].violation(in: intent) {
                    problem = violation
                } else {
                    continue
                }
            }
            let message =
                "parameters.\(names[index]) \(problem): \(name) has to be resolved before \(context.phase.rawValue)"
            throw IntentFailure(.reject, reason: .unexpected, message: message, field: "parameters.\(names[index])")
        }
        return intent
    }
}

extension IntentBinding {
    /// Asks a person who is not sufficiently authenticated to sign in, before any of the handler's code runs. Rejects
    /// the intent if the person does not sign in.
    func authenticate(_ invocation: IntentInvocation, _ context: Context) throws {
        guard authenticationPolicy != .alwaysAllowed else { return }
        guard let missing = authenticationPolicy.missing(from: context.principal, attributes: context.attributes) else {
            return
        }
        let question = "authentication"
        if !invocation.isUpdating, context.scope.answer(to: question)?.isAccepted != false {
            var signIn = signIn
            signIn.requires = authenticationPolicy.requirement
            throw try context.scope.suspend(question, signIn, nil)
        }
        var failure = IntentFailure(
            .failure(.failureRequiringInAppAuthentication), reason: .unauthorized,
            message: "\(name) needs \(missing.message)",
            field: missing.field)
        if context.phase == .resolve {
            var intent = prototype
            _ = try decode(invocation.parameters, into: &intent, isResolving: false)
            failure.activity = defaultActivity(intent)
        }
        throw failure
    }
}

/// Reports updates from a handler after the intent has succeeded.
extension IntentBinding {
    /// - Returns: `success` once the handler has reported its last update.
    func sendUpdates(
        _ handler: any IntentHandling, _ intent: Subject, _ given: [Given], _ context: Context,
        _ report: @escaping @Sendable (IntentProgress) -> Void
    ) async throws -> PhaseOutcome {
        guard let handler = handler as? any LiveUpdating else {
            let message = "the handler of '\(name)' does not report updates after success"
            throw IntentFailure(.reject, reason: .unsupported, message: message, field: "intent")
        }
        let observer = UpdateObserver { update in
            var progress = IntentProgress()
            progress.update = update
            report(progress)
        }
        try await follow(handler, try complete(intent, given, context), observer, context)
        return .responded(IntentResponse(.success))
    }

    private func follow<Handler: LiveUpdating>(
        _ handler: Handler, _ intent: Subject, _ observer: UpdateObserver, _ context: Context
    ) async throws {
        guard let intent = intent as? Handler.IntentType else {
            let message = "\(Handler.self) was returned for '\(name)' but handles \(Handler.IntentType.self)"
            throw IntentFailure(.failure(.failure), reason: .internal, message: message)
        }
        try await handler.sendUpdates(for: intent, to: observer, context: context)
    }
}
