import IntentKit

extension IntentBinding {
    /// Resolves every parameter once, in the order of declaration, but after the parameters in its `after:`.
    func resolve(
        _ handler: some IntentHandling<Subject>, _ intent: Subject, _ given: [Given], _ context: Context
    ) async throws -> PhaseOutcome {
        var intent = intent
        let steps = handler.resolution.steps.all
        var stepOf = [Int?](repeating: nil, count: names.count)
        var hasDependencies = false
        for index in 0..<steps.count {
            if let parameter = identities.firstIndex(of: steps[index].identity(in: prototype)) {
                stepOf[parameter] = index
            }
            if steps[index].hasDependencies { hasDependencies = true }
        }
        if hasDependencies { return try await resolveInTurn(steps, stepOf, &intent, given, context) }
        var resolved: [ResolvedParameter] = []
        resolved.reserveCapacity(names.count)
        for index in 0..<names.count {
            if stepOf[index] == nil, let value = valueByType(index, given[index], context) {
                resolved.append(parameter(index, BindingResolution(.success(value)), given[index], context))
                continue
            }
            let step = stepOf[index].map { steps[$0] }
            if step == nil, !offersAlternatives, given[index].confidence == nil,
                let result = try bindings[index].resolveImmediately(&intent, given: given[index], context: context)
            {
                // Most parameters are resolved here, because an `await` costs even if it does not suspend.
                if result.resolution == .notRequired { _ = bindings[index].omitValue(in: &intent) }
                if case .unsupported = result.resolution {
                    resolved.append(try await entry(index, result, given[index], context))
                } else {
                    resolved.append(parameter(index, result, given[index], context))
                }
            } else {
                resolved.append(try await resolve(index, step, &intent, given[index], context))
            }
            if given[index].isNone { resolved[index].isNone = true }
        }
        return concluded(resolved, intent, context)
    }

    /// The value of a parameter without a rule of the handler's, if the type has read it and that is all there is to do.
    private func valueByType(_ index: Int, _ given: Given, _ context: Context) -> JSON? {
        guard case .stored(let reading) = given.reading, reading.isAllowed, facts[index].isResolvedByType,
            given.confidence == nil, given.origin != .notRequired,
            given.origin != .given || context.scope.spokenValues == nil
        else { return nil }
        return reading.json
    }

    /// The outcome of a round. With a question to the person, the outcome has the intent in words.
    private func concluded(_ resolved: [ResolvedParameter], _ intent: Subject, _ context: Context) -> PhaseOutcome {
        if resolved.allSatisfy(\.resolution.isResolved) {
            return .resolved(resolved, confirmation: confirmation(intent, context))
        }
        var resolved = resolved
        OptionRoom.fit(&resolved)
        var openLists: [String: String] = [:]
        for (place, parameter) in resolved.enumerated() {
            guard let index = names.firstIndex(of: parameter.name) else { continue }
            if parameter.resolution.isResolved {
                resolved[place].text = bindings[index].text(in: intent, locale: context.locale)
            } else if let element = parameter.element {
                openLists[parameter.name] = bindings[index].text(in: intent, openAt: element, locale: context.locale)
            }
        }
        return .resolved(resolved, summary: summary.text(for: intent, openLists: openLists, locale: context.locale))
    }

    /// The confirmation that the declaration requires before these values are handled; `nil` if it requires none.
    private func confirmation(_ intent: Subject, _ context: Context) -> ConfirmationRequest? {
        guard confirmation.kind != .never else { return nil }
        var intent = intent
        for index in 0..<names.count where !bindings[index].complete(&intent, context) { return nil }
        guard confirmation.asks(about: intent) else { return nil }
        return confirmationRequest(about: intent, context)
    }

    /// The request to confirm an intent, in words.
    func confirmationRequest(dialog: String? = nil, about intent: Subject, _ context: Context) -> ConfirmationRequest {
        ConfirmationRequest(
            dialog: dialog, summary: summary.text(for: intent, locale: context.locale),
            parameters: inWords(intent, context.locale),
            action: actionName.action(in: context.locale), approval: policy.approval)
    }

    /// All parameters with a value, in words.
    func inWords(_ intent: Subject, _ locale: String?) -> [PromptParameter] {
        var shown: [PromptParameter] = []
        for binding in bindings where binding.value(in: intent) != nil {
            shown.append(
                PromptParameter(
                    name: binding.name, title: binding.title(in: locale), text: binding.text(in: intent, locale: locale)
                ))
        }
        return shown
    }

    /// Resolves parameters that depend on other parameters.
    private func resolveInTurn(
        _ steps: [any ResolutionStep<Subject>], _ stepOf: [Int?], _ intent: inout Subject, _ given: [Given],
        _ context: Context
    ) async throws -> PhaseOutcome {
        // The start check has found each of these dependencies.
        let dependencies = stepOf.map { step -> [Int] in
            guard let step else { return [] }
            return steps[step].dependencies(in: prototype).compactMap { identities.firstIndex(of: $0) }
        }
        let round = try ResolutionRound(dependencies, names: names)
        var resolved: [ResolvedParameter] = []
        resolved.reserveCapacity(names.count)
        var isOpen = Array(repeating: false, count: names.count)
        var isFresh = Array(repeating: false, count: names.count)
        for index in round.order {
            var given = given[index]
            if round.dependencies[index].contains(where: { isOpen[$0] }) {
                // The parameter is not asked for yet, because a parameter that it depends on comes first.
                isOpen[index] = true
                isFresh[index] = true
                var early = try await entry(index, BindingResolution(.needsValue(dialog: nil)), given, context)
                early.declaration = nil
                resolved.append(early)
                continue
            }
            // An earlier resolution is valid only as long as the values that it depends on don't change.
            let isStale = round.dependencies[index].contains { isFresh[$0] }
            if isStale, given.origin == .resolved || given.origin == .notRequired { given.reopen() }
            var parameter = try await resolve(index, stepOf[index].map { steps[$0] }, &intent, given, context)
            switch parameter.resolution {
            case .success(let json): isFresh[index] = isStale || given.origin != .resolved || given.json != json
            case .notRequired: isFresh[index] = isStale || given.origin != .notRequired
            case .needsValue, .disambiguation, .confirmationRequired, .unsupported:
                isOpen[index] = true
                isFresh[index] = true
            }
            parameter.isNone = given.isNone
            resolved.append(parameter)
        }
        return concluded(resolved, intent, context)
    }

    private func resolve(
        _ index: Int, _ step: (any ResolutionStep<Subject>)?, _ intent: inout Subject, _ given: Given,
        _ context: Context
    ) async throws -> ResolvedParameter {
        let result: BindingResolution
        if let step = step as? FulfilmentStep<Subject> {
            result = try await resolve(index, by: step, &intent, given, context)
        } else {
            result = try await bindings[index].resolve(&intent, given: given, step: step, context: context)
        }
        if result.resolution == .notRequired { _ = bindings[index].omitValue(in: &intent) }
        return try await entry(index, confirmed(result, index, intent, given, context), given, context)
    }

    /// The result, as a confirmation if the request itself calls the value doubtful.
    private func confirmed(
        _ result: BindingResolution, _ index: Int, _ intent: Subject, _ given: Given, _ context: Context
    ) -> BindingResolution {
        guard let confidence = given.confidence, confidence < ParameterState.Provenance.sufficientConfidence,
            given.origin == .given,
            case .success(let value) = result.resolution
        else { return result }
        var result = result
        let dialog = bindings[index].confirmationDialog(in: intent, locale: context.locale)
        result.resolution = .confirmationRequired(value, dialog: dialog)
        return result
    }

    private func entry(
        _ index: Int, _ result: BindingResolution, _ given: Given, _ context: Context
    ) async throws -> ResolvedParameter {
        var parameter = parameter(index, result, given, context)
        let binding = bindings[index]
        if policy.asks != nil, case .unsupported("noMatch", let dialog) = result.resolution, !binding.hasOtherValues,
            !binding.isList || result.element != nil
        {
            // A policy says when values are offered, but those that are all there are come at once.
            let options = try await binding.alternatives(ofElement: result.element != nil, context)
            if options.count >= 2 {
                parameter.resolution = .disambiguation(options, dialog: dialog)
                return parameter
            }
        }
        if offersAlternatives, result.resolution.isOpenQuestion {
            parameter.options = try await binding.alternatives(ofElement: result.element != nil, context)
        } else if policy.asks == nil, case .unsupported = result.resolution, !binding.isList || result.element != nil {
            // A person whose value can't be used is shown the others. Without them, they are asked without options.
            parameter.options = (try? await binding.alternatives(ofElement: result.element != nil, context)) ?? []
        }
        if !parameter.options.isEmpty, binding.hasOtherValues { parameter.omitsOptions = true }
        return parameter
    }

    private func parameter(
        _ index: Int, _ result: BindingResolution, _ given: Given, _ context: Context
    ) -> ResolvedParameter {
        let facts = facts[index]
        var parameter = ResolvedParameter(
            name: names[index], title: facts.title.text(in: context.locale), resolution: result.resolution,
            element: result.element,
            isSecret: facts.isSecret, memoryKey: facts.memoryKey)
        parameter.memoryScope = facts.memoryScope
        if let reading = result.reading {
            let interpreted = reading.interpreted == result.resolution.understood ? nil : reading.interpreted
            parameter.provenance = ParameterState.Provenance(interpreted: interpreted, confidence: reading.confidence)
        } else if given.json == nil, case .success(let value) = result.resolution {
            parameter.provenance = ParameterState.Provenance(source: bindings[index].source(of: value, context))
        }
        if let words = given.said.map({ JSON.string($0.words) }),
            words.bytes.count <= ParameterState.Provenance.maximumBytes
        {
            parameter.provenance = parameter.provenance ?? ParameterState.Provenance()
            parameter.provenance?.original = words
        }
        if facts.isSecret { parameter.provenance = nil }
        if !result.resolution.isResolved {
            parameter.supportingDialog = result.supportingDialog
            parameter.declaration = bindings[index].declaration(ofElement: result.element != nil, in: context.locale)
        }
        return parameter
    }

    /// `true` if the person gets options when a plain question does not help.
    private var offersAlternatives: Bool { policy.asks?.offersOptions == true }
}

extension Given {
    /// Treats resolved values as given, so that they are resolved again.
    fileprivate mutating func reopen() {
        origin = .given
        guard case .items(var items) = reading else { return }
        for index in items.indices where items[index].origin == .resolved { items[index].origin = .given }
        reading = .items(items)
    }
}

/// The order in which the parameters of an intent are resolved in one round, and their dependencies.
struct ResolutionRound {
    /// The indices of the parameters.
    let order: [Int]
    /// For each parameter, the indices of the parameters that have to be resolved before it.
    let dependencies: [[Int]]

    /// - Throws: A failure if parameters depend on each other in a cycle.
    init(_ dependencies: [[Int]], names: [String]) throws(IntentFailure) {
        self.dependencies = dependencies
        var order: [Int] = []
        var isPlaced = Array(repeating: false, count: names.count)
        // Parameters are placed in the order of declaration, but each after its dependencies.
        while order.count < names.count {
            let ready = names.indices.first { index in
                !isPlaced[index] && dependencies[index].allSatisfy { isPlaced[$0] }
            }
            guard let ready else {
                let waiting = names.indices.filter { !isPlaced[$0] }.map { "'\(names[$0])'" }.joined(separator: ", ")
                let message = "\(waiting) wait for each other: look at the 'after:' of their Resolve"
                throw IntentFailure(.failure(.failure), reason: .internal, message: message)
            }
            isPlaced[ready] = true
            order.append(ready)
        }
        self.order = order
    }
}
