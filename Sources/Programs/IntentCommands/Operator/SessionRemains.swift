import Conversation
import IntentModel
import RecordLog

/// The records of an ended session that a topic still has.
struct SessionRemains {
    let topic: String
    /// `true` if the topic is the journal, where the next compaction deletes all records before the tombstone.
    let isJournal: Bool
    /// The retention in hours.
    let retention: Int
    /// The time until which the journal has the ids of the session's requests.
    let knownUntil: Instant?
    private(set) var records = 0
    private(set) var newest: Instant?

    init(topic: String, isJournal: Bool, retention: Int, knownUntil: Instant?) {
        self.topic = topic
        self.isJournal = isJournal
        self.retention = retention
        self.knownUntil = knownUntil
    }

    mutating func add(_ record: ConsumedRecord) {
        records += 1
        newest = max(newest ?? Instant(milliseconds: 0), Instant(milliseconds: record.timestamp))
    }

    /// The time from which Kafka may delete the newest record. Kafka deletes whole segments, so the deletion can be
    /// later.
    private var until: Instant? { isJournal ? nil : newest?.advanced(by: .seconds(retention * 3_600)) }

    var text: String {
        guard records > 0 else { return "\(topic)\tnothing" }
        let end =
            until.map { "readable until its segment is deleted, after \($0)" }
            ?? knownUntil.map {
                "readable until Kafka compacts the topic, but for the ids of its requests: by these, repeats are ignored until \($0)"
            }
            ?? "deleted by a tombstone: readable until Kafka compacts the topic"
        return "\(topic)\t\(records) records\t\(end)"
    }

    var json: JSON {
        .make { writer in
            writer.beginObject()
            writer.member("topic", topic)
            writer.member("records", records)
            writer.member("newest", ifPresent: newest?.description)
            writer.member("goesWith", isJournal ? "compaction" : "retention")
            writer.member("notBefore", ifPresent: until?.description)
            writer.member("requestsKnownUntil", ifPresent: knownUntil?.description)
            writer.endObject()
        }
    }
}
