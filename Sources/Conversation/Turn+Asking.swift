import Intents

// The person is asked.
extension Turn {
    mutating func ask(about parameter: ResolvedParameter) {
        guard let active = session.active else { return }
        if climbs(parameter) { return }
        guard countAsk(parameter.name, active) else { return giveUp(parameter.name) }
        session.active?.alternatives = parameter.options
        let title = parameter.title ?? parameter.name
        switch parameter.resolution {
        case .needsValue(let dialog):
            prompt(.value, parameter.name, dialog ?? "\(title)?")
        case .disambiguation(let options, let dialog):
            prompt(.choice, parameter.name, dialog ?? "\(title): which one?", options: options)
        case .confirmationRequired(let value, let dialog):
            prompt(.confirmValue, parameter.name, dialog ?? "\(title): \(value.view.string ?? value.description)?", value: value)
        case .unsupported(let reason, let dialog):
            // The value must never reach confirm or handle.
            session.active?.set(parameter.name, nil, .given)
            prompt(.value, parameter.name, dialog ?? "\(title): that can't be used. What else?", unsupportedReason: reason)
        case .success, .notRequired:
            return
        }
    }

    mutating func askToConfirm(_ response: IntentResponse, _ confirmation: ConfirmationRequest) {
        guard let active = session.active else { return }
        let dialog = confirmation.dialog ?? confirmation.summary.map { "\($0)?" } ?? "\(active.request.intent)?"
        prompt(.confirmIntent, nil, dialog, summary: confirmation.summary)
    }

    /// Asks the open question of a request anew: it was interrupted.
    mutating func askAgain(_ prompt: Prompt) {
        self.prompt(
            prompt.kind, prompt.parameter, prompt.dialog, value: prompt.value, options: prompt.options,
            unsupportedReason: prompt.unsupportedReason,
            summary: prompt.summary)
    }

    mutating func prompt(
        _ kind: Prompt.Kind, _ parameter: String?, _ dialog: String, value: JSON? = nil, options: [ParameterOption] = [],
        unsupportedReason: String? = nil, summary: String? = nil
    ) {
        guard var active = session.active else { return }
        active.step += 1
        active.turns += 1
        active.announceAt = nil
        active.permit = nil
        active.stageEnds = now.advanced(by: active.policy?.answerTimeout ?? policy.answerTimeout)
        let prompt = Prompt(
            id: "\(active.request.id).\(active.step)", intent: active.request.intent, kind: kind, parameter: parameter, dialog: dialog,
            value: value,
            options: options, unsupportedReason: unsupportedReason, summary: summary,
            expires: min(active.stageEnds, active.request.deadline ?? active.stageEnds))
        active.stage = kind == .confirmIntent ? .awaitingConfirmation(prompt) : .awaitingAnswer(prompt)
        session.active = active
        tell(.prompted(prompt), about: active.request.id)
    }
}
