import Conversation
public import IntentModel
public import RecordLog

/// A dead letter, read: the unreadable record, which process rejected it, and why.
public struct ReadDeadLetter: Sendable {
    /// The place of the letter itself.
    public var partition: Int32
    public var offset: Int64
    /// Milliseconds since 1970 when it was put there.
    public var timestamp: Int64
    /// The record as it is in its own topic, or an excerpt of it. Its timestamp is not kept: it is the letter's.
    public var original: ConsumedRecord
    /// What is known of the whole value, if the record was too large for a dead letter and only the beginning of its value is here.
    public var excerpt: Excerpt?
    /// The records that the letter stands for, if it has none of them; `nil` if it has its record.
    public var range: OffsetRange?
    /// `coordinator`, `resolver`, `confirmer`, `handler`.
    public var stage: String
    public var reason: String
    public var message: String
    public var attempt: Int

    /// The whole value of which a dead letter keeps the beginning.
    public struct Excerpt: Sendable, Hashable {
        /// The size of the value, in bytes.
        public var bytes: Int
        /// The SHA-256 of the value, in hexadecimal.
        public var sha256: String

        /// The headers of an excerpt, which are its last ones; `nil` for other headers.
        fileprivate init?(_ headers: ArraySlice<RecordHeader>) {
            guard headers.map(\.name) == ReadDeadLetter.excerptNames,
                let bytes = headers.first?.text.flatMap({ Int($0) }),
                let sha256 = headers.last?.text
            else { return nil }
            self.init(bytes: bytes, sha256: sha256)
        }

        public init(bytes: Int, sha256: String) {
            self.bytes = bytes
            self.sha256 = sha256
        }
    }

    /// The offsets of records that can't be read and have no letter of their own.
    public struct OffsetRange: Sendable, Hashable {
        /// The offset of the last of the records.
        public var last: Int64
        /// How many of the records could not be read.
        public var records: Int

        /// The headers of a range, which are its last ones; `nil` for other headers.
        fileprivate init?(_ headers: ArraySlice<RecordHeader>) {
            guard headers.map(\.name) == ReadDeadLetter.rangeNames,
                let last = headers.first?.text.flatMap({ Int64($0) }), last >= 0,
                let records = headers.last?.text.flatMap({ Int($0) }), records > 0
            else { return nil }
            (self.last, self.records) = (last, records)
        }
    }

    static let rangeNames = ["intents-error-last-offset", "intents-error-records"]
    static let excerptNames = ["intents-error-bytes", "intents-error-sha256"]
    private static let names = ["topic", "partition", "offset", "stage", "reason", "message", "attempt"].map {
        "intents-error-\($0)"
    }

    /// - Returns: `nil` if the record says of itself neither where it comes from nor why it is here.
    public init?(_ record: ConsumedRecord) {
        // Those at the end are ours: the original may have brought some of the same names along.
        let count = Self.names.count
        var headers = record.headers
        excerpt = Excerpt(headers.suffix(2))
        range = OffsetRange(headers.suffix(2))
        if excerpt != nil || range != nil { headers.removeLast(2) }
        guard headers.count >= count, headers.suffix(count).map(\.name) == Self.names else { return nil }
        let texts = headers.suffix(count).map { $0.text ?? "" }
        guard let partition = Int32(texts[1]), partition >= 0, let offset = Int64(texts[2]), offset >= 0 else {
            return nil
        }
        self.partition = record.partition
        self.offset = record.offset
        timestamp = record.timestamp
        original = ConsumedRecord(
            topic: texts[0], partition: partition, offset: offset, timestamp: record.timestamp, key: record.key,
            value: record.value,
            headers: headers.dropLast(count))
        stage = texts[3]
        reason = texts[4]
        message = texts[5]
        attempt = Int(texts[6]) ?? 1
    }

    /// The place of the letter itself.
    public var place: DeadLetterPlace { DeadLetterPlace(partition: partition, offset: offset) }
    /// The key as a session's id, if it can be one.
    public var session: Identifier? { try? SessionKey.read(original) }
    /// The id of the original event, given or derived; what a repeat of it is recognised by.
    public var eventID: Identifier { Identifier(givenID ?? SessionKey.derivedID(original)) }

    private var givenID: String? {
        if let event = try? CloudEvent(original, limits: .journal) { return event.id }
        return original.headers.last { $0.name == "ce_id" }?.text
    }

    /// Whether a record is the one that this letter holds: at the place that the letter names, with the same key, value and headers, byte for byte.
    ///
    /// What a letter says of itself is no evidence, because workers may write dead letters too. The record at that place is.
    public func holds(_ record: ConsumedRecord) -> Bool {
        record.topicPartition == original.topicPartition && record.offset == original.offset
            && record.key == original.key
            && record.value == original.value && record.headers == original.headers
    }

    /// The record that puts the original back where it stood: key, value and headers as they were, with the id that it had, so that a repeat is recognised.
    ///
    /// - Parameter force: also if it can't be read today, or in vain.
    /// - Throws: ``EventError`` that says why that can't work.
    public func replay(topics: Topics, force: Bool = false) throws(EventError) -> Record {
        try checkTopic(topics)
        if let range {
            throw .invalid(
                "the dead letter names the offsets \(original.offset) to \(range.last) of \(original.topic), partition \(original.partition), and has none of their "
                    + "\(range.records) records",
                "value")
        }
        if let excerpt {
            throw .invalid(
                "the record has \(excerpt.bytes) bytes, and the dead letter only the first \(original.value?.count ?? 0): read it from \(original.topic), partition \(original.partition), offset \(original.offset), while it is there, and send it in smaller parts",
                "value")
        }
        if !force {
            // Read by the same code as a coordinator of this version does.
            if original.topic == topics.outcomes {
                _ = try OutcomeEvent(original)
            } else {
                _ = try RequestEvent(original)
            }
        }
        var headers = original.headers.filter { $0.name != DeadLetterMark.replayedFrom }
        if givenID == nil { headers.append(RecordHeader("ce_id", SessionKey.derivedID(original))) }
        headers.append(RecordHeader(DeadLetterMark.replayedFrom, "\(partition)/\(offset)"))
        return Record(
            topic: original.topic, partition: original.partition, key: original.key, value: original.value,
            headers: headers)
    }

    private func checkTopic(_ topics: Topics) throws(EventError) {
        switch original.topic {
        case topics.requests, topics.answers, topics.outcomes: return
        case let topic where topics.work.contains(topic):
            throw .invalid(
                "only the coordinator dispatches work, and its request has ended long ago: request the intent again",
                "topic")
        case topics.catalog:
            throw .invalid("workers write what they serve to the catalogue again by themselves", "topic")
        case topics.sessions:
            throw .invalid("only the coordinator that owns a partition may write to its journal", "topic")
        default: throw .invalid("'\(original.topic)' is no input of this pipeline", "topic")
        }
    }
}
