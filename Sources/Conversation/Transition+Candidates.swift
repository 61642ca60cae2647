import IntentModel

// A request names several intents that the person may have meant.
extension Transition {
    /// Begins with the intent that is meant, or asks the person which one it is.
    mutating func chooseIntent(among candidates: [IntentCandidate]) {
        session.active?.request.candidates = []
        switch CandidateChoice(among: candidates) {
        case .clear(let candidate): take(candidate.intent, candidate.parameters)
        case .near(let near):
            // Should the request end before the person has said which, it is told under the best one.
            session.active?.request.intent = near[0].intent
            var prompt = draft(.choice)
            prompt.isAboutIntents = true
            prompt.dialog = text(BuiltInText.whichIntent)
            prompt.options = near.map(\.option)
            issue(prompt)
        case .none: noneMeant()
        }
    }

    /// The person has said which intent they mean, or that it is none of them.
    mutating func choseIntent(_ prompt: Prompt, _ answer: Answer) {
        guard answer.action == .accept else { return answer.action == .decline ? noneMeant() : end(.cancelled, "cancelled") }
        switch meaning(of: answer, to: prompt) {
        case .value(let value, _):
            guard let intent = value.view["intent"]?.string else {
                return refuse(.invalid, "'value' names none of the options; there are \(prompt.optionList)", "value")
            }
            let parameters = (value.view["parameters"]?.members ?? []).map { ParameterState(name: $0.name, value: $0.value.json) }
            guard fits(parameters + answer.parameters) else { return }
            take(intent, parameters + answer.parameters)
        case .unanswered, .yes: refuse(.invalid, "an answer to a choice needs an 'option' (or a 'value')", "option")
        case .no, .refused: break
        }
    }

    /// None of the candidates is meant: the fallback is, if there is one.
    private mutating func noneMeant() {
        if let fallback = session.active?.request.fallback { return take(fallback, []) }
        end(
            .unsupported, "noIntentMatched",
            error: Rejection(.unsupported, "none of the candidates is what the person meant", field: "candidates"))
    }

    private mutating func take(_ intent: String, _ parameters: [ParameterState]) {
        session.active?.request.intent = intent
        session.active?.request.fallback = nil
        session.active?.merge(parameters)
        dispatch(.resolve)
    }
}

extension IntentCandidate {
    /// The candidate to choose from. Nobody but the coordinator sees the value.
    fileprivate var option: ParameterOption {
        let value = JSON.make { writer in
            writer.beginObject()
            writer.member("intent", intent)
            writer.name("parameters")
            writer.beginObject()
            for state in parameters { if let value = state.value { writer.member(named: state.name, value) } }
            writer.endObject()
            writer.endObject()
        }
        return ParameterOption(id: intent, title: title ?? intent, value: value)
    }
}
