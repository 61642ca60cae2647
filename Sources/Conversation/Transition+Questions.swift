import IntentModel

// A phase asks the person something while it runs.
extension Transition {
    mutating func asked(_ question: PhaseQuestion, in phase: Phase) {
        if phase == .resolve, !question.kind.isSignIn {
            return protocolError(
                "'resolve' can only ask to sign in: else it answers with a resolution for each parameter")
        }
        // It was told to stop, and waits for no answer.
        if session.active?.isCancelling == true { return end(.cancelled, "cancelled") }
        guard record(question.recorded) == .accepted, countQuestion(question.id, phase) == .accepted else { return }
        let title = question.title ?? question.parameter
        var prompt = draft(.value, about: question.parameter, title: question.title)
        prompt.question = Prompt.Question(id: question.id, phase: phase)
        prompt.unsupportedReason = question.unsupportedReason
        prompt.summary = question.summary
        prompt.declaration = question.declaration
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
            fallback = isItThis(value, title ?? intentName, isSecret: prompt.isSecret)
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
    mutating func answered(_ question: Prompt.Question, _ prompt: Prompt, _ answer: Answer) {
        if question.phase == .handle, !answer.parameters.isEmpty {
            let names = answer.parameters.map { "'\($0.name)'" }.joined(separator: ", ")
            return refuse(
                .unexpected,
                "\(names) can't be changed any more: the request is being handled; answer without 'parameters', or cancel it",
                "parameters")
        }
        let said: PhaseAnswer
        var origin: ParameterState.Origin?
        switch meaning(of: answer, to: prompt) {
        case .refused: return
        case .unanswered: return resolve(with: answer)
        case .yes: said = PhaseAnswer(question: question.id, isAccepted: true)
        case .value(let value, let how):
            // Another value declines the one that was asked about.
            said = PhaseAnswer(
                question: question.id, isAccepted: prompt.kind != .confirmValue || how == .confirmed, value: value)
            origin = how
        case .no: said = PhaseAnswer(question: question.id, isAccepted: false)
        }
        guard var notes = session.active?.run.notes else { return }
        notes.note(said)
        guard notes.size <= policy.maximumNoteBytes else {
            return refuse(
                .complex,
                "the answers to this request's questions would have \(notes.size) bytes; there is room for \(policy.maximumNoteBytes)",
                "value")
        }
        session.active?.run.notes = notes
        if let parameter = prompt.parameter, let origin {
            if session.active?.parameter(parameter)?.value != nil { session.active?.forgetWordsOfConfirmation() }
            session.active?.set(parameter, said.value, origin)
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

    /// Takes over who the person is, if that is what the prompt is about.
    ///
    /// - Returns: `refused` if the person was told what is missing. The prompt stays open.
    mutating func acceptSignIn(_ signIn: SignIn, _ answer: Answer, from principal: Principal?) -> Verdict {
        guard answer.action == .accept, let required = signIn.requires else { return .accepted }
        guard let principal, principal.isPerson else {
            refuse(
                .unauthorized,
                "the answer has to name the person as their side has authenticated them: 'authtype' app_user or user, and 'authid'",
                "authtype")
            return .refused
        }
        if required == .localDevice {
            guard answer.value?.view.string == SignIn.localDevice else {
                refuse(
                    .unauthorized,
                    "the person has to be authenticated on the device that the request comes from: 'value' is then '\(SignIn.localDevice)'",
                    "value")
                return .refused
            }
            session.active?.request.attributes[SignIn.attribute] = .string(SignIn.localDevice)
        }
        session.active?.request.principal = principal
        // A session without an owner is theirs from now on.
        if session.owner ?? principal == principal { (session.owner, session.isOwnerNamed) = (principal, false) }
        return .accepted
    }

    /// Bytes of the code that an answer to a prompt of kind `signIn` may have.
    static var maximumCodeBytes: Int { 4_096 }

    /// Keeps what a phase has recorded for its next run.
    ///
    /// - Returns: `refused` if there was no room: the request has ended.
    mutating func record(_ recorded: [String: JSON]) -> Verdict {
        guard !recorded.isEmpty, var notes = session.active?.run.notes else { return .accepted }
        notes.recorded.merge(recorded) { $1 }
        notes.phase = session.active?.phase ?? notes.phase
        guard notes.size <= policy.maximumNoteBytes else {
            end(
                .failure, .failure,
                error: Rejection(
                    .complex,
                    "what the phase has recorded and was answered has \(notes.size) bytes; there is room for \(policy.maximumNoteBytes)",
                    field: "recorded"))
            return .refused
        }
        session.active?.run.notes = notes
        return .accepted
    }

    /// - Returns: `refused` if it may not be asked: the request has ended.
    private mutating func countQuestion(_ id: String, _ phase: Phase) -> Verdict {
        session.active?.asking.questions += 1
        session.active?.run.notes.asks[id, default: 0] += 1
        session.active?.run.notes.phase = phase
        let problem: String
        if session.active?.asking.questions ?? 0 > policy.maximumQuestions {
            problem = "more than \(policy.maximumQuestions) questions were asked for one request"
        } else if session.active?.run.notes.asks[id] ?? 0 > policy.maximumAsks {
            problem =
                "'\(phase.rawValue)' asked its question '\(id.prefix(128))' \(policy.maximumAsks) times without an answer that it can use"
        } else {
            return .accepted
        }
        end(.failure, .failure, error: Rejection(.complex, problem, field: "ask"))
        return .refused
    }
}
