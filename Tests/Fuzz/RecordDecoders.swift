import Conversation
import IntentEvents
import IntentModel
import Pipeline
import RecordEncryption
import RecordLog

func decodeRequest(_ input: [UInt8]) {
    decode(input, on: topics.requests, RequestEvent.init) { event, record in
        let ids = [event.id.text, event.session.text]
        require(!ids.contains(""), "an event and its session have ids")
        for name in ids + event.event.names + [event.principal?.id.text ?? ""] {
            require(!name.hasControlCharacters, "'\(name)' has no control characters")
        }
        // The times of the person's own clock are relative to the record's timestamp.
        var encoder = EventEncoder(source: "/fuzz")
        let written = encoder.record(
            event.event, session: event.session, id: event.id, topics: topics, to: topics.answers, token: event.token,
            secret: event.secret, from: event.principal, at: Instant(milliseconds: record.timestamp))
        guard let written else { return require(false, "every request can be written") }
        guard let again = reread(written, RequestEvent.init) else { return }
        require(
            again.session == event.session && again.id == event.id && again.token == event.token
                && again.secret == event.secret && again.principal == event.principal,
            "a request's address and sender are read as they were")
        requireSame(again.event, event.event)
    }
}

func decodeOutcome(_ input: [UInt8]) {
    for record in FuzzedRecords(input, topic: topics.outcomes) { _ = OutcomeEvent.ticket(record) }
    decode(input, on: topics.outcomes, OutcomeEvent.init) { event, _ in
        require(!event.session.text.hasControlCharacters, "a session's id has no control characters")
        var encoder = EventEncoder(source: "/fuzz")
        let written = encoder.record(event.outcome, session: event.session, topics: topics, partition: 0, at: start)
        guard let again = reread(written, OutcomeEvent.init, mayGrow: true) else { return }
        requireSame(again.outcome, event.outcome)
    }
}

func decodeWork(_ input: [UInt8]) {
    decode(input, on: topics.handle, WorkEvent.init) { event, _ in
        require(event.work.step >= 0 && !event.work.request.isEmpty && !event.work.intent.isEmpty, "work is addressed")
        var encoder = EventEncoder(source: "/fuzz")
        let written = encoder.record(event.work, session: event.session, topics: topics, partition: 0, at: start)
        guard let again = reread(written, WorkEvent.init, mayGrow: true) else { return }
        requireSame(again.work, event.work.asWritten)
    }
}

/// Decodes records of the catalogue. An entry that was read is written unchanged, and a table accepts any record.
func decodeCatalogue(_ input: [UInt8]) {
    var catalogue = Catalogue()
    for record in FuzzedRecords(input, topic: topics.catalog) {
        do {
            let read = try CatalogueRecord(record)
            var encoder = EventEncoder(source: "/fuzz")
            let written: Record? =
                switch read {
                case .intent(let intent): encoder.record(intent, topics: topics, at: start)
                case .lease(let lease, _, _): encoder.record(lease, topics: topics, at: start)
                case .withdrawn: nil
                }
            if let written { requireSame(reread(written, CatalogueRecord.init)?.key, read.key) }
            _ = try catalogue.take(record, at: start)
        } catch { checkMessage(error, of: record) }
        _ = CatalogueRoutes(catalogue.entries).answer(for: "RequestRide")
    }
}

/// Decodes the memory of people and its changes. A record that was read is written unchanged, and a table and a
/// person's memory accept any record.
func decodeMemory(_ input: [UInt8]) {
    var memories = PersonMemories(maximumBytes: 4_000)
    var person = RememberedPerson()
    for record in FuzzedRecords(input, topic: topics.memory) {
        do {
            let read = try MemoryRecord(record)
            requireSame(try? MemoryRecord(ConsumedRecord(read.record(topics: topics, partition: 0, at: start))), read)
            memories.take(read)
            if let read = read.person { person = read }
        } catch { checkMessage(error, of: record) }
        require(memories.count <= 1 || memories.bytes <= 4_000, "the table keeps its bounds")
        do {
            let read = try MemoryChangeRecord(record)
            requireSame(try? MemoryChangeRecord(ConsumedRecord(read.record(topics: topics, at: start))), read)
            checkTaking(read.change, &person)
        } catch { checkMessage(error, of: record) }
    }
}

private func checkTaking(_ change: MemoryChange, _ person: inout RememberedPerson) {
    let before = person
    let place = MemoryPosition(epoch: before.position.epoch, offset: before.position.offset + 1)
    let isTaken = person.take(change, at: place)
    require(isTaken || person == before, "a change that was taken before changes nothing")
    let after = person
    let isTakenAgain = person.take(change, at: MemoryPosition(epoch: place.epoch, offset: place.offset + 1))
    require(!isTakenAgain && person == after, "a change is taken once")
    guard isTaken else { return }
    require(person.values.count <= max(before.values.count, RememberedPerson.maximumValues), "values are bounded")
    require(
        person.forgettings.count <= max(before.forgettings.count, RememberedPerson.maximumForgettings),
        "forgettings merge")
    if case .forget(let keys) = change.kind {
        require(!person.values.contains { keys?.contains($0.key) ?? true }, "what is forgotten is gone")
    }
}

/// Decodes results, and follows the sequences of their sessions.
func decodeResults(_ input: [UInt8]) {
    var filter = SequenceFilter(maximumSessions: 4)
    decode(input, on: topics.results, ReceivedResult.init, refusal: checkMessage) { result, _ in
        _ = (result.prompt, result.promptKind, result.offeredHandoff, result.status)
        _ = filter.judge(result)
        let verdict = filter.judge(result)
        if result.session != nil, let sequence = result.sequence, 1...1 << 53 ~= sequence {
            require(verdict == .copy, "the same result again is a copy, and not \(verdict)")
        }
    }
}

/// Decodes records of the journal. A session that was read is written and read unchanged, and continues without a trap,
/// whatever its content.
func decodeJournal(_ input: [UInt8]) {
    for record in FuzzedRecords(input, topic: topics.sessions) {
        if let terms = FenceTerms(record.value).partitions {
            requireSame(FenceTerms(FenceTerms(partitions: terms).bytes).partitions, terms)
        }
        if let raw = record.header("intents-journal"), let stamp = JournalStamp(String(decoding: raw, as: UTF8.self)) {
            requireSame(JournalStamp(stamp.description), stamp)
        }
    }
    decode(input, on: topics.sessions, JournalRecord.init) { read, _ in
        let written = read.record(topic: topics.sessions, partition: 0, at: start)
        guard let again = reread(written, JournalRecord.init) else { return }
        // The key of a fence is derived from its stamp.
        if case .fence = read.content { return }
        var expected = read
        expected.stamp.format = again.stamp.format
        requireSame(again, expected)
        if case .session(_, let session?) = read.content { resume(session) }
    }
}

private func resume(_ journaled: JournaledSession) {
    _ = journaled.remains
    var randomness = Randomness(seed: 1)
    var policy = SessionPolicy()
    policy.idleTimeout = .seconds(60)
    let events: [SessionEvent] = [
        .timer, .cancelled(request: nil), .requested(IntentRequest(id: "next", intent: "Next")), .ended(reason: nil),
    ]
    for event in events {
        var session = journaled.session
        for time in [start, start.advanced(by: .seconds(86_400 * 365))] {
            _ = session.nextTimer(policy)
            _ = session.receive(event, at: time, policy: policy, randomness: &randomness)
        }
    }
}

private let keys = try? EncryptionKeys(parsing: String(repeating: "0a", count: 32))

/// Decodes files of keys, records of `intents.keys`, and headers of encrypted records. Without the key, no input may
/// contain a wrapped key that the key unwraps.
func decodeEncryption(_ input: [UInt8]) {
    _ = try? EncryptionKeys(parsing: String(decoding: input, as: UTF8.self))
    for record in FuzzedRecords(input, topic: topics.outcomes) {
        if let wrapped = KeyRecord.wrapped(in: record) {
            require(keys?.unwrap(wrapped, id: "id") == nil, "a key is wrapped only with a key of the file")
        }
        switch RecordSeal(record) {
        case .own(let wrapped)?: require(keys?.unwrap(wrapped, id: "own") == nil, "only the file's keys wrap")
        case .shared(let id)?: require(KeyRecord.id(of: record) == id, "the id is that of the header")
        case nil: require(KeyRecord.id(of: record) == nil, "what is not encrypted has no key")
        }
    }
}

/// Decodes dead letters as an operator reads and replays them, and the marks on dead letters.
func decodeDeadLetter(_ input: [UInt8]) {
    for record in FuzzedRecords(input, topic: topics.deadLetters) {
        if let letter = ReadDeadLetter(record) {
            _ = (letter.session, letter.eventID, letter.place)
            for force in [false, true] {
                do {
                    let replayed = try letter.replay(topics: topics, force: force)
                    require([topics.requests, topics.outcomes].contains(replayed.topic), "only input is replayed")
                    requireSame([replayed.key, replayed.value], [letter.original.key, letter.original.value])
                } catch { require(!error.rejection.message.isEmpty, "a refusal says what is wrong") }
            }
        }
        if let mark = DeadLetterMark(record) {
            require(
                mark.partition == record.partition && mark.offset < record.offset,
                "a mark is on an earlier letter of its partition")
            var written = ConsumedRecord(mark.record(key: record.key, topics: topics), offset: record.offset)
            written.timestamp = record.timestamp
            requireSame(DeadLetterMark(written), mark)
        }
        if let key = record.key.flatMap({ String(validating: $0, as: UTF8.self) }), let place = DeadLetterPlace(key) {
            requireSame(DeadLetterPlace(place.description), place)
        }
    }
}

extension SessionEvent {
    /// The names in an event that people and logs see.
    fileprivate var names: [String] {
        switch self {
        case .requested(let request), .unserved(let request, _):
            [request.id.text, request.intent.text, request.locale ?? ""] + request.parameters.map(\.name)
        case .answered(let answer): [answer.prompt.text] + answer.parameters.map(\.name)
        case .optionsRequested(let request): [request.prompt.text, request.search ?? ""]
        case .corrected(let correction): [correction.parameter, correction.request?.text ?? ""]
        case .cancelled(let request): [request?.text ?? ""]
        case .handoffClaimed(let handoff, let claimant), .handoffReturned(let handoff, let claimant),
            .handoffCompleted(let handoff, let claimant, _):
            [handoff.text, claimant.name.text]
        case .ended(let reason): [reason ?? ""]
        case .updatesStarted(let request), .updatesStopped(let request): [request.text]
        case .undoRequested(let undo): [undo.id.text, undo.request?.text ?? ""]
        case .forgotten, .outcome, .unreadableOutcome, .workRefused, .refused, .memoryChanged, .changeRefused, .timer:
            []
        }
    }
}
