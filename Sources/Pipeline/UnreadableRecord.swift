import Conversation
import IntentEvents
import IntentModel
import Logging
import MessageAuthentication
import RecordLog

/// A record that can't be read, or a range of them without dead letters of their own, until its dead letter is in the log.
struct UnreadableRecord {
    /// How often a dead letter is sent before it is given up.
    static let maximumAttempts = 5

    /// The record; of a range only the place of the first one.
    let record: ConsumedRecord
    let error: EventError
    /// What the letter says of a range; `nil` for a record.
    private let range: (offsets: Range<Int64>, records: Int)?
    private var attempt = 1
    private var isTooLarge = false

    init(_ record: ConsumedRecord, _ error: EventError) {
        self.record = record
        self.error = error
        range = nil
    }

    /// A batch that the client can't read.
    init(_ batch: UnreadableRange) {
        self.init(
            batch.partition, batch.offsets, records: batch.offsets.count,
            EventError(.unparseable, batch.description, isDeadLetter: true))
    }

    /// Records that came too fast for dead letters of their own.
    init(_ run: UnreadableRate.Run, of partition: TopicPartition) {
        var error = run.error
        error.rejection.message =
            "\(run.records) records from offset \(run.offsets.lowerBound) to \(run.offsets.upperBound - 1) can't be read, and came too fast for a dead letter each. The "
            + "first one: \(error.rejection.message)"
        self.init(partition, run.offsets, records: run.records, error)
    }

    private init(_ partition: TopicPartition, _ offsets: Range<Int64>, records: Int, _ error: EventError) {
        record = ConsumedRecord(
            topic: partition.topic, partition: partition.partition, offset: offsets.lowerBound, timestamp: -1, key: nil,
            value: nil,
            headers: [])
        self.error = error
        range = (offsets, records)
    }

    /// The dead letter to send.
    ///
    /// - Parameter stage: the role that can't read the record.
    func letter(stage: String, topics: Topics) -> Record {
        if let range {
            return DeadLetter.range(
                range.offsets, of: record.topicPartition, records: range.records, error.rejection, stage: stage,
                attempt: attempt,
                topics: topics)
        }
        guard isTooLarge else {
            return DeadLetter.record(record, error.rejection, stage: stage, attempt: attempt, topics: topics)
        }
        let sha256 = Hexadecimal.encode(SHA256.hash(record.value ?? []))
        return DeadLetter.excerpt(
            of: record, error.rejection, sha256: sha256, stage: stage, attempt: attempt, topics: topics)
    }

    /// Whether to send another dead letter after the log has refused one.
    ///
    /// - Throws: The refusal, if the client can't write any more. No other refusal ends the process, because its successor would read the same record
    ///   and end in the same way.
    mutating func isSentAgain(after refusal: LogError) throws(LogError) -> Bool {
        if refusal.disposition == .fatal || refusal.code == .closed { throw refusal }
        guard attempt < Self.maximumAttempts else { return false }
        attempt += 1
        if refusal.code == .recordTooLarge {
            defer { isTooLarge = true }
            return !isTooLarge
        }
        return refusal.disposition == .retry
    }

    /// What a log line says of it.
    ///
    /// - Parameter refusal: why the log does not take its dead letter.
    func metadata(_ refusal: LogError? = nil) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "topic": "\(record.topic)", "partition": "\(record.partition)", "offset": "\(record.offset)",
            "reason": "\(error.rejection.reason.rawValue)",
        ]
        if let range {
            metadata["last"] = "\(range.offsets.upperBound - 1)"
            metadata["records"] = "\(range.records)"
            metadata["problem"] = "\(error.rejection.message)"
        }
        if let refusal { metadata["refusal"] = "\(refusal)" }
        return metadata
    }
}
