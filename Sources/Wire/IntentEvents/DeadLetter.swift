public import Conversation
import IntentModel
public import RecordLog

/// An unreadable record as it is written to `intents.dead-letters`: with its key, value and headers, and the reason in further headers.
public enum DeadLetter {
    /// How many bytes of a value an excerpt keeps.
    public static let excerptBytes = 4_096
    /// A key or an event id that is longer is not kept in an excerpt.
    private static let excerptKeyBytes = 1_024

    /// The whole record.
    ///
    /// - Parameters:
    ///   - stage: who gave up: `coordinator`, `resolver`, `confirmer`, `handler`.
    ///   - attempt: how often it was tried.
    public static func record(
        _ original: ConsumedRecord, _ rejection: Rejection, stage: String, attempt: Int = 1, topics: Topics
    ) -> Record {
        Record(
            topic: topics.deadLetters, partition: original.partition, key: original.key, value: original.value,
            headers: original.headers + reason(original, rejection, stage, attempt))
    }

    /// What is kept of a record whose dead letter is too large for the log: its key, its event id and the first ``excerptBytes`` of its value. The
    /// record itself stays in its topic until that topic's retention has passed.
    ///
    /// - Parameter sha256: the digest of the whole value in hexadecimal, to recognise it by.
    public static func excerpt(
        of original: ConsumedRecord, _ rejection: Rejection, sha256: String, stage: String, attempt: Int = 1,
        topics: Topics
    ) -> Record {
        let id = original.headers.last { $0.name == "ce_id" && ($0.value?.count ?? 0) <= excerptKeyBytes }
        let size = [
            RecordHeader(ReadDeadLetter.excerptNames[0], String(original.value?.count ?? 0)),
            RecordHeader(ReadDeadLetter.excerptNames[1], sha256),
        ]
        return Record(
            topic: topics.deadLetters, partition: original.partition,
            key: original.key.flatMap { $0.count <= excerptKeyBytes ? $0 : nil },
            value: original.value.map { Array($0.prefix(excerptBytes)) },
            headers: (id.map { [$0] } ?? []) + reason(original, rejection, stage, attempt) + size)
    }

    /// A letter for records of which none has one of its own, because they can't be read at all or are too many: it names their offsets.
    ///
    /// - Parameters:
    ///   - offsets: From the first record to the offset after the last one; not empty. Records between them may be readable.
    ///   - records: How many of them could not be read.
    ///   - stage: who gave up: `coordinator`, `resolver`, `confirmer`, `handler`.
    ///   - attempt: how often it was tried.
    public static func range(
        _ offsets: Range<Int64>, of partition: TopicPartition, records: Int, _ rejection: Rejection, stage: String,
        attempt: Int = 1,
        topics: Topics
    ) -> Record {
        let first = ConsumedRecord(
            topic: partition.topic, partition: partition.partition, offset: offsets.lowerBound, timestamp: -1, key: nil,
            value: nil,
            headers: [])
        let range = [
            RecordHeader(ReadDeadLetter.rangeNames[0], String(offsets.upperBound - 1)),
            RecordHeader(ReadDeadLetter.rangeNames[1], String(records)),
        ]
        return Record(
            topic: topics.deadLetters, partition: partition.partition, key: nil, value: nil,
            headers: reason(first, rejection, stage, attempt) + range)
    }

    /// How many bytes of the message are kept. It is cut because it can quote the record, and an excerpt has to fit into the log.
    private static let messageBytes = 16_384

    private static func reason(_ original: ConsumedRecord, _ rejection: Rejection, _ stage: String, _ attempt: Int)
        -> [RecordHeader]
    {
        [
            RecordHeader("intents-error-topic", original.topic),
            RecordHeader("intents-error-partition", String(original.partition)),
            RecordHeader("intents-error-offset", String(original.offset)),
            RecordHeader("intents-error-stage", stage),
            RecordHeader("intents-error-reason", rejection.reason.rawValue),
            RecordHeader(
                "intents-error-message", String(decoding: rejection.message.utf8.prefix(messageBytes), as: UTF8.self)),
            RecordHeader("intents-error-attempt", String(attempt)),
        ]
    }
}
