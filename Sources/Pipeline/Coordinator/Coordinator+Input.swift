import Conversation
import DequeModule
import IntentEvents
import Logging
import RecordLog

// Input comes in, waits where it has to, and is looked at where none comes.
extension Coordinator {
    func input(_ record: ConsumedRecord, _ partition: OwnedPartition) throws(LogError) {
        guard partition.isActive, let input = JournalInput(record.topic, topics) else { return }
        let verdict = partition.journal.judge(record, of: input)
        // No stamp names this record until its rejection or dead letter is sent again, so it is sent before the others.
        if verdict == .open { try tellAgain(record, partition) }
        if !partition.input.unchecked.isEmpty { try tellChecked(input, partition) }
        switch verdict {
        case .next: break
        case .open: return
        case .unchecked: return partition.input.unchecked[input, default: []].append(.record(record))
        case .known, .otherLog: return try perform(partition)
        }
        if partition.input.isHeld { return partition.input.waiting.append(.record(record)) }
        guard try readSession(of: record, partition) else { return }
        if input == .outcomes { try outcome(record, partition) } else { try request(record, input, partition) }
    }

    private func request(_ record: ConsumedRecord, _ input: JournalInput, _ partition: OwnedPartition) throws(LogError)
    {
        let event: RequestEvent
        do { event = try RequestEvent(record) } catch { return try refuse(record, error, partition) }
        let entry = partition.sessions[event.session]
        if entry == nil, try !hasKey(for: record, partition) { return }
        counters.consumed.add(event.type, in: record.topic)
        partition.journal[input].take(record)
        let (session, id) = (event.session, event.id)
        switch intake.judge(
            event, key: record.key, on: input, in: partition.number, &partition.sessions, at: now)
        {
        case .misplaced(let rejection):
            counters.misplaced += 1
            try reject(record, rejection, session: session, event: id, partition)
        case .overloaded(let rejection):
            counters.overloads += 1
            try reject(record, rejection, session: session, event: id, isFinal: false, partition)
        case .refused(let rejection):
            try decide(.refused(rejection), session: session, event: id, opening: record, partition)
        case .admitted(var asked, let sender):
            if case .unserved = asked { counters.unserved += 1 }
            observers.tracing?.begin(&asked)
            if let person = sender.person(in: entry) {
                asked = intake.remembering(asked, for: person, event: id, entry, at: now)
            }
            try decide(asked, from: sender, session: session, event: id, opening: record, partition)
        }
    }

    private func outcome(_ record: ConsumedRecord, _ partition: OwnedPartition) throws(LogError) {
        var event: OutcomeEvent
        do { event = try OutcomeEvent(record) } catch { return try refuse(record, error, partition) }
        let entry = partition.sessions[event.session]
        if let entry, !entry.look({ $0.authorizes(event.outcome) }) {  // rule: outcomesNeedTheirTicket
            ignored(.unauthorizedOutcome, session: event.session)
            return try refuse(record, event.outcome.refusal, partition)
        }
        counters.consumed.add(event.outcome.content.eventType(of: event.outcome.phase), in: record.topic)
        partition.journal[.outcomes].take(record)
        guard let entry else { return ignored(.staleOutcome) }
        intake.complete(&event.outcome, entry, at: now)
        try decide(
            .outcome(event.outcome), session: event.session, event: nil, bytes: record.value?.count, partition)
    }

    /// Continues with input that had to wait.
    func resumeInput(_ partition: OwnedPartition) throws(LogError) {
        while !partition.input.isHeld, let next = partition.input.waiting.popFirst() { try take(next, partition) }
    }

    /// Continues with what had to wait until it was clear that the log is the one that was read before.
    func tellChecked(_ input: JournalInput, _ partition: OwnedPartition) throws(LogError) {
        guard !partition.journal[input].isUnchecked, let checked = partition.input.unchecked.removeValue(forKey: input)
        else { return }
        for next in checked { try take(next, partition) }
    }

    private func take(_ next: WaitingInput, _ partition: OwnedPartition) throws(LogError) {
        switch next {
        case .record(let record): try input(record, partition)
        case .unreadable(let batch): try passOver(batch, partition)
        }
    }

    /// `false` if the record has to wait, because keys for new sessions are on their way to the log. Without keys for 5 s, the record goes on, and its session is rejected.
    private func hasKey(for record: ConsumedRecord, _ partition: OwnedPartition) throws(LogError) -> Bool {
        guard client.sessionKeys(of: partition.number) == .pending else {  // rule: newSessionsWaitForAKey
            return true
        }
        partition.input.lacksKey = true
        partition.input.waiting.prepend(.record(record))
        try pause(partition)
        return false
    }

    /// `true` if more than a part of the partition's bytes is in flight. Each partition has an equal share of the process's bytes, so none waits for the acknowledgements
    /// of another one.
    func exceedsBytes(_ partition: OwnedPartition, share: Int) -> Bool {
        let most = min(
            configuration.limits.maximumInFlightBytes,
            configuration.limits.maximumInFlightBytesOfAll / max(1, inOrder.count))
        return partition.journal.inFlightBytes > most / share
    }

    private func hasManyResults(_ partition: OwnedPartition) -> Bool {
        outbound.count(of: TopicPartition(topics.results, partition.number)) > configuration.limits.maximumInFlight / 2
    }

    func pause(_ partition: OwnedPartition) throws(LogError) {
        guard !partition.input.isPaused else { return }
        partition.input.isPaused = true
        try client.pause(inputs(of: partition))
    }

    /// Takes input again once there is room.
    func resumeIfPossible(_ partition: OwnedPartition) throws(LogError) {
        if partition.input.isFull, !exceedsBytes(partition, share: 2), !hasManyResults(partition) {
            partition.input.isFull = false
            try resumeInput(partition)
        }
        if partition.input.lacksKey, client.sessionKeys(of: partition.number) != .pending {
            partition.input.lacksKey = false
            try resumeInput(partition)
        }
        guard partition.input.isPaused, !partition.input.isHeld,
            partition.journal.inFlight <= configuration.limits.maximumInFlight / 2,
            partition.isActive
        else { return }
        partition.input.isPaused = false
        try client.resume(inputs(of: partition))
    }

    private func inputs(of partition: OwnedPartition) -> [TopicPartition] {
        JournalInput.allCases.map { TopicPartition($0.topic(topics), partition.number) }
    }

    // MARK: Looking

    // The first record of an input shows whether it is the log that was read before. A log that ends right before that record shows nothing until more is written,
    // so where no record has come for a while, the owner looks where the input ends. It also looks where the log has records that do not arrive: if the last stable
    // offset is below the end, another producer has an open transaction.
    func lookAtInputs(of partition: OwnedPartition) throws(LogError) {
        for input in partition.journal.unchecked where partition.lookedAt.insert(input).inserted {
            try client.read(
                TopicPartition(input.topic(topics), partition.number), from: partition.journal[input].checkpoint)
        }
        guard partition.input.isStarted, !partition.input.isPaused, !partition.input.isHeld else { return }
        for input in JournalInput.allCases {
            let place = TopicPartition(input.topic(topics), partition.number)
            let (next, end) = (partition.journal[input].next, client.knownEnd(of: place))
            guard partition.stalls[input, default: InputStall()].needsLook(next: next, end: end),
                partition.lookedAt.insert(input).inserted
            else { continue }
            try client.read(place, from: .end)
        }
    }

    /// An input was looked at, and ends here for readers.
    func found(stable: Int64, of place: TopicPartition, _ input: JournalInput, _ partition: OwnedPartition) {
        guard let end = client.knownEnd(of: place),
            partition.stalls[input]?.found(stable: stable, end: end, at: now) == true
        else {
            return
        }
        logger.error(
            """
            a producer has an open transaction: its records, and all that others wrote after them, are not read until it ends. 'kafka-transactions.sh \
            describe-producers' names the producer, 'kafka-transactions.sh abort' ends its transaction
            """,
            metadata: [
                "topic": "\(place.topic)", "partition": "\(place.partition)", "offset": "\(stable)", "end": "\(end)",
            ])
    }

    /// The times since when open transactions have withheld records of inputs.
    var withheldSince: [TopicPartition: Instant] {
        var withheld: [TopicPartition: Instant] = [:]
        for partition in inOrder where partition.isActive {
            for (input, stall) in partition.stalls {
                if let open = stall.open {
                    withheld[TopicPartition(input.topic(topics), partition.number)] = open.since
                }
            }
        }
        return withheld
    }

    func stopLooking(at input: JournalInput, _ partition: OwnedPartition) throws(LogError) {
        guard partition.lookedAt.remove(input) != nil else { return }
        try client.stopReading(TopicPartition(input.topic(topics), partition.number))
    }

    func stopLooking(_ partition: OwnedPartition) throws(LogError) {
        for input in JournalInput.allCases { try stopLooking(at: input, partition) }
    }
}
