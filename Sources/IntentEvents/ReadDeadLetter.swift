import Conversation
import IntentModel
public import RecordLog

/// A dead letter, read: the unreadable record, which process rejected it, and why.
public struct ReadDeadLetter: Sendable {
    /// The place of the letter itself.
    public var partition: Int32
    public var offset: Int64
    /// Milliseconds since 1970 when it was put there.
    public var timestamp: Int64
    /// The record as it stood in its own topic. Its timestamp is not kept: it is the letter's.
    public var original: ConsumedRecord
    /// `coordinator`, `resolver`, `confirmer`, `handler`.
    public var stage: String
    public var reason: String
    public var message: String
    public var attempt: Int

    private static let names = ["topic", "partition", "offset", "stage", "reason", "message", "attempt"].map { "intents-error-\($0)" }

    /// - Returns: `nil` if the record says of itself neither where it comes from nor why it is here.
    public init?(_ record: ConsumedRecord) {
        // Those at the end are ours: the original may have brought some of the same names along.
        let count = Self.names.count
        guard record.headers.count >= count, record.headers.suffix(count).map(\.name) == Self.names else { return nil }
        let texts = record.headers.suffix(count).map { $0.text ?? "" }
        guard let partition = Int32(texts[1]), partition >= 0, let offset = Int64(texts[2]), offset >= 0 else { return nil }
        self.partition = record.partition
        self.offset = record.offset
        timestamp = record.timestamp
        original = ConsumedRecord(
            topic: texts[0], partition: partition, offset: offset, timestamp: record.timestamp, key: record.key, value: record.value,
            headers: record.headers.dropLast(count))
        stage = texts[3]
        reason = texts[4]
        message = texts[5]
        attempt = Int(texts[6]) ?? 1
    }

    /// The key as a session's id, if it can be one.
    public var session: String? { try? SessionKey.read(original) }
    /// The id of the original event, given or derived; what a repeat of it is recognised by.
    public var eventID: String { givenID ?? SessionKey.derivedID(original) }

    private var givenID: String? {
        if let event = try? CloudEvent(original, limits: .journal) { return event.id }
        return original.headers.last { $0.name == "ce_id" }?.text
    }

    /// The record that puts the original back where it stood: key, value and headers as they were, with the id that it had, so that a repeat is recognised.
    ///
    /// - Parameter force: also if it can't be read today, or in vain.
    /// - Throws: ``EventError`` that says why that can't work.
    public func replay(topics: Topics, force: Bool = false) throws(EventError) -> Record {
        try checkTopic(topics)
        if !force {
            // Read by the same code as a coordinator of this version does.
            if original.topic == topics.requests { _ = try RequestEvent(original) } else { _ = try OutcomeEvent(original) }
        }
        var headers = original.headers.filter { $0.name != DeadLetterMark.replayedFrom }
        if givenID == nil { headers.append(RecordHeader("ce_id", SessionKey.derivedID(original))) }
        headers.append(RecordHeader(DeadLetterMark.replayedFrom, "\(partition)/\(offset)"))
        return Record(
            topic: original.topic, partition: original.partition, key: original.key, value: original.value, headers: headers)
    }

    private func checkTopic(_ topics: Topics) throws(EventError) {
        switch original.topic {
        case topics.requests, topics.outcomes: return
        case topics.resolve, topics.confirm, topics.handle, topics.handleInApp:
            throw .invalid("only the coordinator dispatches work, and its request has ended long ago: request the intent again", "topic")
        case topics.sessions:
            throw .invalid("only the coordinator that owns a partition may write to its journal", "topic")
        default: throw .invalid("'\(original.topic)' is no input of this pipeline", "topic")
        }
    }
}
