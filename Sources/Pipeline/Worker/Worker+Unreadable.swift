import Conversation
import IntentEvents
import IntentModel
import Logging
import RecordLog

// Work that can't be read becomes a dead letter. Its offset counts as done when the letter is acknowledged.
extension Worker {
    /// Writes a record that can't be read to the dead letters.
    func bury(_ record: ConsumedRecord, _ error: EventError) {
        if isOnlyCounted(record.offset..<record.offset + 1, error, of: record.partition) { return }
        let unreadable = UnreadableRecord(record, error)
        logger.warning("dead letter", metadata: unreadable.metadata())
        bury(unreadable)
    }

    /// Passes over a batch that the client can't read, with a dead letter that names its offsets.
    func passOver(_ batch: UnreadableRange) {
        let (number, offset) = (batch.partition.partition, batch.offsets.lowerBound)
        if batch.partition.topic == configuration.topics.keys, unreadable.told.insert(batch.partition).inserted {
            logger.error(
                "keys can't be read: work that is encrypted with them becomes dead letters",
                metadata: ["problem": "\(batch)"])
        }
        // What is read ahead is read again.
        guard batch.isAssigned, membership.revokedBy == nil, let isNew = partitions.take(number, offset) else { return }
        membership.isDirty = true
        partitions.skip(number, to: batch.offsets.upperBound)
        guard isNew, !partitions.recognizes(number, offset) else { return }
        counters.unreadableBatches[batch.partition.topic, default: 0] += 1
        if unreadable.told.insert(batch.partition).inserted {
            logger.error(
                "a batch of records can't be read and is passed over; later ones of this partition are only counted",
                metadata: ["topic": "\(batch.partition.topic)", "partition": "\(number)", "problem": "\(batch)"])
        }
        // The default service reports it, as all work that can't be read.
        guard configuration.service == nil else { return finish(number, offset) }
        let error = EventError(.unparseable, batch.description, isDeadLetter: true)
        if isOnlyCounted(batch.offsets, error, of: number) { return }
        bury(UnreadableRecord(batch))
    }

    private func bury(_ unreadable: UnreadableRecord) {
        counters.deadLetters.byReason[unreadable.error.rejection.reason, default: 0] += 1
        partitions.sent(unreadable.record.partition)
        send(unreadable, token: queue.nextToken())
    }

    private func send(_ unreadable: UnreadableRecord, token: UInt64) {
        self.unreadable.letters[token] = unreadable
        outbound.send(unreadable.letter(stage: configuration.role, topics: configuration.topics), token: token)
    }

    /// `true` if unreadable records at these offsets get no dead letter of their own, because too many came. The first one of a run stays unfinished until a dead letter names
    /// the run.
    private func isOnlyCounted(_ offsets: Range<Int64>, _ error: EventError, of number: Int32) -> Bool {
        if unreadable.rates[number, default: UnreadableRate()].admits(at: readAt) { return false }
        counters.deadLetters.spared += offsets.count
        if unreadable.rates[number]?.run == nil {
            logger.warning(
                "unreadable records come too fast for a dead letter each: they are counted, and one dead letter names their offsets",
                metadata: [
                    "topic": "\(configuration.topic)", "partition": "\(number)", "offset": "\(offsets.lowerBound)",
                    "problem": "\(error.rejection.message)",
                ])
        } else {
            finish(number, offsets.lowerBound)
        }
        unreadable.rates[number]?.count(offsets, error, at: readAt) { 0 }
        return true
    }

    /// Writes the dead letters of records that were only counted.
    func nameCountedRecords() {
        for number in unreadable.rates.keys {
            let isEnding = membership.revokedBy != nil || !partitions.isAssigned(number)
            guard let run = unreadable.rates[number]?.take(at: readAt, isEnding: isEnding) else { continue }
            let unreadable = UnreadableRecord(run, of: TopicPartition(configuration.topic, number))
            logger.warning("dead letter", metadata: unreadable.metadata())
            bury(unreadable)
        }
    }

    /// The log has refused a dead letter. It is sent in another form or again; if that is in vain, the record is passed over without one.
    func deadLetterRefused(_ token: UInt64, _ refusal: LogError) throws(LogError) {
        guard var unreadable = self.unreadable.letters[token] else { return }
        if try unreadable.isSentAgain(after: refusal) { return send(unreadable, token: token) }
        counters.deadLetters.lost += 1
        logger.error(
            "a dead letter can't be written; its record is only in its own topic",
            metadata: unreadable.metadata(refusal))
        buried(token)
    }

    /// The record of a dead letter is done with.
    func buried(_ token: UInt64) {
        guard let record = unreadable.letters.removeValue(forKey: token)?.record else { return }
        partitions.acknowledged(record.partition)
        finish(record.partition, record.offset)
    }
}
