import IntentModel

// The person answers a prompt.
extension Transition {
    mutating func answered(_ answer: Answer, from principal: Principal?, isFromAgent: Bool) {
        guard let prompt = session.active?.stage.prompt,
            prompt.id == answer.prompt  // rule: promptsAreAnsweredOnce
        else {
            return reject(.promptNotOpen(answer.prompt))
        }
        let before = (clock: session.active?.request.clock, isUnagreed: session.active?.request.isUnagreed)
        var agreement: Agreement?
        switch judge(answer, to: prompt, from: principal, isFromAgent: isFromAgent) {
        case .handled: return
        case .approved(let given): agreement = given
        case .notMine: heard()
        }
        decide(answer, to: prompt, from: principal, isFromAgent: isFromAgent, agreement)
        // An answer that was refused has left the prompt open, and counts for nothing.
        if session.active?.stage.prompt?.id == prompt.id, let isUnagreed = before.isUnagreed {
            session.active?.request.clock = before.clock
            session.active?.request.isUnagreed = isUnagreed
        }
    }

    /// - Parameter agreement: the approval that the answer completes.
    private mutating func decide(
        _ answer: Answer, to prompt: Prompt, from principal: Principal?, isFromAgent: Bool, _ agreement: Agreement?
    ) {
        if prompt.isAboutItems, let result = session.active?.result { return chose(result, prompt, answer) }
        if prompt.isAboutIntents { return choseIntent(prompt, answer) }
        if answer.action == .cancel { return end(.cancelled, "cancelled") }
        if answer.isChange { return changed(answer) }
        if isFromAgent { session.active?.request.isUnagreed = true }
        if let signIn = prompt.signIn, checkSignIn(signIn, answer, from: principal) == .refused { return }
        let said = answer.value.flatMap { session.active?.said($0, of: prompt) }
        guard checkRoom(for: answer.parameters + (said.map { [$0] } ?? [])) == .accepted else { return }
        if let question = prompt.question { return answered(question, prompt, answer, from: principal) }
        switch meaning(of: answer, to: prompt) {
        case .refused: return
        case .no: declined(prompt, answer)
        case .value(let value, let origin):
            set(prompt, value, origin)
            if origin == .given { keepWords(answer, prompt, isFromAgent: isFromAgent) }
            resolve(with: answer)
        case .unanswered: resolve(with: answer)
        case .yes where prompt.approval != nil && agreement == nil: resolve(with: answer)
        case .yes:
            if prompt.kind == .confirmIntent, agreement?.isOfOthers != true { personAgreed() }
            apply(prompt.proposed)
            if let agreement { session.active?.confirmed.agreement = agreement }
            if answer.parameters.isEmpty { agreed() } else { resolve(with: answer) }
        }
    }

    /// What the person means with an answer.
    enum AnswerMeaning {
        case yes, no
        case value(JSON, ParameterState.Origin)
        /// They only changed other parameters.
        case unanswered
        /// They were told what is wrong with the answer. The prompt stays open: a corrected answer can be sent.
        case refused
    }

    mutating func meaning(of answer: Answer, to prompt: Prompt) -> AnswerMeaning {
        if answer.action == .decline { return .no }
        let value = answer.value.flatMap { $0 == .null ? nil : $0 }
        switch prompt.kind {
        case .value:
            if let value { return .value(value, .given) }
            return unanswered(answer, "an answer to a prompt for a value needs a 'value'", "value")
        case .choice:
            if let id = answer.option {
                if let option = prompt.options.first(where: { Identifier($0.id) == Identifier(id) }) {
                    return .value(option.value, .chosen)
                }
                return refused("there is no option '\(id)'; there are \(prompt.optionList)", "option")
            }
            guard let value else {
                return unanswered(answer, "an answer to a choice needs an 'option' (or a 'value')", "option")
            }
            // Words have been looked for among the options, and name none.
            if answer.utterance == nil, let option = option(in: prompt, named: value) {
                return .value(option.value, .chosen)
            }
            if prompt.parameter != nil { return .value(value, .given) }
            // The prompt is not about a parameter, so there is nothing to set to another value.
            return refused("'value' names none of the options; there are \(prompt.optionList)", "value")
        case .confirmValue:
            // `true` is a yes too, unless the value that the prompt is about is a Boolean itself.
            let isTrue = value == .bool(true) && prompt.value?.view.bool == nil
            if let value, value != prompt.value, !isTrue { return .value(value, .given) }
            return prompt.value.map { .value($0, .confirmed) } ?? .yes
        case .signIn:
            guard let value else { return .yes }
            if let text = value.view.string, text.utf8.count <= Self.maximumCodeBytes { return .value(value, .given) }
            return refused(
                "after signing in, 'value' is a code of at most \(Self.maximumCodeBytes) bytes, or left out", "value")
        case .confirmIntent:
            if value == nil || value == .bool(true) { return .yes }  // rule: onlyYesIsYes
            return refused(
                "a yes has no 'value', null or true; to say no, send the action 'decline'; changes go into 'parameters'",
                "value")
        }
    }

    private mutating func declined(_ prompt: Prompt, _ answer: Answer) {
        let isChanged = answer.parameters.contains { $0.name == prompt.parameter }
        switch (prompt.kind, prompt.asked.element) {
        case (.confirmIntent, _):
            if !answer.parameters.isEmpty { return resolve(with: answer) }
            end(.cancelled, "cancelled", dialog: prompt.approval.map { _ in text(BuiltInText.isNotApproved) })
        case (.confirmValue, _?) where !isChanged:
            merge(answer.parameters)
            askForAnother(insteadOf: prompt)
        case (.value, let element?), (.choice, let element?):
            if isChanged || session.active?.drop(prompt.parameter ?? "", element: element) == true {
                return resolve(with: answer)
            }
            if prompt.isOptional, prompt.kind == .value || answer.isSkip {
                leaveOut(prompt, answer)
            } else if prompt.kind == .value {
                end(.cancelled, "cancelled")
            } else {
                forget(prompt, answer)
            }
        case (.value, nil) where prompt.isOptional, (.choice, nil) where prompt.isOptional && answer.isSkip:
            if isChanged { resolve(with: answer) } else { leaveOut(prompt, answer) }
        // Only phases ask to sign in, and they get the answer.
        case (.value, nil), (.signIn, _):
            end(.cancelled, "cancelled")
        case (.choice, nil), (.confirmValue, _):
            forget(prompt, answer)
        }
    }

    /// The person goes on without a value, which is remembered as one.
    private mutating func leaveOut(_ prompt: Prompt, _ answer: Answer) {
        guard let parameter = prompt.parameter else { return }
        session.active?.asking.forgetWords(of: parameter)
        session.active?.set(parameter, nil, .notRequired)
        if !prompt.asked.isSecret { rememberNone(ofParameter: parameter) }
        resolve(with: answer)
    }

    /// The person wants none of these, or not this one: the value is forgotten, so that the resolver asks for one.
    private mutating func forget(_ prompt: Prompt, _ answer: Answer) {
        if let parameter = prompt.parameter {
            session.active?.asking.forgetWords(of: parameter)
            let before = session.active?.asking.forgetReplaced(parameter)
            session.active?.set(parameter, before, before == nil ? .given : .resolved)
            if prompt.kind == .choice {
                let key = ActiveRequest.askKey(parameter, element: prompt.asked.element)
                session.active?.asking.misses[key, default: Misses()].declined = prompt.options.firstPage
            }
        }
        resolve(with: answer)
    }

    /// The person has accepted what was proposed: those are the intent's values from now on.
    private mutating func apply(_ proposed: [ParameterState]) {
        if !proposed.isEmpty {
            session.active?.forgetWordsOfConfirmation()
            session.active?.confirmed.activity = nil
        }
        for state in proposed {
            session.active?.set(state.name, state.value, .confirmed)
            session.active?.note(ParameterState.Provenance(source: .proposed), of: state.name)
            if let state = session.active?.parameter(state.name) { remember(state) }
        }
    }

    /// The person has accepted: the intent goes on, unless what they accepted is no longer valid.
    mutating func agreed() {
        if let until = session.active?.confirmed.validUntil, until < now {  // rule: confirmationsExpire
            return dispatch(.confirm)
        }
        session.active?.asking.inWords.mustAgree = false
        if session.active?.run.isInApp == true {
            offerInBackground(IntentResponse(.handleInApp), session.active?.confirmed.activity)
        } else {
            dispatch(.handle)
        }
    }

    /// The one option with this id or title, ignoring case.
    func option(in prompt: Prompt, named value: JSON) -> ParameterOption? {
        guard let text = value.view.string?.lowercased() else { return prompt.options.first { $0.value == value } }
        let matches = prompt.options.filter { $0.id.lowercased() == text || $0.title.lowercased() == text }
        return matches.count == 1 ? matches[0] : nil
    }

    private mutating func set(_ prompt: Prompt, _ value: JSON, _ origin: ParameterState.Origin) {
        guard let parameter = prompt.parameter else { return }
        session.active?.asking.forgetWords(of: parameter, element: prompt.asked.element)
        if origin == .given { session.active?.keepReplaced([parameter]) }
        if let element = prompt.asked.element, session.active?.list(parameter) != nil {
            session.active?.set(parameter, element: element, value, origin)
        } else {
            session.active?.set(parameter, value, origin)
        }
    }

    mutating func resolve(with answer: Answer) {
        merge(answer.parameters)
        dispatch(.resolve)
    }

    /// Merges what the person has changed since the request.
    mutating func merge(_ changes: [ParameterState]) {
        for change in changes where session.active?.parameter(change.name).map({ $0.origin != .given }) == true {
            session.active?.asking.forgive(change.name)
        }
        for change in changes { session.active?.asking.forgetWords(of: change.name) }
        session.active?.keepReplaced(changes.map(\.name))
        session.active?.merge(changes)
    }

    /// The person answers a confirmation with words that are no answer to it: the resolver may read a change in them.
    private mutating func changed(_ answer: Answer) {
        guard let utterance = answer.utterance else { return }
        session.active?.asking.inWords.mustAgree = true
        session.active?.asking.keep(SaidAnswer(utterance.text, in: utterance.language))
        dispatch(.resolve)
    }

    /// Keeps the question with words that the resolver is to read. The words of a secret are read without it.
    private mutating func keepWords(_ answer: Answer, _ prompt: Prompt, isFromAgent: Bool) {
        guard let utterance = answer.utterance, let words = answer.value?.view.string, let parameter = prompt.parameter,
            !prompt.asked.isSecret
        else { return }
        session.active?.asking.keep(
            SaidAnswer(
                words, in: utterance.language, parameter: parameter, element: prompt.asked.element,
                offered: prompt.options.map(\.value) + (prompt.value.map { [$0] } ?? []),
                isForParameterAlone: isFromAgent))
    }

    private mutating func unanswered(_ answer: Answer, _ message: String, _ field: String) -> AnswerMeaning {
        answer.parameters.isEmpty ? refused(message, field) : .unanswered
    }

    private mutating func refused(_ message: String, _ field: String) -> AnswerMeaning {
        refuse(.invalid, message, field)
        return .refused
    }

    /// The prompt stays open: a corrected answer can be sent.
    mutating func refuse(_ reason: RejectionReason, _ message: String, _ field: String) {
        reject(Rejection(reason, message, field: field), about: session.active?.request.id)
    }
}

// What the person said in an answer or a correction can't be a value of its parameter, or there is no such parameter.
extension Transition {
    /// Tells the person what was rejected, and goes on without it: a wrong value rejects itself, and not the whole request.
    ///
    /// Only a resolver knows the names and types of the parameters, so the coordinator keeps the parameters as they were
    /// before the answer and does not judge the answer. A wrong value costs one more resolve.
    ///
    /// - Returns: `notMine` if it is not about something that was said after the request. A wrong request fails.
    mutating func revertRejectedAnswer(_ rejection: Rejection) -> Handled {
        if session.active?.stage.phase == .resolve, session.active?.asking.hasWordsToRead == true,
            let said = session.active?.asking.inWords.said, said.contains(where: { !$0.isForParameterAlone })
        {
            // The words may be about another parameter than the resolver has read in them.
            session.active?.asking.inWords.said = said.filter { $0.parameter != nil }.map { answer in
                var answer = answer
                answer.isForParameterAlone = true
                return answer
            }
            if said.contains(where: { $0.parameter == nil }) { noteUnread() }
            dispatch(.resolve)
            return .handled
        }
        guard session.active?.stage.phase == .resolve, let name = rejection.field.flatMap({ Self.parameter(of: $0) }),
            session.active?.putBack(name) == true
        else { return .notMine }
        reject(rejection, about: session.active?.request.id)
        dispatch(.resolve)
        return .handled
    }

    /// The parameter that a field such as `parameters.friends[1]` is about.
    private static func parameter(of field: String) -> String? {
        guard field.hasPrefix("parameters.") else { return nil }
        return String(field.dropFirst("parameters.".count).prefix { $0 != "[" })
    }
}

// The person's side looks at the options of a prompt.
extension Transition {
    mutating func optionsRequested(_ request: OptionsRequest) {
        guard let active = session.active, let prompt = active.prompt, prompt.id == request.prompt else {
            return reject(.promptNotOpen(request.prompt))
        }
        guard prompt.kind == .choice else {
            return reject(
                Rejection(
                    .unexpected, "the prompt '\(prompt.id)' has no options: it is of kind \(prompt.kind.rawValue)",
                    field: "prompt"),
                about: active.request.id)
        }
        tell(.optionsListed(ListedOptions(of: prompt, request)), about: active.request.id)
    }
}

extension Prompt {
    /// The ids of its options, for a message: the first ones, if there are many.
    var optionList: String {
        let ids = options.prefix(10).map(\.id).joined(separator: ", ")
        return options.count > 10 ? "\(ids) and \(options.count - 10) more" : ids
    }
}

extension Rejection {
    static func promptNotOpen(_ prompt: Identifier) -> Rejection {
        Rejection(
            .unexpected, "the prompt '\(prompt)' is not open: it was answered, withdrawn or never asked",
            field: "prompt")
    }
}
