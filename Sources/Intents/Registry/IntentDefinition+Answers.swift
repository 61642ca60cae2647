/// Answers to questions that code has asked for parameters: they are checked as the parameters declare it before the code runs again, because
/// it could not run with a required parameter that nobody can read.
extension IntentDefinition {
    /// Puts the answers into the intent.
    ///
    /// - Throws: The end of the run if an answer can't be taken: its question is asked again, with the reason.
    func take(
        _ invocation: IntentInvocation, into intent: inout Subject, _ given: inout [GivenParameter], _ context: Context
    ) async throws {
        for answer in invocation.context.answers where answer.isAccepted {
            guard let (form, name) = Ask.parse(answer.question), let index = names.firstIndex(of: name), let said = answer.value else {
                continue
            }
            let taken = form == .value ? try await check(answer.question, said, index, context) : said
            // Something else may have become of the parameter since.
            let state = invocation.parameters.first { $0.name == name }?.value
            guard let taken, state == nil || state == said else { continue }
            given[index].text = try bindings[index].decode(taken, into: &intent)
        }
    }

    /// - Returns: The value as it is meant; `nil` if the parameter turns out not to be needed.
    private func check(_ id: String, _ said: JSON, _ index: Int, _ context: Context) async throws -> JSON? {
        let binding = bindings[index]
        var intent = prototype
        func again(_ kind: PhaseQuestion.Kind, _ dialog: String?, reason: String? = nil) -> any Error {
            let title = binding.title(in: context.locale)
            return context.scope.end(
                .asked(
                    PhaseQuestion(
                        id: id, kind: kind, parameter: binding.name, title: title, dialog: dialog, unsupportedReason: reason)))
        }
        let text: String?
        do {
            text = try binding.decode(said, into: &intent)
        } catch {
            throw again(.value, error.message, reason: "invalidValue")
        }
        let given = GivenParameter(origin: .given, text: text)
        switch try await binding.resolve(&intent, given: given, step: nil, context: context) {
        case .success(let json), .confirmationRequired(let json, _):
            _ = try binding.decode(json, into: &intent)
            let value = binding.value(in: intent)
            context.scope.withState { $0.values[id] = value }
            return json
        case .notRequired: return nil
        case .needsValue(let dialog): throw again(.value, dialog)
        case .disambiguation(let options, let dialog): throw again(.choice(options), dialog)
        case .unsupported(let reason, let dialog): throw again(.value, dialog, reason: reason)
        }
    }
}
