import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog

// The persons, and clients that claim to be one. The persons act at random, often against the rules, and the books
// judge what follows. A ScriptedPerson only answers as its script says.
extension SimulationWorld {
    /// Writes the event of a move.
    ///
    /// - Returns: `true` if there was an event to write.
    @discardableResult
    func act(_ session: String, _ move: PersonMove, _ number: Int, _ random: inout SimulationRandom) -> Bool {
        let book = books.with { $0.sessions[session] ?? SessionBook() }
        let id = "m\(number)"
        guard var event = event(session, move, number, book, &random) else { return false }
        if case .requested(let request) = event, move == .misplacedRequest {
            // The producer of such a request chooses partitions in another way.
            write(event, session, request.id.text, isMisplaced: true)
            return true
        }
        if case .requested(let request) = event {
            write(event, session, request.id.text)
            books.withLedger { $0.sessions[session, default: SessionBook()].requests.append(request.id.text) }
            return true
        }
        var other: Principal?
        if case .answered(var answer) = event {
            let needsOthers = book.prompts.contains { $0.id == answer.prompt.text && $0.needsOthers }
            if needsOthers, random.once(in: 2) {
                other = another(&answer, number)
                event = .answered(answer)
            }
            recordAnswer(answer, of: move, session, from: other)
        }
        var token: String?
        if case .handoffClaimed(let handoff, _) = event {
            let offer = book.offers[handoff.text]
            token = move == .claimWithOldToken ? offer?.older.last : offer?.token
        }
        write(event, session, id, token: token, from: other)
        let isRepeated: Bool =
            switch move {
            case .answerTwice, .stopUpdatesTwice: true
            case .cancel, .claim, .startUpdates, .endSession: random.once(in: 3)
            default: false
            }
        // Some persons are impatient and repeat their event.
        if isRepeated { write(event, session, "\(id)-again", token: token, from: other) }
        return true
    }

    /// Many persons act before any process takes a step.
    func burst(_ requests: Int, _ others: Int, _ number: Int, _ random: inout SimulationRandom) {
        for index in 0..<requests + others {
            let session = random.pick(script.sessions)
            let move =
                index < requests ? .request : random.once(in: 3) ? random.pick(SimulationScript.actions) : .answer
            if index >= requests, move == .request { continue }
            act(session, move, number * 1_000 + index, &random)
        }
    }

    /// Lets another one answer an approval: the approver, who sometimes delegates it, or the deputy, who may agree only
    /// then.
    ///
    /// The draws are separate from those of the moves, so that other histories stay what they are.
    private func another(_ answer: inout Answer, _ number: Int) -> Principal {
        var random = SimulationRandom(seed: script.seed, "approvers", "\(number)")
        if random.once(in: 3) { return SimulatedHandlers.deputy }
        if random.once(in: 3) {
            answer = Answer(prompt: answer.prompt, action: .delegate)
            answer.delegate = SimulatedHandlers.deputy
        }
        answer.roles = [SimulatedHandlers.approver.role]
        return SimulatedHandlers.approver.principal
    }

    /// Records an answer of the person or of another one, and the summary that is agreed to.
    private func recordAnswer(_ answer: Answer, of move: PersonMove, _ session: String, from other: Principal?) {
        books.withLedger { ledger in
            guard let index = ledger.sessions[session]?.prompts.lastIndex(where: { $0.id == answer.prompt.text }) else {
                return
            }
            if answer.action == .delegate { ledger.sessions[session]?.prompts[index].isDelegated = true }
            guard let prompt = ledger.sessions[session]?.prompts[index] else { return }
            let isStranger = other == SimulatedHandlers.deputy && !prompt.isDelegated
            if move != .answerWrongly, !isStranger { ledger.sessions[session]?.prompts[index].isAnswered = true }
            let key = "\(session)/\(prompt.request)"
            // The option of words such as "number 2", or the first one.
            let place = answer.utterance.map { Int($0.text.split(separator: " ").last ?? "") ?? 1 }
            let said = place.flatMap { prompt.options.indices.contains($0 - 1) ? prompt.options[$0 - 1] : nil }
            if let option = answer.option ?? said {
                ledger.requests[key, default: RequestBook()].choice.named.insert(option)
            }
            // If clocks were skewed, the validity of a confirmation can't be judged by this clock.
            let isExpired =
                !hasSkewedClocks
                && ledger.requests[key]?.agreement.validFor.map { prompt.asked.advanced(by: $0) < clock.now } == true
            guard answer.action == .accept, answer.parameters.isEmpty, answer.value == nil,
                answer.utterance.map({ Self.agreements.contains($0.text) }) ?? true
            else { return }
            if isStranger { return }
            ledger.sessions[session]?.prompts[index].consents.insert(other != nil)
            if prompt.needsOthers, prompt.consents.union([other != nil]).count < 2 { return }
            if prompt.isWithoutWords { ledger.requests[key, default: RequestBook()].agreement.isWithoutWords = true }
            if let summary = prompt.summary {
                ledger.requests[key, default: RequestBook()].agreement.accepted.insert(summary)
                // An approval stands if the confirmer, asked again, asks for the same.
                if isExpired, !prompt.needsOthers {
                    ledger.requests[key]?.agreement.expired.insert(summary)
                } else {
                    ledger.requests[key]?.agreement.agreed.insert(summary)
                }
            }
        }
    }

    private func write(
        _ event: SessionEvent, _ session: String, _ id: String, token: String? = nil, from other: Principal? = nil,
        isMisplaced: Bool = false
    ) {
        let record = encoder.record(
            event, session: Identifier(session), id: Identifier(id), topics: topics,
            to: topic(for: event, of: session, id), token: token,
            secret: Self.secret,
            from: other ?? principal(of: session, event), at: devices.now)
        guard var record else { return }
        if isMisplaced { record.partition = (partition(of: session) + 1) % Self.partitions }
        // Producers set the timestamps of their records.
        var random = SimulationRandom(seed: script.seed, "timestamp", id)
        if random.once(in: 20) {
            // All timestamps differ, because an owner distinguishes one log from another by the timestamps of its
            // records.
            record.timestamp = random.pick(Self.hostileTimestamps) + Int64(random.within(0...1_000_000))
            countFault("a record with a timestamp far from now")
        }
        _ = try? log.append(record)
    }

    private static let hostileTimestamps: [Int64] = [
        .min, -9_223_118_634_554_000_000, 0, 253_402_300_800_000, .max - 1_000_000,
    ]

    /// Returns the topic of a person's event. Most persons use one topic if the trust allows it, and some write to
    /// both.
    private func topic(for event: SessionEvent, of session: String, _ id: String) -> String {
        if script.older != nil { return topics.requests }
        if traits.trust == .separate { if case .requested = event {} else { return topics.answers } }
        var random = SimulationRandom(seed: script.seed, "topic", session)
        if random.once(in: 4) { random = SimulationRandom(seed: script.seed, "topic", id) }
        return random.once(in: 2) ? topics.requests : topics.answers
    }

    private func person(of session: String) -> Identifier { traits.isOnePerson ? "ann" : Identifier(session) }

    private func principal(of session: String, _ event: SessionEvent) -> Principal? {
        guard traits.hasPrincipals else { return nil }
        // Only operators end sessions.
        if case .ended = event { return Principal(.system, "") }
        return Principal(.appUser, person(of: session))
    }

    /// Sends an event from a program that may not speak for the person of an open session: another principal, or a
    /// producer of requests.
    func intrude(_ session: String, _ number: Int, _ random: inout SimulationRandom) {
        let isProducer = traits.trust == .separate && (!traits.hasPrincipals || random.once(in: 2))
        let book = books.with { $0.sessions[session] ?? SessionBook() }
        let word = SimulationForgery.word
        if let handoff = book.handoffs.last, random.once(in: 2) {
            let id = "f\(number)"
            if traits.tokens != nil, random.once(in: 2) {
                return forge(
                    .handoffClaimed(handoff: Identifier(handoff), claimant: Claimant(Identifier(word))), of: session, id
                )
            }
            act(session, .claim, 6_000_000 + number, &random)
            let response = IntentResponse(.success, dialog: word)
            return forge(
                .handoffCompleted(handoff: Identifier(handoff), claimant: "phone", response: response), of: session, id)
        }
        guard isProducer || traits.hasPrincipals else { return }
        let event: SessionEvent
        switch (random.below(4), book.prompts.last, book.handoffs.last) {
        case (0, _, let handoff?):
            event = .handoffClaimed(handoff: Identifier(handoff), claimant: Claimant(Identifier(word)))
        case (1, _, _):
            event = .corrected(
                Correction(
                    request: book.requests.last.map { Identifier($0) }, parameter: "dropOff", value: .string(word)))
        // A producer may fill in a parameter, so such an answer is no intrusion.
        case (_, let prompt?, _) where isProducer && (prompt.kind == .value || prompt.kind == .choice): return
        case (_, let prompt?, _):
            var answer = Answer(prompt: Identifier(prompt.id), action: .accept)
            if prompt.kind == .value { answer.value = .string(word) }
            if prompt.kind == .choice { answer.option = prompt.options.first }
            event = .answered(answer)
        default: return
        }
        var encoder = EventEncoder(source: SimulationForgery.source)
        let token = if case .handoffClaimed(let id, _) = event { book.offers[id.text]?.token } else { String?.none }
        let record = encoder.record(
            event, session: Identifier(session), id: "f\(number)", topics: topics,
            to: isProducer || script.older != nil ? topics.requests : topics.answers,
            token: token, secret: Self.secret, from: Principal(.appUser, isProducer ? person(of: session) : "stranger"),
            at: devices.now)
        _ = record.flatMap { try? log.append($0) }
    }

    /// Lets another app of the person claim a handoff without its token, or complete the handoff in the name of the app
    /// that has claimed it.
    private func forge(_ event: SessionEvent, of session: String, _ id: String) {
        var encoder = EventEncoder(source: SimulationForgery.source)
        let record = encoder.record(
            event, session: Identifier(session), id: Identifier(id), topics: topics,
            to: topic(for: event, of: session, id),
            secret: "the secret of another app",
            from: principal(of: session, event), at: devices.now)
        _ = record.flatMap { try? log.append($0) }
    }

    private static let secret = "the secret of the person's app"

    private func event(
        _ session: String, _ move: PersonMove, _ number: Int, _ book: SessionBook, _ random: inout SimulationRandom
    ) -> SessionEvent? {
        let prompt = book.prompts.last
        let handoff = book.handoffs.last ?? "none"
        switch move {
        case .request:
            // Some requests have the id of a request that another request will open.
            let taken = random.once(in: 12) ? book.requests.last.map { "\($0).opens" } : nil
            let isNew = taken.map { id in books.withLedger { $0.requests["\(session)/\(id)"] == nil } } ?? false
            return .requested(request(isNew ? taken ?? "" : "q\(number)", &random))
        case .answer:
            guard let prompt, !prompt.isAnswered else { return nil }
            return .answered(inWords(answer(prompt, &random), prompt, number))
        case .listOptions:
            let prompt = random.once(in: 4) ? book.prompts.first : prompt
            return .optionsRequested(
                OptionsRequest(
                    prompt: Identifier(prompt?.id ?? "none"), search: random.once(in: 2) ? "option 2" : nil,
                    start: random.below(3)))
        case .answerTwice: return prompt.map { .answered(inWords(answer($0, &random), $0, number)) }
        case .answerWrongly:
            guard let prompt else { return nil }
            var answer = Answer(prompt: Identifier(prompt.id), action: .accept)
            if random.once(in: 2) { answer.value = word(&random) }
            if random.once(in: 2) { answer.option = random.pick(prompt.options + ["x"]) }
            if prompt.kind == .confirmIntent, random.once(in: 2) {
                answer.value = .string("no")
            } else if prompt.kind == .confirmIntent || random.once(in: 4) {
                answer.parameters = [change(of: prompt.request, session, &random)]
            }
            return .answered(inWords(answer, prompt, number))
        case .answerLate:
            guard book.prompts.count > 1 else { return nil }
            return .answered(answer(book.prompts[random.below(book.prompts.count - 1)], &random))
        case .answerForeign:
            let others = script.sessions.filter { $0 != session }
            let foreign = books.withLedger { ledger in
                others.compactMap { ledger.sessions[$0]?.prompts.last?.id }.first
            }
            return .answered(
                Answer(prompt: Identifier(foreign ?? "none"), action: .accept, value: .string("north"), option: "1"))
        case .decline:
            guard let prompt else { return nil }
            let changes = random.once(in: 3) ? [change(of: prompt.request, session, &random)] : []
            return .answered(Answer(prompt: Identifier(prompt.id), action: .decline, parameters: changes))
        case .cancelPrompt: return prompt.map { .answered(Answer(prompt: Identifier($0.id), action: .cancel)) }
        case .correct:
            let request = random.once(in: 2) ? nil : book.requests.last
            let state = change(of: request, session, &random)
            return .corrected(
                Correction(request: request.map { Identifier($0) }, parameter: state.name, value: state.value ?? .null))
        case .cancel: return .cancelled(request: nil)
        case .cancelAny:
            return book.requests.isEmpty ? nil : .cancelled(request: Identifier(random.pick(book.requests)))
        case .claim, .claimWithOldToken: return .handoffClaimed(handoff: Identifier(handoff), claimant: "phone")
        case .claimAsAnother: return .handoffClaimed(handoff: Identifier(handoff), claimant: "watch")
        case .complete:
            return .handoffCompleted(
                handoff: Identifier(handoff), claimant: random.once(in: 5) ? "watch" : "phone",
                response: IntentResponse(random.pick(["success", "success", "failure", "ready"])))
        case .returnHandoff:
            return .handoffReturned(handoff: Identifier(handoff), claimant: random.once(in: 5) ? "watch" : "phone")
        case .startUpdates: return .updatesStarted(request: Identifier(request(of: session, book, &random)))
        case .stopUpdates, .stopUpdatesTwice:
            return .updatesStopped(request: Identifier(request(of: session, book, &random)))
        case .updatesOfNothing:
            return random.once(in: 2) ? .updatesStarted(request: "none") : .updatesStopped(request: "none")
        case .forget:
            let keys = random.pick([nil, ["party", "favourite"], ["other"]])
            return .forgotten(Forgetting(keys: keys, scope: random.once(in: 2) ? .person : .session))
        case .endSession: return .ended(reason: random.once(in: 2) ? "over" : nil)
        case .misplacedRequest: return .requested(request("q\(number)", &random))
        case .requestOnce: return .requested(request("q\(number)", for: SimulatedHandlers.once, &random))
        }
    }

    /// Returns a request of the session: usually the last one that has succeeded, if there is one.
    private func request(of session: String, _ book: SessionBook, _ random: inout SimulationRandom) -> String {
        let done = books.withLedger { ledger in
            book.requests.filter { ledger.requests["\(session)/\($0)"]?.completions.last == .success }
        }
        if let last = done.last, !random.once(in: 4) { return last }
        return random.pick(book.requests + ["none"])
    }
}
