extension IntentDefinition {
    func perform(
        _ invocation: IntentInvocation, by server: any IntentExtension, report: @escaping @Sendable (IntentProgress) -> Void
    ) async -> PhaseOutcome {
        do {
            var intent = prototype
            let given = try decode(invocation, into: &intent)
            let handler = invocation.context.isInApp ? server.application(handlerFor: intent) : server.handler(for: intent)
            guard let handler else {
                throw IntentFailure(.reject, reason: .unsupported, message: "\(type(of: server)) has no handler for '\(name)' at present")
            }
            let context = Context(invocation.context, phase: invocation.phase, report: report)
            if invocation.isUpdating { return try await sendUpdates(handler, intent, given, context, report) }
            return try await run(handler, intent, given, context)
        } catch let failure as IntentFailure {
            return .failed(failure)
        } catch is CancellationError {
            return .failed(Self.cancelled)
        } catch {
            if Task.isCancelled { return .failed(Self.cancelled) }
            // Only the error's type: its text may quote what the person said.
            let message = "\(invocation.phase.rawValue) of \(name) threw \(type(of: error))"
            if invocation.phase == .handle, policy.effect == .atMostOnce {
                // It may have done it before it threw, and must not be asked to do it again.
                return .failed(IntentFailure(.failure(.failure), reason: .outcomeUnknown, message: message))
            }
            return .failed(IntentFailure(.retry(after: .seconds(1)), reason: .internal, message: message))
        }
    }

    private static var cancelled: IntentFailure {
        IntentFailure(.failure(.cancelled), reason: .unexpected, message: "called off while it was running")
    }

    /// Takes the invocation's values into the intent, as far as they convert.
    private func decode(_ invocation: IntentInvocation, into intent: inout Subject) throws(IntentFailure) -> [GivenParameter] {
        var given = Array(repeating: GivenParameter(), count: bindings.count)
        for state in invocation.parameters {
            guard let index = names.firstIndex(of: state.name) else {
                let all = names.isEmpty ? "none" : names.joined(separator: ", ")
                let unknown = state.name.prefix(80)
                let message = "\(name) has no parameter '\(unknown)'; it has \(all)"
                throw IntentFailure(.reject, reason: .invalid, message: message, field: "parameters.\(unknown)")
            }
            given[index].origin = state.origin
            if let value = state.value { given[index].text = try bindings[index].decode(value, into: &intent) }
        }
        return given
    }

    /// Opens the handler's type.
    private func run<Handler: IntentHandling>(
        _ handler: Handler, _ intent: Subject, _ given: [GivenParameter], _ context: Context
    ) async throws -> PhaseOutcome {
        guard let definition = self as? IntentDefinition<Handler.IntentType>, let intent = intent as? Handler.IntentType else {
            let message = "\(Handler.self) was returned for '\(name)' but handles \(Handler.IntentType.self)"
            throw IntentFailure(.failure(.failure), reason: .internal, message: message)
        }
        switch context.phase {
        case .resolve: return try await definition.resolve(handler, intent, given, context)
        case .confirm: return try await definition.confirm(handler, intent, given, context)
        case .handle: return try await definition.handle(handler, intent, given, context)
        }
    }

    private func resolve(
        _ handler: some IntentHandling<Subject>, _ intent: Subject, _ given: [GivenParameter], _ context: Context
    ) async throws -> PhaseOutcome {
        var intent = intent
        let steps = handler.resolution.steps.all
        var stepOf = [Int?](repeating: nil, count: names.count)
        for index in 0..<steps.count {
            if let parameter = identities.firstIndex(of: steps[index].identity(in: prototype)) { stepOf[parameter] = index }
        }
        var resolved: [ResolvedParameter] = []
        resolved.reserveCapacity(names.count)
        for index in 0..<names.count {
            let binding = bindings[index]
            let resolution: ParameterResolution
            if let step = stepOf[index] {
                resolution = try await binding.resolve(&intent, given: given[index], step: steps[step], context: context)
            } else if let atOnce = try binding.resolveAtOnce(&intent, given: given[index], context: context) {
                resolution = atOnce
            } else {
                resolution = try await binding.resolve(&intent, given: given[index], step: nil, context: context)
            }
            var parameter = ResolvedParameter(name: names[index], title: binding.title(in: context.locale), resolution: resolution)
            if policy.asks?.offersOptions == true, resolution.isOpenQuestion {
                parameter.options = try await binding.alternatives(context)
            }
            resolved.append(parameter)
        }
        return .resolved(resolved)
    }

    private func confirm(
        _ handler: some IntentHandling<Subject>, _ intent: Subject, _ given: [GivenParameter], _ context: Context
    ) async throws -> PhaseOutcome {
        let intent = try complete(intent, given, context.phase)
        let response = try check(try await handler.confirm(intent, context: context), intent, context)
        let isReady = response.code == .ready || response.code == .success
        let asks = response.code == .userConfirmationRequired || (isReady && confirmation.asks(about: intent))
        guard asks else { return .responded(response) }
        let request = ConfirmationRequest(dialog: response.dialog, summary: summary.text(for: intent, locale: context.locale))
        return .responded(response, confirmation: request)
    }

    private func handle(
        _ handler: some IntentHandling<Subject>, _ intent: Subject, _ given: [GivenParameter], _ context: Context
    ) async throws -> PhaseOutcome {
        let intent = try complete(intent, given, context.phase)
        var response = try check(try await handler.handle(intent, context: context), intent, context)
        if response.code == .success, handler is any LiveUpdating { response.offersUpdates = true }
        return .responded(response)
    }

    /// An intent is only confirmed and handled with every required parameter, and with none that can't be read.
    func complete(_ intent: Subject, _ given: [GivenParameter], _ phase: Phase) throws(IntentFailure) -> Subject {
        var intent = intent
        for index in 0..<names.count {
            let problem: String
            if given[index].text != nil {
                problem = "can't be read"
            } else if bindings[index].complete(&intent) {
                continue
            } else {
                problem = "is required and has no value"
            }
            let message = "parameters.\(names[index]) \(problem): \(name) has to be resolved before \(phase.rawValue)"
            throw IntentFailure(.reject, reason: .unexpected, message: message, field: "parameters.\(names[index])")
        }
        return intent
    }
}
