public import Conversation
import IntentModel
public import RecordLog

/// That a dead letter has been dealt with: a record of its own beside the letters, since a log's records can't be changed.
public struct DeadLetterMark: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable { case replayed, dropped }

    public var kind: Kind
    /// The offset of the letter. The mark is in the same partition.
    public var partition: Int32
    public var offset: Int64
    /// Who dealt with it.
    public var by: String
    public var at: Instant

    static let header = "intents-dead-letter"
    static let replayedFrom = "intents-replayed-from"

    public init(_ kind: Kind, partition: Int32, offset: Int64, by: String, at: Instant) {
        self.kind = kind
        self.partition = partition
        self.offset = offset
        self.by = by
        self.at = at
    }

    /// `nil` if the record is no mark.
    public init?(_ record: ConsumedRecord) {
        guard let kind = record.headers.first(where: { $0.name == Self.header })?.text.flatMap(Kind.init(rawValue:)),
            // A letter whose original had such a header is a letter still.
            ReadDeadLetter(record) == nil, let value = record.value,
            let view = try? JSONView(parsing: value, limits: .event),
            let place = view[kind.rawValue]?.string.flatMap(DeadLetterPlace.init(_:)),
            place.partition == record.partition,
            place.offset < record.offset
        else { return nil }
        self.init(
            kind, partition: place.partition, offset: place.offset, by: view["by"]?.string ?? "",
            at: view["at"]?.string.flatMap(Instant.init(rfc3339:)) ?? Instant(milliseconds: max(record.timestamp, 0)))
    }

    /// - Parameter key: the letter's.
    public func record(key: Bytes?, topics: Topics) -> Record {
        let value = JSON.make { writer in
            writer.beginObject()
            writer.member(named: kind.rawValue, .string("\(partition)/\(offset)"))
            writer.member("by", by)
            writer.member("at", at.description)
            writer.endObject()
        }
        return Record(
            topic: topics.deadLetters, partition: partition, key: key, value: value.bytes,
            headers: [RecordHeader(Self.header, kind.rawValue), RecordHeader("content-type", "application/json")],
            timestamp: at.milliseconds)
    }
}
