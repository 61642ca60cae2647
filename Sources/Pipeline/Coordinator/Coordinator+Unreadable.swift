import Conversation
import IntentEvents
import IntentModel
import Logging
import RecordLog

// Batches that the client can't read, and more unreadable records than anyone wants a dead letter of.
extension Coordinator {
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
        if try isOnlyCounted(batch.offsets, error, of: input, partition) || !Rule.unreadableBatchesAreNamed.holds {
            return
        }
        try writeDeadLetter(batch, partition)
    }

    private func writeDeadLetter(_ batch: UnreadableRange, _ partition: OwnedPartition) throws(LogError) {
        let unreadable = UnreadableRecord(batch)
        counters.deadLettersByReason[.unparseable, default: 0] += 1
        // Read again at its last offset, the whole batch is found again.
        send(
            unreadable,
            try leaveOpen(batch.offsets.upperBound - 1, of: batch.partition.topic, letter: unreadable, partition),
            partition)
    }

    /// Counts the batch, and logs the first one of its partition.
    private func report(_ batch: UnreadableRange) {
        counters.unreadableBatches[batch.partition.topic, default: 0] += 1
        guard unreadableTold.insert(batch.partition).inserted else { return }
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
            (topics.catalog, catalogue?.unreadableBatches ?? 0), (topics.memory, memory?.unreadableBatches ?? 0),
        ]
        where count > 0 { batches[topic, default: 0] += count }
        return batches
    }

    /// `true` if unreadable records at these offsets get no dead letter of their own, because too many came.
    func isOnlyCounted(
        _ offsets: Range<Int64>, _ error: EventError, of input: JournalInput, _ partition: OwnedPartition
    ) throws(LogError) -> Bool {
        if partition.input.unreadable[input, default: UnreadableRate()].admits(at: now) { return false }
        counters.deadLettersSpared += offsets.count
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
        namesCountedAt = min(namesCountedAt ?? end, end)
        return true
    }

    /// Writes the dead letters of records that were only counted.
    ///
    /// - Parameter isEnding: `true` if the partitions are to be given back.
    func nameCountedRecords(isEnding: Bool = false) {
        namesCountedAt = nil
        for partition in inOrder {
            for input in partition.input.unreadable.keys {
                guard let run = partition.input.unreadable[input]?.take(at: now, isEnding: isEnding) else { continue }
                let letter = UnreadableRecord(run, of: TopicPartition(input.topic(topics), partition.number))
                counters.deadLettersByReason[run.error.rejection.reason, default: 0] += 1
                logger.warning("dead letter", metadata: letter.metadata())
                partition.input.open[run.number]?.letter = letter
                if !Rule.countedRecordsAreNamed.holds { continue }
                send(letter, run.number, partition)
            }
            for rate in partition.input.unreadable.values {
                if let end = rate.run?.end { namesCountedAt = min(namesCountedAt ?? end, end) }
            }
        }
    }
}
