import Conversation
import IntentModel
import RecordLog

/// What a topic still says of a session that has ended.
struct SessionRemains {
    let topic: String
    /// It is compacted: what stands before the tombstone goes with the next compaction.
    let isJournal: Bool
    /// Hours.
    let retention: Int
    private(set) var records = 0
    private(set) var newest: Instant?

    init(topic: String, isJournal: Bool, retention: Int) {
        self.topic = topic
        self.isJournal = isJournal
        self.retention = retention
    }

    mutating func add(_ record: ConsumedRecord) {
        records += 1
        newest = max(newest ?? Instant(milliseconds: 0), Instant(milliseconds: record.timestamp))
    }

    /// When Kafka may delete the newest of them. It deletes whole segments, so it may take that segment's time longer.
    private var until: Instant? { isJournal ? nil : newest?.advanced(by: .seconds(retention * 3_600)) }

    var text: String {
        guard records > 0 else { return "\(topic)\tnothing" }
        let end =
            until.map { "readable until its segment is deleted, after \($0)" } ?? "behind a tombstone: readable until Kafka compacts it"
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
            writer.endObject()
        }
    }
}
