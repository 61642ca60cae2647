import Intents

// The person is asked.
extension Turn {
    mutating func ask(about parameter: ResolvedParameter) {
        let element = parameter.element?.index
        guard countAsk(parameter.name, element: element) else { return }
        let title = parameter.title ?? parameter.name
        var prompt = draft(.value, about: parameter.name, title: parameter.title)
        prompt.element = element
        switch parameter.resolution {
        case .needsValue(let dialog):
            prompt.dialog = dialog ?? "\(title)?"
        case .disambiguation(let options, let dialog):
            prompt.kind = .choice
            prompt.dialog = dialog ?? "\(title): which one?"
            prompt.options = options
        case .confirmationRequired(let value, let dialog):
            prompt.kind = .confirmValue
            prompt.dialog = dialog ?? isItThis(value, title, isSecret: prompt.isSecret)
            prompt.value = value
        case .unsupported(let reason, let dialog):
            // The value must never reach confirm or handle. (An element stays in its place: the resolver does not let the list pass with it.)
            if element == nil { session.active?.set(parameter.name, nil, .given) }
            prompt.dialog = dialog ?? "\(title): that can't be used. What else?"
            prompt.unsupportedReason = reason
        case .success, .notRequired:
            return
        }
        issue(prompt)
    }

    /// The person said no to an element as it is: what shall stand in its place?
    mutating func askForAnother(insteadOf prompt: Prompt) {
        guard let parameter = prompt.parameter, countAsk(parameter, element: prompt.element) else { return }
        var other = draft(.value, about: parameter, title: prompt.title)
        other.element = prompt.element
        other.dialog = "\(prompt.title ?? parameter): what else?"
        issue(other)
    }

    mutating func askToConfirm(_ response: IntentResponse, _ confirmation: ConfirmationRequest) {
        guard let active = session.active else { return }
        session.active?.validUntil = response.validFor.map { now.advanced(by: max($0, .zero)) }
        var prompt = draft(.confirmIntent)
        prompt.dialog = confirmation.dialog ?? confirmation.summary.map { "\($0)?" } ?? "\(active.request.intent)?"
        prompt.summary = confirmation.summary
        issue(prompt)
    }

    /// A prompt to be filled in and issued.
    func draft(_ kind: Prompt.Kind, about parameter: String? = nil, title: String? = nil) -> Prompt {
        var prompt = Prompt(id: "", intent: "", kind: kind, parameter: parameter, dialog: "", expires: now)
        prompt.title = title
        prompt.isSecret = parameter.flatMap { session.active?.parameter($0)?.isSecret } ?? false
        return prompt
    }

    func isItThis(_ value: JSON, _ title: String, isSecret: Bool) -> String {
        isSecret ? "\(title): is it the one that is known?" : "\(title): \(value.view.string ?? value.description)?"
    }

    /// Puts a question to the person. One that was asked before and interrupted is asked anew.
    mutating func issue(_ draft: Prompt) {
        guard var active = session.active else { return }
        active.step += 1
        active.turns += 1
        active.stageEnds = now.advanced(by: policy.answerTimeout)
        var prompt = draft
        prompt.id = "\(active.request.id).\(active.step)"
        prompt.intent = active.request.intent
        prompt.expires = min(active.stageEnds, active.request.deadline ?? active.stageEnds)
        active.stage = prompt.kind == .confirmIntent ? .awaitingConfirmation(prompt) : .awaitingAnswer(prompt)
        session.active = active
        tell(.prompted(prompt), about: active.request.id)
    }

    /// - Returns: whether it may be asked for once more; if not, the request has ended.
    private mutating func countAsk(_ parameter: String, element: Int?) -> Bool {
        let key = ActiveRequest.askKey(parameter, element: element)
        let asks = (session.active?.asks[key] ?? 0) + 1
        session.active?.asks[key] = asks
        if asks <= policy.maximumAsks { return true }
        end(
            .failure, .failure,
            error: Rejection(
                .complex, "'\(key)' was asked for \(policy.maximumAsks) times without a value that can be used", field: "parameters.\(key)")
        )
        return false
    }
}
