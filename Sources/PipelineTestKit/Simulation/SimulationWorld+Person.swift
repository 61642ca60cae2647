import Conversation
import IntentEvents
import IntentModel
import RecordLog

// The persons, and clients that claim to be one.
extension SimulationWorld {
    /// Writes the event of a move.
    ///
    /// - Returns: Whether there was an event to write.
    @discardableResult
    func act(_ session: String, _ move: PersonMove, _ number: Int, _ random: inout SimulationRandom) -> Bool {
        let book = books.with { $0.sessions[session] ?? SessionBook() }
        let id = "m\(number)"
        guard let event = event(session, move, number, book, &random) else { return false }
        if case .requested = event {
            write(event, session, "q\(number)")
            books.note { $0.sessions[session, default: SessionBook()].requests.append("q\(number)") }
            return true
        }
        if move != .answerWrongly, case .answered(let answer) = event { note(answer, session) }
        var token: String?
        if case .handoffClaimed(let handoff, _) = event {
            let offer = book.offers[handoff]
            token = move == .claimWithOldToken ? offer?.older.last : offer?.token
        }
        write(event, session, id, token: token)
        if move == .answerTwice || move == .stopUpdatesTwice { write(event, session, "\(id)-again") }
        return true
    }

    private func note(_ answer: Answer, _ session: String) {
        books.note { ledger in
            guard let index = ledger.sessions[session]?.prompts.lastIndex(where: { $0.id == answer.prompt }) else { return }
            ledger.sessions[session]?.prompts[index].isAnswered = true
        }
    }

    private func write(_ event: SessionEvent, _ session: String, _ id: String, token: String? = nil) {
        guard let record = encoder.record(event, session: session, id: id, topics: topics, token: token, at: clock.now) else { return }
        _ = try? log.append(record)
    }

    private func event(
        _ session: String, _ move: PersonMove, _ number: Int, _ book: SessionBook, _ random: inout SimulationRandom
    ) -> SessionEvent? {
        let prompt = book.prompts.last
        let handoff = book.handoffs.last ?? "none"
        switch move {
        case .request: return .requested(request("q\(number)", &random))
        case .answer:
            guard let prompt, !prompt.isAnswered else { return nil }
            return .answered(answer(prompt, session, &random))
        case .answerTwice: return prompt.map { .answered(answer($0, session, &random)) }
        case .answerWrongly:
            guard let prompt else { return nil }
            var answer = Answer(prompt: prompt.id, action: .accept)
            if random.once(in: 2) { answer.value = value(&random) }
            if random.once(in: 2) { answer.option = random.pick(prompt.options + ["x"]) }
            if prompt.kind == .confirmIntent || random.once(in: 4) { answer.parameters = [change(&random)] }
            if prompt.kind == .confirmIntent, answer.parameters.isEmpty { agree(prompt, session) }
            return .answered(answer)
        case .answerLate:
            guard book.prompts.count > 1 else { return nil }
            return .answered(answer(book.prompts[random.below(book.prompts.count - 1)], session, &random))
        case .answerForeign:
            let others = SimulationScript.sessions.filter { $0 != session }
            let foreign = books.note { ledger in others.compactMap { ledger.sessions[$0]?.prompts.last?.id }.first }
            return .answered(Answer(prompt: foreign ?? "none", action: .accept, value: .string("north"), option: "1"))
        case .decline: return prompt.map { .answered(Answer(prompt: $0.id, action: .decline)) }
        case .cancelPrompt: return prompt.map { .answered(Answer(prompt: $0.id, action: .cancel)) }
        case .correct:
            let state = change(&random)
            let request = random.once(in: 2) ? nil : book.requests.last
            return .corrected(Correction(request: request, parameter: state.name, value: state.value ?? .null))
        case .cancel: return .cancelled(request: nil)
        case .cancelAny: return book.requests.isEmpty ? nil : .cancelled(request: random.pick(book.requests))
        case .claim, .claimWithOldToken: return .handoffClaimed(handoff: handoff, claimant: "phone")
        case .claimAsAnother: return .handoffClaimed(handoff: handoff, claimant: "watch")
        case .complete:
            return .handoffCompleted(
                handoff: handoff, claimant: random.once(in: 5) ? "watch" : "phone",
                response: IntentResponse(random.pick(["success", "success", "failure", "ready"])))
        case .giveBack: return .handoffReturned(handoff: handoff, claimant: random.once(in: 5) ? "watch" : "phone")
        case .startUpdates: return .updatesStarted(request: request(of: session, book, &random))
        case .stopUpdates, .stopUpdatesTwice: return .updatesStopped(request: request(of: session, book, &random))
        case .updatesOfNothing: return random.once(in: 2) ? .updatesStarted(request: "none") : .updatesStopped(request: "none")
        case .forget: return .forgotten(keys: random.pick([nil, ["party"], ["other"]]))
        case .endSession: return .ended(reason: random.once(in: 2) ? "over" : nil)
        }
    }

    /// Usually the last request that has succeeded, if there is one.
    private func request(of session: String, _ book: SessionBook, _ random: inout SimulationRandom) -> String {
        let done = books.note { ledger in book.requests.filter { ledger.requests["\(session)/\($0)"]?.completions.last == .success } }
        if let last = done.last, !random.once(in: 4) { return last }
        return random.pick(book.requests + ["none"])
    }

    private func request(_ id: String, _ random: inout SimulationRandom) -> IntentRequest {
        var parameters: [ParameterState] = []
        if !random.once(in: 4) { parameters.append(ParameterState(name: "dropOff", value: value(&random))) }
        if random.once(in: 3) { parameters.append(ParameterState(name: "party", value: random.pick(SimulatedHandlers.party))) }
        return IntentRequest(
            id: id, intent: random.pick(SimulatedHandlers.intents), parameters: parameters,
            whenBusy: random.once(in: 2) ? .queue : random.pick(IntentRequest.WhenBusy.allCases),
            deadline: random.once(in: 8) ? clock.now.advanced(by: .seconds(random.within(-1...40))) : nil)
    }

    /// A suitable answer to the prompt.
    private func answer(_ prompt: SessionBook.OpenPrompt, _ session: String, _ random: inout SimulationRandom) -> Answer {
        var answer = Answer(prompt: prompt.id, action: .accept)
        switch prompt.kind {
        case .value: answer.value = random.once(in: 4) ? .string("n") : .string("north")
        case .choice: answer.option = random.pick(prompt.options.isEmpty ? ["1"] : prompt.options)
        case .confirmValue: break
        case .confirmIntent: agree(prompt, session)
        }
        return answer
    }

    private func agree(_ prompt: SessionBook.OpenPrompt, _ session: String) {
        books.note { $0.requests["\(session)/\(prompt.request)", default: RequestBook()].isAgreed = true }
    }

    private func value(_ random: inout SimulationRandom) -> JSON {
        .string(random.pick(["north", "north", "north", "northeast", "n", "n", "maybe", "moon"]))
    }

    private func change(_ random: inout SimulationRandom) -> ParameterState {
        random.once(in: 3)
            ? ParameterState(name: "party", value: random.once(in: 3) ? .null : random.pick(SimulatedHandlers.party))
            : ParameterState(name: "dropOff", value: random.once(in: 5) ? .null : value(&random))
    }
}
