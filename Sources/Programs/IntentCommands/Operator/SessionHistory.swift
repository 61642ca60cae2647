import Conversation
import IntentEvents
import IntentModel
import RecordLog

/// The records of a session that the topics still have, in order of time.
struct SessionHistory {
    struct Entry {
        var record: ConsumedRecord
        var topic: String { record.topic }

        var type: String {
            if let type = record.headers.first(where: { $0.name == "ce_type" })?.text { return type }
            let data = try? JSONView(parsing: record.value ?? [], limits: .journal)
            return data?["type"]?.string ?? "-"
        }
    }

    /// The newest records, oldest first.
    private(set) var entries: [Entry] = []
    /// The number of omitted older records.
    private(set) var leftOut = 0
    private var mask = SecretMask()
    private let limit: Int

    /// - Parameters:
    ///   - partition: The session's partition in every topic.
    ///   - limit: The maximum number of records to keep.
    init(_ session: FoundSession?, id: Identifier, partition: Int32, limit: Int, _ client: OperatorClient) throws {
        self.limit = limit
        if let session { recordSecrets(of: session.record) }
        let key = Bytes(id.utf8)
        let topics = client.topics
        for topic in [
            topics.requests, topics.answers,
        ] + topics.work + [topics.outcomes, topics.results, topics.deadLetters] {
            try client.scan(TopicPartition(topic, partition)) { record in
                guard record.key == key else { return true }
                recordSecrets(of: record)
                entries.append(Entry(record: record))
                // The number of entries never exceeds twice the limit, however long the session is.
                if entries.count >= 2 * limit { cut() }
                return true
            }
        }
        cut()
    }

    var isEmpty: Bool { entries.isEmpty }

    private mutating func recordSecrets(of record: ConsumedRecord) {
        if let view = try? JSONView(parsing: record.value ?? [], limits: .journal) { mask.note(view) }
    }

    private mutating func cut() {
        // Records with the same timestamp stay in the order in which the topics were read: requests first, dead letters
        // last.
        let sorted = entries.enumerated().sorted {
            ($0.element.record.timestamp, $0.offset) < ($1.element.record.timestamp, $1.offset)
        }
        leftOut += max(0, entries.count - limit)
        entries = sorted.suffix(limit).map(\.element)
    }

    /// Returns the record's value with secrets hidden; `nil` if the value is not JSON.
    func data(_ record: ConsumedRecord) -> JSON? {
        guard let value = record.value, let view = try? JSONView(parsing: value, limits: .journal) else { return nil }
        return mask.hiding(view)
    }

    func text(_ entry: Entry) -> String {
        let record = entry.record
        let said = data(record)?.description ?? "\(record.value?.count ?? 0) bytes that are not JSON"
        let place = "\(record.topic) \(record.partition)/\(record.offset)"
        return "\(Instant(milliseconds: record.timestamp))\t\(place)\t\(entry.type.printable)\t\(said.printable)"
    }

    func json(_ entry: Entry) -> JSON {
        .make { writer in
            writer.beginObject()
            writer.member("time", Instant(milliseconds: entry.record.timestamp).description)
            writer.member("topic", entry.record.topic)
            writer.member("partition", Int(entry.record.partition))
            writer.member("offset", Int(entry.record.offset))
            writer.member("type", entry.type)
            writer.member("id", ifPresent: entry.record.headers.first { $0.name == "ce_id" }?.text)
            writer.member("source", ifPresent: entry.record.headers.first { $0.name == "ce_source" }?.text)
            writer.member("data", ifPresent: data(entry.record))
            writer.endObject()
        }
    }
}
