import Conversation
import IntentEvents
import IntentModel
import Pipeline
import RecordLog

func decodeRequest(_ input: [UInt8]) {
    for record in FuzzedRecords(input, topic: topics.requests) {
        do {
            let event = try RequestEvent(record)
            require(!event.id.isEmpty && !event.id.text.hasControlCharacters, "an event id has no control characters")
            require(
                !event.session.isEmpty && !event.session.text.hasControlCharacters,
                "a session's id has no control characters")
            for name in event.event.names + [event.principal?.id.text ?? ""] {
                require(!name.hasControlCharacters, "'\(name)' has no control characters")
            }
            checkRewritten(event, at: Instant(milliseconds: record.timestamp))
        } catch {
            checkRefusal(error, of: record)
        }
    }
}

/// - Parameter time: The record's timestamp, which the times of the person's own clock are relative to.
private func checkRewritten(_ event: RequestEvent, at time: Instant) {
    var encoder = EventEncoder(source: "/fuzz")
    let record = encoder.record(
        event.event, session: event.session, id: event.id, topics: topics, to: topics.answers, token: event.token,
        secret: event.secret,
        from: event.principal, at: time)
    guard let record else {
        return require(false, "every request can be written")
    }
    do {
        let again = try RequestEvent(ConsumedRecord(record))
        require(
            again.session == event.session && again.id == event.id && again.token == event.token
                && again.secret == event.secret
                && again.principal == event.principal, "a request's address and sender are read as they were")
        require(again.event == event.event, "a request is read as it was written: \(event.event) became \(again.event)")
    } catch {
        require(false, "what was read can be written and read again: \(error.rejection.message)")
    }
}

func decodeOutcome(_ input: [UInt8]) {
    for record in FuzzedRecords(input, topic: topics.outcomes) {
        _ = OutcomeEvent.ticket(record)
        do {
            let event = try OutcomeEvent(record)
            require(!event.session.text.hasControlCharacters, "a session's id has no control characters")
            var encoder = EventEncoder(source: "/fuzz")
            let written = encoder.record(event.outcome, session: event.session, topics: topics, partition: 0, at: start)
            do {
                let again = try OutcomeEvent(ConsumedRecord(written))
                require(
                    again.outcome == event.outcome,
                    "an outcome is read as it was written: \(event.outcome) became \(again.outcome)")
            } catch {
                // Escapes make a text longer, so a text near its bounds may exceed them.
                require(
                    error.rejection.reason == .complex,
                    "an outcome can be written and read again: \(error.rejection.message)")
            }
        } catch {
            checkRefusal(error, of: record)
        }
    }
}

func decodeWork(_ input: [UInt8]) {
    for record in FuzzedRecords(input, topic: topics.handle) {
        do {
            let event = try WorkEvent(record)
            require(
                event.work.step >= 0 && !event.work.request.isEmpty && !event.work.intent.isEmpty, "work has an address"
            )
            var encoder = EventEncoder(source: "/fuzz")
            let written = encoder.record(event.work, session: event.session, topics: topics, partition: 0, at: start)
            do {
                let again = try WorkEvent(ConsumedRecord(written))
                require(
                    again.work == event.work.asWritten,
                    "work is read as it was written: \(event.work) became \(again.work)")
            } catch {
                require(
                    error.rejection.reason == .complex, "work can be written and read again: \(error.rejection.message)"
                )
            }
        } catch {
            checkRefusal(error, of: record)
        }
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
                case .lease(let lease, _): encoder.record(lease, topics: topics, at: start)
                case .withdrawn: nil
                }
            if let written {
                require(
                    (try? CatalogueRecord(ConsumedRecord(written)))?.key == read.key,
                    "an entry is read as it was written")
            }
            _ = try catalogue.take(record, at: start)
        } catch {
            require(!error.rejection.message.isEmpty, "a refusal says what is wrong")
        }
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
            let again = try? MemoryRecord(ConsumedRecord(read.record(topics: topics, partition: 0, at: start)))
            require(again == read, "what is remembered is read as it was written: \(read)")
            memories.take(read)
            if let read = read.person { person = read }
        } catch {
            require(!error.rejection.message.isEmpty, "a refusal says what is wrong")
        }
        require(memories.count <= 1 || memories.bytes <= 4_000, "the table keeps its bounds")
        do {
            let read = try MemoryChangeRecord(record)
            let again = try? MemoryChangeRecord(ConsumedRecord(read.record(topics: topics, at: start)))
            require(again == read, "a change is read as it was written: \(read)")
            checkTaking(read.change, &person)
        } catch {
            require(!error.rejection.message.isEmpty, "a refusal says what is wrong")
        }
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
    require(
        person.values.count <= max(before.values.count, RememberedPerson.maximumValues),
        "no more values than there is room for")
    require(
        person.forgettings.count <= max(before.forgettings.count, RememberedPerson.maximumForgettings),
        "the forgettings merge")
    if case .forget(let keys) = change.kind {
        require(!person.values.contains { keys?.contains($0.key) ?? true }, "what is forgotten is gone")
    }
}

/// Decodes results, and follows the sequences of their sessions.
func decodeResults(_ input: [UInt8]) {
    var filter = SequenceFilter(maximumSessions: 4)
    for record in FuzzedRecords(input, topic: topics.results) {
        do {
            let result = try ReceivedResult(record)
            _ = (result.prompt, result.promptKind, result.offeredHandoff, result.status)
            _ = filter.judge(result)
            let verdict = filter.judge(result)
            if result.session != nil, let sequence = result.sequence, 1...1 << 53 ~= sequence {
                require(verdict == .copy, "the same result again is a copy, and not \(verdict)")
            }
        } catch {
            require(!error.rejection.message.isEmpty, "a refusal says what is wrong")
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
