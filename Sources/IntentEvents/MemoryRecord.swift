public import Conversation
public import IntentModel
public import RecordLog

/// A record of `intents.memory`: a value that is remembered about a person, or its tombstone.
public struct MemoryRecord: Sendable, Hashable {
    public var principal: Principal
    /// A tombstone has no value.
    public var value: RememberedValue

    /// Says when a value was forgotten, on a tombstone. One of an earlier version has no such header, and the record's time.
    static let timeHeader = "ce_time"

    public init(of principal: Principal, _ value: RememberedValue) {
        self.principal = principal
        self.value = value
    }

    /// The record's key: the principal's kind and id and the key of the value, as a list.
    public static func key(of principal: Principal, _ key: String) -> Bytes {
        JSON.array([.string(principal.kind.rawValue), .string(principal.id), .string(key)]).bytes
    }

    /// - Throws: ``EventError`` that says what is wrong with it. Readers pass such a record over.
    public init(_ record: ConsumedRecord) throws(EventError) {
        guard let key = record.key, let view = try? JSONView(parsing: key, limits: .event), view.kind == .array,
            case let parts = view.elements.compactMap(\.string), parts.count == 3, view.elements.count == 3,
            let kind = Principal.Kind(rawValue: parts[0]), RememberedValue.isKey(parts[2])
        else {
            throw EventError(
                .invalid, "a key of the memory is a list of a principal's kind, their id, and the key of the value", field: "key",
                isDeadLetter: false)
        }
        principal = Principal(kind, Identifier(parts[1]))
        let time = record.headers.first { $0.name == Self.timeHeader }?.text.flatMap(Instant.init(rfc3339:))
        value = RememberedValue(key: parts[2], value: nil, time: time ?? Instant(milliseconds: max(0, record.timestamp)))
        if record.value == nil { return }
        let event = try CloudEvent(record)
        guard event.type == .remembered else { throw .unknownType(event.typeName, "no event of the memory") }
        guard let json = event.data["value"]?.json else { throw .invalid("'value' is missing", "value") }
        value.value = json
        value.intent = try event.data.optionalIdentifier("intent")
        value.source = event.data["source"]?.string.flatMap(RememberedValue.Source.init) ?? .resolved
        guard let time = event.data["time"]?.string.flatMap(Instant.init(rfc3339:)) else {
            throw .invalid("'time' is a time such as 2026-03-01T12:00:00Z", "time")
        }
        value.time = time
    }
}

extension EventEncoder {
    /// The record of what is remembered about a person, or a tombstone.
    ///
    /// - Parameter now: The time of writing. The record has this timestamp and not the time of the value, so that no broker refuses it because the value was said
    ///   long ago (`message.timestamp.before.max.ms`).
    public mutating func record(_ memory: MemoryRecord, topics: Topics, at now: Instant) -> Record {
        let key = MemoryRecord.key(of: memory.principal, memory.value.key)
        let time = memory.value.time
        guard let value = memory.value.value else {
            return Record(
                topic: topics.memory, partition: nil, key: key, value: nil,
                headers: [RecordHeader(MemoryRecord.timeHeader, time.description)],
                timestamp: now.milliseconds)
        }
        let data = JSON.make { writer in
            writer.beginObject()
            writer.member("value", value)
            if memory.value.source != .resolved { writer.member("source", memory.value.source.rawValue) }
            writer.member("intent", ifPresent: memory.value.intent)
            writer.member("time", time.description)
            writer.endObject()
        }
        let id = Bytes("\(String(decoding: key, as: UTF8.self))@\(time.milliseconds)".utf8)
        return Record(
            topic: topics.memory, partition: nil, key: key, value: data.bytes,
            headers: headers(.remembered, id: id, subject: nil, at: time, trace: nil), timestamp: now.milliseconds)
    }
}
