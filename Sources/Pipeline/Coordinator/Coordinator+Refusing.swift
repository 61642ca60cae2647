import Conversation
import IntentEvents
import IntentModel
import Logging
import RecordLog

// Input that no session decides on: records that can't be read, outcomes that are not from who got the work, and events that open no session. What is told of
// them is not in the journal. The partition goes on meanwhile, and stamps name them until the log has what is told.
extension Coordinator {
    /// Passes over a record that can't be read, and tells the sender. Its dead letter is written.
    func refuse(_ record: ConsumedRecord, _ error: EventError, _ partition: OwnedPartition) throws(LogError) {
        let isOutcome = record.topic == topics.outcomes
        if let input = JournalInput(record.topic, topics) {
            partition.journal[input].take(record)
            if try isOnlyCounted(record.offset..<record.offset + 1, error, of: input, partition) { return }
        }
        if error.isDeadLetter { try writeDeadLetter(record, error, partition) }
        let event = record.eventID
        guard let session = try? SessionKey.read(record) else {
            counters.refused[error.rejection.reason, default: 0] += 1
            counters.produced.add(.rejected, in: topics.results)
            let rejection = encoder.record(
                error.rejection, event: event, topics: topics, partition: partition.number, at: now)
            outbound.send(rejection, token: Token.untracked)
            return try holdBackRejections(partition)
        }
        if !isOutcome {
            try decide(.refused(error.rejection), session: session, event: event, opening: record, partition)
        } else if partition.sessions[session] != nil, error.rejection.reason != .unauthorized {
            let ticket = OutcomeEvent.ticket(record)
            try decide(.unreadableOutcome(error.rejection, ticket), session: session, event: event, partition)
        }
    }

    /// Rejects an event outside of any session. The rejection has no sequence: a session for each rejected event would let anyone fill a partition.
    ///
    /// - Parameter isFinal: whether the next owner, which may read the event again, would decide on it in the same way. If not, the journal has to have its position
    ///   before anyone is told: otherwise it could be rejected, and later be accepted all the same.
    func reject(
        _ record: ConsumedRecord, _ rejection: Rejection, session: Identifier?, event: Identifier, isFinal: Bool = true,
        _ partition: OwnedPartition
    ) throws(LogError) {
        counters.refused[rejection.reason, default: 0] += 1
        counters.produced.add(.rejected, in: topics.results)
        let principal = record.topic == topics.outcomes ? nil : (try? RequestEvent(record))?.principal
        let result = encoder.record(
            rejection, event: event, session: session, of: principal, topics: topics, partition: partition.number,
            at: now)
        let number = try leaveOpen(record.offset, of: record.topic, letter: nil, partition)
        if isFinal {  // rule: rejectionsAreFinal
            return outbound.send(result, token: Token.make(.openInput, partition, number: number))
        }
        partition.input.open[number]?.rejection = result
        try tell(partition) { $0.appendPositions([.openInput(number)]) }
    }

    /// Tells again what an earlier owner may not have told.
    func tellAgain(_ record: ConsumedRecord, _ partition: OwnedPartition) throws(LogError) {
        guard record.topic != topics.outcomes else {
            let event: OutcomeEvent
            do { event = try OutcomeEvent(record) } catch { return try writeDeadLetter(record, error, partition) }
            guard try readSession(of: record, partition) else { return }
            if partition.sessions[event.session]?.session.hasIssued(event.outcome) == true {
                // What was refused had another ticket. The tail of the log was cut, and this is in its place.
                return try tell(partition) { $0.told(of: record.offset, of: .outcomes) }
            }
            return try writeDeadLetter(record, event.outcome.refusal, partition)
        }
        let event: RequestEvent
        do { event = try RequestEvent(record) } catch {
            if error.isDeadLetter { return try writeDeadLetter(record, error, partition) }
            return try reject(
                record, error.rejection, session: try? SessionKey.read(record), event: record.eventID, partition)
        }
        let why =
            intake.misplacement(of: record.key, in: partition.number)
            ?? JournalInput(record.topic, topics).flatMap { intake.impermissibility(of: event, on: $0) }
        try reject(record, why ?? rejection(ofFirst: event), session: event.session, event: event.id, partition)
    }

    /// What an event was told that found no session: what a new one says of it, unless there was no room for one.
    private func rejection(ofFirst event: RequestEvent) -> Rejection {
        var session = Session(id: event.session, updated: now)
        let decision = session.receive(
            event.event, from: event.principal, at: now, policy: configuration.policy, randomness: &randomness)
        return decision.effects.rejection ?? .noRoom
    }

    /// Writes a dead letter. Whether an outcome is from who got the work, only the partition's owner can tell, so that letter waits until a record of the journal
    /// has shown that this still is the owner.
    private func writeDeadLetter(_ record: ConsumedRecord, _ error: EventError, _ partition: OwnedPartition)
        throws(LogError)
    {
        let unreadable = UnreadableRecord(record, error)
        counters.deadLetters.byReason[error.rejection.reason, default: 0] += 1
        logger.warning("dead letter", metadata: unreadable.metadata())
        let number = try leaveOpen(record.offset, of: record.topic, letter: unreadable, partition)
        if error.rejection.reason == .unauthorized {
            try tell(partition) { $0.appendPositions([.openInput(number)]) }
        } else {
            send(unreadable, number, partition)
        }
    }

    func send(_ letter: UnreadableRecord, _ number: UInt64, _ partition: OwnedPartition) {
        outbound.send(
            letter.letter(stage: "coordinator", topics: topics),
            token: Token.make(.openInput, partition, number: number))
    }

    /// - Returns: The number by which its acknowledgement is known.
    func leaveOpen(
        _ offset: Int64, of topic: String, letter: UnreadableRecord?, _ partition: OwnedPartition
    ) throws(LogError) -> UInt64 {
        let input = JournalInput(topic, topics) ?? .requests
        partition.journal.leaveOpen(offset, of: input)
        let number = partition.input.open.insert(OpenInput(offset: offset, input: input, letter: letter))
        if partition.input.open.isFull { try pause(partition) }
        return number
    }

    /// The log has what had to be told of a record.
    func told(_ number: UInt64, _ partition: OwnedPartition) throws(LogError) {
        guard let input = partition.input.open[number] else { return }
        partition.input.open[number] = nil
        partition.journal.told(of: input.offset, of: input.input)
        try resumeInput(partition)
    }

    /// The log has refused a dead letter. It is sent in another form or again; if that is in vain, there is none.
    func refused(
        _ letter: UnreadableRecord, _ number: UInt64, _ refusal: LogError, _ partition: OwnedPartition
    ) throws(LogError) {
        var letter = letter
        if try letter.isSentAgain(after: refusal) {
            partition.input.open[number]?.letter = letter
            return send(letter, number, partition)
        }
        try giveUp(letter, number, refusal, partition)
    }

    func giveUp(_ letter: UnreadableRecord, _ number: UInt64, _ refusal: LogError, _ partition: OwnedPartition)
        throws(LogError)
    {
        counters.deadLetters.lost += 1
        logger.error(
            "a dead letter can't be written; its record is only in its own topic", metadata: letter.metadata(refusal))
        try told(number, partition)
    }

    // MARK: Batches and floods

    /// A batch of records can't be read.
    func unreadable(_ batch: UnreadableRange) throws(LogError) {
        let partition = partitions[batch.partition.partition]
        if let input = JournalInput(batch.partition.topic, topics) {
            guard let partition else { return }
            // The group's reading reports it too.
            guard batch.isAssigned else { return try stopLooking(at: input, partition) }
            return try passOver(batch, partition)
        }
        guard [topics.sessions, topics.keys].contains(batch.partition.topic) else { return report(batch) }
        counters.unreadableBatches[batch.partition.topic, default: 0] += 1
        if let partition { try tell(partition) { $0.isUnreadable(batch) } }
    }

    /// Passes over a batch of the input that can't be read, with a dead letter that names its offsets.
    func passOver(_ batch: UnreadableRange, _ partition: OwnedPartition) throws(LogError) {
        guard partition.isActive, let input = JournalInput(batch.partition.topic, topics) else { return }
        let verdict = partition.journal[input].judge(unreadable: batch.offsets)
        if verdict == .open { try writeDeadLetter(batch, partition) }
        if !partition.input.unchecked.isEmpty { try tellChecked(input, partition) }
        switch verdict {
        case .next: break
        case .open: return
        case .unchecked: return partition.input.unchecked[input, default: []].append(.unreadable(batch))
        case .known, .otherLog: return try perform(partition)
        }
        if partition.input.isHeld { return partition.input.waiting.append(.unreadable(batch)) }
        report(batch)
        partition.journal[input].pass(batch.offsets)
        let error = EventError(.unparseable, batch.description, isDeadLetter: true)
        if try isOnlyCounted(batch.offsets, error, of: input, partition) { return }  // rule: unreadableBatchesAreNamed
        try writeDeadLetter(batch, partition)
    }

    private func writeDeadLetter(_ batch: UnreadableRange, _ partition: OwnedPartition) throws(LogError) {
        let unreadable = UnreadableRecord(batch)
        counters.deadLetters.byReason[.unparseable, default: 0] += 1
        // Read again at its last offset, the whole batch is found again.
        send(
            unreadable,
            try leaveOpen(batch.offsets.upperBound - 1, of: batch.partition.topic, letter: unreadable, partition),
            partition)
    }

    /// Counts the batch, and logs the first one of its partition.
    private func report(_ batch: UnreadableRange) {
        counters.unreadableBatches[batch.partition.topic, default: 0] += 1
        guard notices.unreadable.insert(batch.partition).inserted else { return }
        logger.error(
            """
            a batch of records can't be read and is passed over; later ones of this partition are only counted. A topic with compression.type=uncompressed takes no such \
            batch: 'intents doctor' says which have another one
            """,
            metadata: [
                "topic": "\(batch.partition.topic)", "partition": "\(batch.partition.partition)",
                "offsets": "\(batch.offsets.lowerBound) to \(batch.offsets.upperBound - 1)",
                "problem": "\(batch.cause)",
            ])
    }

    /// Batches of records that could not be read, by topic, also of the topics that are followed.
    var unreadableBatches: [String: Int] {
        var batches = counters.unreadableBatches
        for (topic, count) in [
            (topics.catalog, followers.catalogue?.unreadableBatches ?? 0),
            (topics.memory, followers.memory?.unreadableBatches ?? 0),
        ]
        where count > 0 { batches[topic, default: 0] += count }
        return batches
    }

    /// `true` if unreadable records at these offsets get no dead letter of their own, because too many came.
    func isOnlyCounted(
        _ offsets: Range<Int64>, _ error: EventError, of input: JournalInput, _ partition: OwnedPartition
    ) throws(LogError) -> Bool {
        if partition.input.unreadable[input, default: UnreadableRate()].admits(at: now) { return false }
        counters.deadLetters.spared += offsets.count
        var number: UInt64 = 0
        if partition.input.unreadable[input]?.run == nil {
            number = try leaveOpen(offsets.lowerBound, of: input.topic(topics), letter: nil, partition)
            logger.warning(
                "unreadable records come too fast for a dead letter each: they are counted, and one dead letter names their offsets",
                metadata: [
                    "topic": "\(input.topic(topics))", "partition": "\(partition.number)",
                    "offset": "\(offsets.lowerBound)",
                    "problem": "\(error.rejection.message)",
                ])
        }
        partition.input.unreadable[input]?.count(offsets, error, at: now) { number }
        let end = now.advanced(by: UnreadableRate.interval)
        notices.namesCountedAt = min(notices.namesCountedAt ?? end, end)
        return true
    }

    /// Writes the dead letters of records that were only counted.
    ///
    /// - Parameter isEnding: `true` if the partitions are to be given back.
    func nameCountedRecords(isEnding: Bool = false) {
        notices.namesCountedAt = nil
        for partition in inOrder {
            for input in partition.input.unreadable.keys {
                guard let run = partition.input.unreadable[input]?.take(at: now, isEnding: isEnding) else { continue }
                let letter = UnreadableRecord(run, of: TopicPartition(input.topic(topics), partition.number))
                counters.deadLetters.byReason[run.error.rejection.reason, default: 0] += 1
                logger.warning("dead letter", metadata: letter.metadata())
                partition.input.open[run.number]?.letter = letter
                send(letter, run.number, partition)  // rule: countedRecordsAreNamed
            }
            for rate in partition.input.unreadable.values {
                if let end = rate.run?.end { notices.namesCountedAt = min(notices.namesCountedAt ?? end, end) }
            }
        }
    }
}

extension ConsumedRecord {
    /// The id of an event that can't be read: its own if it can be one, else where it is.
    fileprivate var eventID: Identifier {
        guard let id = headers.first(where: { $0.name == "ce_id" })?.text, RequestEvent.isID(id) else {
            return Identifier(SessionKey.derivedID(self))
        }
        return Identifier(id)
    }
}

extension [Effect] {
    /// The rejection, if nothing else is to be sent.
    var rejection: Rejection? {
        guard count == 1, case .result(let result) = self[0], case .rejected(let rejection) = result.body else {
            return nil
        }
        return rejection
    }
}

extension Rejection {
    static let noKey = Rejection(
        .busy,
        "no new session can be encrypted at the moment: the log takes no keys of this partition; try again later",
        retryAfter: .seconds(60))
    static let noRoom = Rejection(
        .busy, "this partition has no room for the event at the moment; try again later", retryAfter: .seconds(60))
}

extension Outcome {
    /// Why an outcome is refused that is not from who got the work.
    var refusal: EventError {
        EventError(
            .unauthorized,
            "the outcome of '\(phase.rawValue)' has not the ticket of step \(step) of '\(request)': copy 'ticket' from the work item into each outcome",
            field: "ticket", isDeadLetter: true)
    }
}
