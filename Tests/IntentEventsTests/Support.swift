import Conversation
import IntentEvents
import IntentModel
import RecordLog
import Testing

extension Record {
    /// The record as a reader gets it.
    func consumed(partition: Int32 = 3, offset: Int64 = 42) -> ConsumedRecord {
        ConsumedRecord(
            topic: topic, partition: self.partition ?? partition, offset: offset, timestamp: timestamp ?? -1, key: key,
            value: value,
            headers: headers)
    }
}

/// A record on `intents.requests`, written by hand.
func requestRecord(_ value: String?, type: String? = nil, id: String? = nil, key: String? = "kitchen") -> ConsumedRecord
{
    record(value.map { Array($0.utf8) }, topic: "intents.requests", type: type, id: id, key: key.map { Array($0.utf8) })
}

func record(
    _ value: Bytes?, topic: String, type: String? = nil, id: String? = nil, key: Bytes? = Array("kitchen".utf8),
    contentType: String? = nil,
    headers others: [RecordHeader] = []
) -> ConsumedRecord {
    var headers = others
    if let id { headers.append(RecordHeader("ce_id", id)) }
    if let type { headers.append(RecordHeader("ce_type", type)) }
    if let contentType { headers.append(RecordHeader("content-type", contentType)) }
    return ConsumedRecord(
        topic: topic, partition: 3, offset: 42, timestamp: 1_700_000_000_000, key: key, value: value, headers: headers)
}

/// The error of a record in one line: reason, field, and `dead letter` if the record is unreadable; `fine` if there is
/// none.
func problem<Event>(_ read: () throws(EventError) -> Event) -> String {
    do throws(EventError) {
        _ = try read()
        return "fine"
    } catch {
        let field = error.rejection.field.map { " \($0)" } ?? ""
        return "\(error.rejection.reason)\(field)\(error.isDeadLetter ? ", dead letter" : "")"
    }
}

extension JSONView {
    /// The same value without spaces.
    var compact: JSON {
        switch kind {
        case .object:
            .make { writer in
                writer.beginObject()
                for (name, value) in members { writer.member(named: name, value.compact) }
                writer.endObject()
            }
        case .array: .array(elements.map(\.compact))
        default: json
        }
    }

    /// The same value in readable form, with one member per line.
    func readable(indent: String = "") -> String {
        let inner = indent + "  "
        switch kind {
        case .object where !members.isEmpty:
            let lines = members.map { "\(inner)\(JSON.string($0.name)): \($0.value.readable(indent: inner))" }
            return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
        case .array where !elements.isEmpty:
            return "[\n\(elements.map { inner + $0.readable(indent: inner) }.joined(separator: ",\n"))\n\(indent)]"
        default: return compact.description
        }
    }
}
