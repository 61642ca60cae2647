import IntentModel

// A phase asks the person something while it runs.
extension Transition {
    mutating func asked(_ question: PhaseQuestion, in phase: Phase) {
        if phase == .resolve, !question.kind.isSignIn {
            return protocolError(
                "'resolve' can only ask to sign in: else it answers with a resolution for each parameter")
        }
        if phase == .handle, let name = question.parameter, session.active?.confirmed.agreement != nil {
            return protocolError(
                "'handle' can't ask for '\(name)': others have agreed to the values; ask for it in confirm")
        }
        // It was told to stop, and waits for no answer.
        if session.active?.stage.isCancelling == true { return end(.cancelled, "cancelled") }
        guard record(question.recorded) == .accepted, countQuestion(question, phase) == .accepted else { return }
        let title = question.title ?? question.parameter
        var prompt = draft(.value, about: question.parameter, title: question.title)
        prompt.question = Prompt.Question(id: question.id, phase: phase)
        prompt.asked.unsupportedReason = question.unsupportedReason
        prompt.summary = question.summary
        prompt.asked.declaration = question.declaration
        prompt.parameters = question.parameters
        prompt.action = question.action
        prompt.supportingDialog = question.supportingDialog
        prompt.snippet = question.snippet
        let fallback: String
        switch question.kind {
        case .value:
            fallback = text(title.map { BuiltInText.needsValue($0) } ?? BuiltInText.whatIsIt)
        case .choice(let options):
            prompt.kind = .choice
            prompt.options = options
            fallback = text(title.map { BuiltInText.needsChoice($0) } ?? BuiltInText.whichOneWouldYouLike)
        case .confirmValue(let value):
            prompt.kind = .confirmValue
            prompt.value = value
            fallback = isItThis(value, title ?? intentName, isSecret: prompt.asked.isSecret)
        case .confirmIntent:
            prompt.kind = .confirmIntent
            fallback = text(BuiltInText.confirmIntent(question.summary ?? intentName))
        case .signIn(let signIn):
            prompt.kind = .signIn
            prompt.signIn = signIn
            fallback = text(signIn.title.map { BuiltInText.signIn(to: $0) } ?? BuiltInText.signIn)
        }
        prompt.dialog = question.dialog ?? fallback
        issue(prompt)
    }

    /// Notes the answer under the question's id, and dispatches the phase again with it.
    mutating func answered(
        _ question: Prompt.Question, _ prompt: Prompt, _ answer: Answer, from principal: Principal?
    ) {
        if question.phase == .handle, !answer.parameters.isEmpty {
            let names = answer.parameters.map { "'\($0.name)'" }.joined(separator: ", ")
            return refuse(
                .unexpected,
                "\(names) can't be changed any more: the request is being handled; answer without 'parameters', or cancel it",
                "parameters")
        }
        guard var notes = session.active?.run.notes else { return }
        // The phase has read an answer in words, and asks whether it is the value that the person means.
        let isReading = notes.isReading(prompt)
        var said: PhaseAnswer?
        var origin: ParameterState.Origin?
        switch meaning(of: answer, to: prompt) {
        case .refused: return
        case .unanswered: return resolve(with: answer)
        case .yes: said = PhaseAnswer(question: question.id, isAccepted: true)
        case .value(let value, let how):
            // Another value declines the one that was asked about.
            let isAccepted = prompt.kind != .confirmValue || how == .confirmed || isReading
            said = PhaseAnswer(question: question.id, isAccepted: isAccepted, value: value)
            origin = how
        case .no where isReading: break
        case .no: said = PhaseAnswer(question: question.id, isAccepted: false)
        }
        if let said { notes.note(said) } else { notes.forget(question.id) }
        guard notes.size <= policy.limits.maximumNoteBytes else {
            return refuse(
                .complex,
                "the answers to this request's questions would have \(notes.size) bytes; there is room for \(policy.limits.maximumNoteBytes)",
                "value")
        }
        session.active?.run.notes = notes
        if let signIn = prompt.signIn, answer.action == .accept { accept(signIn, principal) }
        if said == nil, let parameter = prompt.parameter {
            // The answer was misread, so its question is open again, and the value is the one from before.
            _ = session.active?.putBack(parameter)
        } else if let parameter = prompt.parameter, let origin {
            if session.active?.parameter(parameter)?.value != nil { session.active?.forgetWordsOfConfirmation() }
            if origin == .given { session.active?.keepReplaced([parameter]) }
            session.active?.set(parameter, said?.value, origin)
            if !notes.said.contains(parameter) { session.active?.run.notes.said.append(parameter) }
            if let state = session.active?.parameter(parameter) { remember(state) }
        }
        if question.phase == .resolve { merge(answer.parameters) }
        if answer.parameters.isEmpty || question.phase == .resolve {
            dispatch(question.phase, .again)
        } else {
            resolve(with: answer)
        }
    }

    /// Replaces what the person said to a phase's questions by the values it was understood as: later phases, the memory and the completion get the value
    /// and not the words. What a resolver has resolved stays, and so does what the person has said elsewhere.
    mutating func apply(_ values: [String: JSON]) {
        if values.isEmpty { return }
        // In an order of their own, so that the same events make the same memory.
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            guard session.active?.run.notes.said.contains(name) == true,
                let state = session.active?.parameter(name), state.value != nil, state.origin != .resolved,
                state.origin != .notRequired
            else { continue }
            session.active?.set(name, value, state.origin.kept)
            if let state = session.active?.parameter(name) { remember(state) }
        }
    }

    /// Checks who the person is, if that is what the prompt is about.
    ///
    /// - Returns: `refused` if the person was told what is missing. The prompt stays open.
    mutating func checkSignIn(_ signIn: SignIn, _ answer: Answer, from principal: Principal?) -> Verdict {
        guard answer.action == .accept, let required = signIn.requires else { return .accepted }
        guard let principal, principal.isPerson else {
            refuse(
                .unauthorized,
                "the answer has to name the person as their side has authenticated them: 'authtype' app_user or user, and 'authid'",
                "authtype")
            return .refused
        }
        if let agreement = session.active?.confirmed.agreement {
            let requesters = session.requesters
            let isAnother = !requesters.isEmpty && !requesters.contains { $0.isSame(as: principal) }
            if isAnother
                || agreement.consents.contains(where: { !$0.isRequester && $0.isOf(principal) })
            {
                refuse(.unauthorized, "the requester has to sign in, and nobody else: others have agreed", "authid")
                return .refused
            }
        }
        if required == .localDevice {
            guard answer.value?.view.string == SignIn.localDevice else {
                refuse(
                    .unauthorized,
                    "the person has to be authenticated on the device that the request comes from: 'value' is then '\(SignIn.localDevice)'",
                    "value")
                return .refused
            }
        }
        return .accepted
    }

    /// Takes over who the person is.
    private mutating func accept(_ signIn: SignIn, _ principal: Principal?) {
        guard let required = signIn.requires, let principal else { return }
        if required == .localDevice {
            session.active?.request.attributes[SignIn.attribute] = .string(SignIn.localDevice)
        }
        session.active?.request.principal = principal
        // A session without an owner is theirs from now on.
        if session.owner ?? principal == principal { (session.owner, session.isOwnerNamed) = (principal, false) }
    }

    /// Bytes of the code that an answer to a prompt of kind `signIn` may have.
    static var maximumCodeBytes: Int { 4_096 }

    /// Keeps what a phase has recorded for its next run.
    ///
    /// - Returns: `refused` if there was no room: the request has ended.
    mutating func record(_ recorded: [String: JSON]) -> Verdict {
        guard !recorded.isEmpty, var notes = session.active?.run.notes else { return .accepted }
        notes.recorded.merge(recorded) { $1 }
        notes.phase = session.active?.stage.phase ?? notes.phase
        guard notes.size <= policy.limits.maximumNoteBytes else {
            end(
                .failure, .failure,
                error: Rejection(
                    .complex,
                    "what the phase has recorded and was answered has \(notes.size) bytes; there is room for \(policy.limits.maximumNoteBytes)",
                    field: "recorded"))
            return .refused
        }
        session.active?.run.notes = notes
        return .accepted
    }

    /// - Returns: `refused` if it may not be asked: the request has ended.
    private mutating func countQuestion(_ question: PhaseQuestion, _ phase: Phase) -> Verdict {
        let id = question.id
        session.active?.asking.questions += 1
        // To confirm how an answer was read is no other try.
        if session.active?.run.notes.isReading(question.kind, id) != true {
            session.active?.run.notes.asks[id, default: 0] += 1
        }
        session.active?.run.notes.phase = phase
        let problem: String
        if session.active?.asking.questions ?? 0 > policy.limits.maximumQuestions {
            problem = "more than \(policy.limits.maximumQuestions) questions were asked for one request"
        } else if session.active?.run.notes.asks[id] ?? 0 > policy.limits.maximumAsks {
            problem =
                "'\(phase.rawValue)' asked its question '\(id.prefix(128))' \(policy.limits.maximumAsks) times without an answer that it can use"
        } else {
            return .accepted
        }
        end(.failure, .failure, error: Rejection(.complex, problem, field: "ask"))
        return .refused
    }
}

// A handler has finished, and the person is asked something before the request ends: which of the found items they mean, or whether other values will
// do than those that failed. Unless the request goes on, it ends with the handler's response, whatever happens next.
extension Transition {
    /// - Returns: `notMine` if there is nothing to ask about.
    mutating func askToChoose(_ response: IntentResponse) -> Handled {
        guard let choice = response.choice, !response.items.isEmpty, session.active?.stage.isCancelling == false else {
            return .notMine
        }
        var found = response
        found.items = []
        found.validFor = nil
        found.proposed = [:]
        found.appliedAnswers = [:]
        session.active?.result = found
        var prompt = draft(.choice)
        prompt.isAboutItems = true
        prompt.options = response.items
        prompt.dialog = choice.dialog ?? response.dialog ?? text(BuiltInText.whichOneWouldYouLike)
        issue(prompt)
        return .handled
    }

    /// It could not be done, but it could be with other values. The person is asked about those; accepting dispatches the request again with them.
    ///
    /// - Returns: `notMine` if there is nothing to ask about.
    mutating func proposeInstead(_ response: IntentResponse, _ confirmation: ConfirmationRequest?) -> Handled {
        guard !response.proposed.isEmpty, !response.code.requiresAppLaunch, session.active?.stage.isCancelling == false,
            session.active?.redone ?? 0 < policy.limits.maximumAsks
        else {
            return .notMine
        }
        var failure = response
        failure.proposed = [:]
        failure.appliedAnswers = [:]
        failure.validFor = nil
        session.active?.result = failure
        var confirmation = confirmation ?? ConfirmationRequest(dialog: response.dialog)
        confirmation.approval =
            session.active?.confirmed.agreement?.approval ?? session.active?.traits.confirmation?.approval
            ?? confirmation.approval
        askToConfirm(response, confirmation)
        return .handled
    }

    /// The person has chosen an item, or none.
    mutating func chose(_ result: IntentResponse, _ prompt: Prompt, _ answer: Answer) {
        if !answer.parameters.isEmpty {
            return refuse(
                .unexpected,
                "nothing can be changed any more: the request has been handled; answer without 'parameters', and send a new request",
                "parameters")
        }
        guard answer.action == .accept else { return end(.success, result.code) }
        guard let item = item(in: prompt, meant: answer) else { return }
        for (key, member) in (result.choice?.remembers ?? [:]).sorted(by: { $0.key < $1.key }) {
            if let value = item.value.view[member] { remember([key: value.json], scope: .session) }
        }
        end(.success, result.code, chosen: item.id)
    }

    /// - Returns: `nil` if the person was told what is wrong with the answer.
    private mutating func item(in prompt: Prompt, meant answer: Answer) -> ParameterOption? {
        let named: ParameterOption?
        if let id = answer.option {
            named = prompt.options.first { $0.id == id }
        } else if let value = answer.value, value != .null {
            named = option(in: prompt, named: value)
        } else {
            named = prompt.options.count == 1 ? prompt.options[0] : nil
        }
        if let named { return named }
        let field = answer.option == nil && answer.value != nil ? "value" : "option"
        refuse(.invalid, "'\(field)' names none of the items; there are \(prompt.optionList)", field)
        return nil
    }
}

extension ActiveRequest {
    /// `true` if a handler has answered. Cheaper than to copy the result.
    var hasResult: Bool { $result.hasValue }

    /// What the request ends with, with its items; `nil` if no handler has answered.
    var finalResult: IntentResponse? {
        guard hasResult, var final = result else { return nil }
        if let prompt, prompt.isAboutItems { final.items = prompt.options }
        return final
    }
}
