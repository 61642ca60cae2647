import IntentKit

/// Applies answers to questions that a handler's code asked for parameters. The answers are checked against the
/// parameters' declarations before the code runs again, because the code can't run with a required parameter that can't
/// be read.
extension IntentBinding {
    /// The parameters after the answers are applied.
    ///
    /// - Throws: The end of the run if an answer can't be used. Its question is then asked again, with the reason.
    func applyAnswers(_ invocation: IntentInvocation, _ context: Context) async throws -> [ParameterState] {
        var values: [String: JSON?] = [:]
        var asked: [String: PhaseAnswer] = [:]
        func stated(_ name: String) -> JSON? { invocation.parameters.first { $0.name == name }?.value }

        for answer in invocation.context.answers {
            guard let (form, name) = Ask.parse(answer.question), let index = names.firstIndex(of: name) else {
                continue
            }
            asked[name] = answer
            guard answer.isAccepted, let said = answer.value else { continue }
            let origin = invocation.parameters.first { $0.name == name && $0.value == said }?.origin
            let taken = form == .value ? try await check(answer.question, said, origin, index, context) : said
            // An answer is skipped if the parameter has changed since.
            guard let taken, stated(name) == nil || stated(name) == said else { continue }
            values[name] = taken
            if taken != said { context.scope.withState { $0.appliedAnswers[name] = taken } }
        }
        for (index, name) in names.enumerated() where values[name] == nil {
            guard let answer = asked[name], let left = stated(name) else { continue }
            if try await isUsable(left, index, context) { continue }
            // The answer could not be used, and there is no other answer.
            values.updateValue(nil, forKey: name)
            var intent = prototype
            if bindings[index].complete(&intent, context) { continue }
            guard answer.isAccepted else { throw IntentDeclinedError(parameter: name) }
            throw again(answer.question, .value, nil, index, context, reason: "invalidValue")
        }

        var settled = invocation.parameters
        for (name, value) in values {
            if let place = settled.firstIndex(where: { $0.name == name }) {
                settled[place].value = value
            } else if value != nil {
                settled.append(ParameterState(name: name, value: value))
            }
        }
        return settled
    }

    /// Applies an answer from an earlier phase, which is still in the person's words, because only the runs of its own
    /// phase have checked it.
    ///
    /// - Returns: `true` if the answer could be converted to a value that the parameter's declaration allows.
    func applyEarlierAnswer(
        _ parameters: [ParameterState], _ index: Int, _ intent: inout Subject, _ given: inout Given,
        _ context: Context
    ) async throws -> Bool {
        let binding = bindings[index]
        guard let said = parameters.first(where: { $0.name == binding.name })?.value else { return false }
        switch try await resolution(of: said, index, context) {
        case .success(let json), .confirmationRequired(let json, _):
            given = try binding.decode(
                ParameterState(name: binding.name, value: json, origin: .resolved), into: &intent, isResolving: false)
            try await binding.lookUp(&intent, &given, isResolving: false, context)
            if json != said { context.scope.withState { $0.appliedAnswers[binding.name] = json } }
            return true
        case .notRequired, .needsValue, .disambiguation, .unsupported: return false
        }
    }

    /// Checks an answer against the parameter's declaration.
    ///
    /// - Returns: The resolved value; `nil` if the parameter turns out not to be needed.
    private func check(
        _ id: String, _ said: JSON, _ origin: ParameterState.Origin?, _ index: Int, _ context: Context
    ) async throws -> JSON? {
        let binding = bindings[index]
        switch try await resolution(of: said, as: origin, index, context) {
        case .success(let json):
            var intent = prototype
            var given = try binding.decode(
                ParameterState(name: binding.name, value: json, origin: .resolved), into: &intent, isResolving: true)
            try await binding.lookUp(&intent, &given, isResolving: true, context)
            let value = binding.value(in: intent)
            context.scope.withState { $0.values[id] = value }
            return json
        case .notRequired: return nil
        // The answer is a whole list, and not the element that is doubtful.
        case .confirmationRequired where binding.isList:
            throw again(id, .value, nil, index, context, reason: "invalidValue")
        // A no takes the answer back, so that the question is asked again.
        case .confirmationRequired(let json, let dialog): throw again(id, .confirmValue(json), dialog, index, context)
        case .needsValue(let dialog): throw again(id, .value, dialog, index, context)
        case .disambiguation(let options, let dialog): throw again(id, .choice(options), dialog, index, context)
        case .unsupported(let reason, let dialog):
            // Without the known values, which may fail to come, the person is asked without options.
            let known = binding.isList ? [] : (try? await binding.alternatives(ofElement: false, context)) ?? []
            let kind = known.count < 2 ? PhaseQuestion.Kind.value : .choice(OptionRoom.fit(known))
            throw again(id, kind, dialog, index, context, reason: reason)
        }
    }

    private func isUsable(_ value: JSON, _ index: Int, _ context: Context) async throws -> Bool {
        switch try await resolution(of: value, index, context) {
        case .success, .confirmationRequired: true
        default: false
        }
    }

    /// Resolves a value by the parameter's declaration.
    ///
    /// - Parameter origin: The origin of the value: one that the person has chosen or confirmed is not read again.
    private func resolution(
        of said: JSON, as origin: ParameterState.Origin? = nil, _ index: Int, _ context: Context
    ) async throws -> ParameterResolution {
        var intent = prototype
        let binding = bindings[index]
        var given: Given
        do {
            given = try binding.decode(
                ParameterState(name: binding.name, value: said, origin: origin ?? .given), into: &intent,
                isResolving: true)
        } catch {
            return .unsupported(reason: "invalidValue", dialog: nil)
        }
        try await binding.lookUp(&intent, &given, isResolving: true, context)
        return try await binding.resolve(&intent, given: given, step: nil, context: context).resolution
    }

    private func again(
        _ id: String, _ kind: PhaseQuestion.Kind, _ dialog: String?, _ index: Int, _ context: Context,
        reason: String? = nil
    ) -> any Error {
        let binding = bindings[index]
        let question = PhaseQuestion(
            id: id, kind: kind, parameter: binding.name, title: binding.title(in: context.locale), dialog: dialog,
            unsupportedReason: reason
        )
        return context.scope.end(.asked(question))
    }
}
