import IntentModel

// The person is asked.
extension Transition {
    /// - Parameters:
    ///   - all: all parameters of the intent.
    ///   - summary: the intent in a sentence, as far as it is known.
    mutating func ask(about parameter: ResolvedParameter, among all: [ResolvedParameter], summary: String?) {
        let element = parameter.element?.index
        let key = ActiveRequest.askKey(parameter.name, element: element)
        let title = parameter.title ?? parameter.name
        var prompt = draft(.value, about: parameter.name, title: parameter.title)
        prompt.asked.element = element
        prompt.asked.declaration = parameter.declaration
        prompt.parameters = PromptParameter.all(all, asking: parameter.name)
        prompt.summary = summary
        prompt.supportingDialog = parameter.supportingDialog
        if !prompt.asked.isSecret, parameter.resolution.isAboutValue {
            prompt.asked.provenance = session.active?.parameter(parameter.name)?.provenance
        }
        if escalate(parameter, key, prompt) == .handled { return }
        guard countAsk(key) == .accepted else { return abandon(parameter, key) }
        let offersLater = session.active?.traits.policy?.asks?.offersOptions == true
        session.active?.asking.alternatives = offersLater ? parameter.options : []
        switch parameter.resolution {
        case .needsValue(let dialog):
            prompt.dialog = dialog ?? text(BuiltInText.needsValue(title))
        case .disambiguation(let options, let dialog):
            prompt.kind = .choice
            prompt.dialog = dialog ?? text(BuiltInText.needsChoice(title))
            if let declined = session.active?.asking.misses[key]?.declined, !declined.isEmpty,
                declined == options.firstPage
            {
                let notice = text(parameter.omitsOptions ? BuiltInText.sayAnother : BuiltInText.noOthers)
                prompt.dialog = "\(notice) \(prompt.dialog)"
                prompt.supportingDialog = prompt.supportingDialog.map { "\(notice) \($0)" }
            }
            prompt.options = options
            prompt.omitsOptions = parameter.omitsOptions
        case .confirmationRequired(let value, let dialog):
            prompt.kind = .confirmValue
            prompt.dialog = dialog ?? isItThis(value, title, isSecret: prompt.asked.isSecret)
            prompt.value = value
        case .unsupported(let reason, let dialog):
            let rejected =
                parameter.element.map { $0.list[$0.index] } ?? session.active?.parameter(parameter.name)?.value
            if !prompt.asked.isSecret { prompt.asked.rejectedValue = rejected }
            // The value must never reach confirm or handle. (An element stays in its place: the resolver does not accept the list with it.)
            if element == nil { session.active?.set(parameter.name, nil, .given) }
            prompt.dialog = dialog ?? text(BuiltInText.unsupported(title))
            prompt.asked.unsupportedReason = reason
            // The known values stay on offer after one that can't be used, unless the intent says when they are offered.
            let others = parameter.options.filter { $0.value != rejected }
            if others.count >= 2, session.active?.traits.policy?.asks == nil {
                (prompt.kind, prompt.options, prompt.omitsOptions) = (.choice, others, parameter.omitsOptions)
            }
        case .success, .notRequired:
            return
        }
        if let asks = session.active?.asking.asks[key], asks > 1, asks == maximumAsks {
            prompt.dialog += " \(text(BuiltInText.lastTry))"
            prompt.supportingDialog? += " \(text(BuiltInText.lastTry))"
        }
        issue(prompt)
    }

    /// The person has declined an element: asks for another one.
    mutating func askForAnother(insteadOf prompt: Prompt) {
        guard let parameter = prompt.parameter else { return }
        let key = ActiveRequest.askKey(parameter, element: prompt.asked.element)
        guard countAsk(key) == .accepted else { return abandon(key) }
        var other = prompt
        other.kind = .value
        other.value = nil
        other.dialog = text(BuiltInText.needsAnother(prompt.asked.title ?? parameter))
        issue(other)
    }

    mutating func askToConfirm(_ response: IntentResponse, _ confirmation: ConfirmationRequest) {
        let proposed = response.proposed.sorted { $0.key < $1.key }.map { name, value in
            var state = ParameterState(name: name, value: value, origin: .confirmed)
            state.isSecret = session.active?.parameter(name)?.isSecret ?? false
            return state
        }
        if session.active?.size(with: proposed) ?? 0 > policy.limits.maximumParameterBytes {
            return protocolError(
                "too much is proposed: a request's parameters have \(policy.limits.maximumParameterBytes) bytes at most"
            )
        }
        session.active?.confirmed.validUntil = response.validFor.map { now.advanced(by: max($0, .zero)) }
        var prompt = draft(.confirmIntent)
        prompt.dialog =
            confirmation.dialog ?? text(BuiltInText.confirmIntent(confirmation.summary ?? intentName))
        prompt.summary = confirmation.summary
        prompt.parameters = confirmation.parameters
        prompt.action = confirmation.action ?? session.active?.traits.confirmation?.action
        prompt.proposed = proposed
        if waitForOthers(&prompt, confirmation) == .handled { return }
        issue(prompt)
    }

    /// Adds the approval that a confirmation needs.
    ///
    /// - Returns: `handled` if there is nothing to ask: others have agreed to just this, or nobody can.
    private mutating func waitForOthers(_ prompt: inout Prompt, _ confirmation: ConfirmationRequest) -> Handled {
        let agreement = session.active?.confirmed.agreement
        guard let approval = confirmation.approval ?? agreement?.approval else { return .notMine }
        if let problem = session.problem(with: approval) {
            end(.failure, .failure, error: problem)
            return .handled
        }
        let ends = now.advanced(by: min(approval.timeout, policy.maximumAnswerTimeout))
        prompt.waiting = Prompt.Waiting(since: now, ends: ends, reminders: approval.reminders, approval: approval)
        // The confirmer has only looked again at what was agreed to.
        if agreement?.covers(shown(prompt)) == true {
            agreed()
            return .handled
        }
        if agreement != nil, countAsk("?approval") == .refused {
            end(
                .failure, .failure,
                error: Rejection(
                    .complex, "the confirmer asked for an approval \(maximumAsks) times more, in other words"))
            return .handled
        }
        return .notMine
    }

    /// A prompt to be completed and issued.
    func draft(_ kind: Prompt.Kind, about parameter: String? = nil, title: String? = nil) -> Prompt {
        var prompt = Prompt(id: "", intent: "", kind: kind, parameter: parameter, dialog: "", expires: now)
        prompt.asked.title = title
        prompt.asked.isSecret = parameter.flatMap { session.active?.parameter($0)?.isSecret } ?? false
        return prompt
    }

    func isItThis(_ value: JSON, _ title: String, isSecret: Bool) -> String {
        text(
            isSecret
                ? BuiltInText.confirmSecret(title)
                : BuiltInText.confirmValue(title, (value.view.string ?? value.description).onOneLine))
    }

    /// The name of the active request's intent.
    var intentName: String { session.active?.request.intent.text ?? "" }

    /// Wording of the pipeline's own, in the request's language.
    func text(_ text: LocalizedText) -> String { text.text(in: session.active?.request.locale) }

    /// How long the person has for a prompt.
    private func time(for prompt: Prompt) -> Duration {
        let usual = session.active?.traits.policy?.answerTimeout ?? policy.answerTimeout
        return min(prompt.signIn.map { $0.validFor ?? policy.signInTimeout } ?? usual, policy.maximumAnswerTimeout)
    }

    /// Issues a prompt. One that was interrupted is issued again.
    mutating func issue(_ draft: Prompt) {
        guard let request = session.active?.request.id, let intent = session.active?.request.intent,
            let step = session.active?.step
        else { return }
        var prompt = draft
        // An approval that was interrupted goes on: who has agreed still does, and its time is not longer.
        let isApproval = prompt.$waiting.look { $0.$approval.hasValue } == true
        if prompt.$waiting.hasValue, !isApproval { prompt.waiting = nil }
        let ends = prompt.waiting?.ends ?? now.advanced(by: time(for: prompt))
        // The choice of a found item ends with the next request.
        if !isApproval, !prompt.isAboutItems, let reminders = session.active?.traits.policy?.reminders,
            !reminders.isEmpty
        {
            prompt.waiting = Prompt.Waiting(since: now, ends: ends, reminders: reminders)
        }
        let isUnread = session.active?.asking.inWords.isUnread == true
        // Only who was shown the prompt can answer it.
        prompt.id = "\(request).\(step + 1).\(randomness.code())"
        prompt.intent = intent
        prompt.expires = min(ends, session.active?.request.deadline ?? ends)
        session.active?.step = step + 1
        session.active?.asking.turns += 1
        if isUnread { session.active?.asking.inWords.isUnread = false }
        session.active?.stageEnds = prompt.waiting?.next ?? ends
        session.active?.stage = .asking(prompt)
        prompt.fillIn(session.active?.tellableParameters ?? [], in: session.active?.request.locale)
        if isUnread, prompt.kind == .confirmIntent, prompt.question == nil {
            prompt.add(text(BuiltInText.notUnderstood))
        }
        tell(.prompted(prompt), about: request)
    }
}

extension [ParameterOption] {
    /// The ids of as many options as a prompt is shown with.
    var firstPage: [String] { prefix(OptionsRequest.usualLimit).map(\.id) }
}
