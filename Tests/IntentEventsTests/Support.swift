import Conversation
import IntentEvents
import IntentModel
import RecordLog

extension Record {
    /// The record as a reader gets it.
    func consumed(partition: Int32 = 3, offset: Int64 = 42) -> ConsumedRecord {
        ConsumedRecord(
            topic: topic, partition: self.partition ?? partition, offset: offset, timestamp: timestamp ?? -1, key: key,
            value: value, headers: headers)
    }
}

/// A record on `intents.requests`, written by hand.
func requestRecord(
    _ value: String?, type: String? = nil, id: String? = nil, key: String? = "kitchen", headers: [RecordHeader] = []
) -> ConsumedRecord {
    record(value.map { Bytes($0.utf8) }, type: type, id: id, key: key.map { Bytes($0.utf8) }, headers: headers)
}

/// A record on `intents.outcomes`, written by hand.
func outcomeRecord(_ json: String, type: String = "intent.handled.v1", headers: [RecordHeader] = []) -> ConsumedRecord {
    record(Bytes(json.utf8), topic: "intents.outcomes", type: type, headers: headers)
}

func record(
    _ value: Bytes?, topic: String = "intents.requests", type: String? = nil, id: String? = nil,
    key: Bytes? = Array("kitchen".utf8), headers others: [RecordHeader] = []
) -> ConsumedRecord {
    var headers = others
    if let id { headers.append(RecordHeader("ce_id", id)) }
    if let type { headers.append(RecordHeader("ce_type", type)) }
    return ConsumedRecord(
        topic: topic, partition: 3, offset: 42, timestamp: 1_700_000_000_000, key: key, value: value, headers: headers)
}

/// The header of structured mode.
let structured = [RecordHeader("content-type", "Application/CloudEvents+JSON")]

/// Returns the error of a record in one line: reason, field, and `dead letter` if the record is unreadable; `fine` if
/// there is none.
func problem<Event>(_ record: ConsumedRecord, _ read: (ConsumedRecord) throws(EventError) -> Event) -> String {
    do throws(EventError) {
        _ = try read(record)
        return "fine"
    } catch {
        let field = error.rejection.field.map { " \($0)" } ?? ""
        return "\(error.rejection.reason)\(field)\(error.isDeadLetter ? ", dead letter" : "")"
    }
}

/// Returns the fault of a request; `fine` if there is none.
func problem(_ record: ConsumedRecord) -> String { problem(record, RequestEvent.init) }

extension JournalStamp {
    static let example = JournalStamp(
        epoch: 3, owner: "coordinator-1", number: 7, requests: 10, outcomes: 20, settled: 5, results: 30)
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
