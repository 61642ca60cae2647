import IntentModel

// A request names several intents that the person may have meant.
extension Transition {
    /// Begins with the intent that is meant, or asks the person which one it is.
    mutating func chooseIntent(among candidates: [IntentCandidate]) {
        switch CandidateChoice(among: candidates) {
        case .clear(let candidate): take(candidate)
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
        guard answer.action == .accept else {
            return answer.action == .decline ? noneMeant() : end(.cancelled, "cancelled")
        }
        switch meaning(of: answer, to: prompt) {
        case .value(let value, _):
            guard let candidate = session.active?.request.candidates.first(where: { value == .string($0.intent) })
            else {
                return refuse(.invalid, "'value' names none of the options; there are \(prompt.optionList)", "value")
            }
            guard checkRoom(for: candidate.parameters + answer.parameters) == .accepted else { return }
            take(candidate, answer.parameters)
        case .unanswered, .yes: refuse(.invalid, "an answer to a choice needs an 'option' (or a 'value')", "option")
        case .no, .refused: break
        }
    }

    /// None of the candidates is meant: the fallback is, if there is one.
    private mutating func noneMeant() {
        if let request = session.active?.request, let fallback = request.fallback {
            var candidate = IntentCandidate(intent: fallback, confidence: 0)
            candidate.route = request.fallbackRoute
            return take(candidate)
        }
        end(
            .unsupported, "noIntentMatched",
            error: Rejection(.unsupported, "none of the candidates is what the person meant", field: "candidates"))
    }

    private mutating func take(_ candidate: IntentCandidate, _ changes: [ParameterState] = []) {
        session.active?.request.intent = candidate.intent
        session.active?.request.route = candidate.route
        session.active?.request.candidates = []
        session.active?.request.fallback = nil
        session.active?.request.fallbackRoute = nil
        session.active?.merge(candidate.parameters + changes)
        dispatch(.resolve)
    }
}

extension IntentCandidate {
    /// The candidate to choose from.
    fileprivate var option: ParameterOption {
        ParameterOption(id: intent.text, title: title ?? intent.text, value: .string(intent))
    }
}
