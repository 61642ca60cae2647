import Conversation
import DequeModule
import IntentEvents
import IntentModel
import RecordLog

/// The dead letters that a gateway has read last, and whether an operator has replayed or dropped them.
struct DeadLetterBook: Sendable {
    /// A dead letter, without the record in it.
    struct Entry: Sendable {
        var place: LogPosition
        var original: TopicPartition
        var offset: Int64
        var stage: String
        var reason: String
        var message: String
        var session: Identifier?
        var type: String?
        var time: Int64
        var mark: DeadLetterMark.Kind?
    }

    private static let maximum = 1_000

    private var entries: Deque<Entry> = []

    /// The number of letters that were neither replayed nor dropped.
    var open: Int { entries.count { $0.mark == nil } }

    mutating func apply(_ record: ConsumedRecord) {
        if let mark = DeadLetterMark(record) {
            let place = LogPosition(partition: mark.partition, offset: mark.offset)
            if let index = entries.firstIndex(where: { $0.place == place }) { entries[index].mark = mark.kind }
        } else if let letter = ReadDeadLetter(record) {
            entries.append(
                Entry(
                    place: LogPosition(partition: letter.partition, offset: letter.offset),
                    original: letter.original.topicPartition,
                    offset: letter.original.offset, stage: letter.stage, reason: letter.reason, message: letter.message,
                    session: letter.session, type: letter.original.headers.last { $0.name == "ce_type" }?.text,
                    time: letter.timestamp))
            if entries.count > Self.maximum { entries.removeFirst() }
        }
    }

    subscript(place: LogPosition) -> Entry? { entries.first { $0.place == place } }

    /// Returns the letters that were neither replayed nor dropped, the newest last.
    ///
    /// - Parameter masked: `true` to leave out the message and the session, which may contain words of a person.
    func json(limit: Int, masked: Bool, replayable: Set<String>) -> JSON {
        .array(
            entries.filter { $0.mark == nil }.suffix(limit).map { entry in
                .make { writer in
                    writer.beginObject()
                    writer.member("position", entry.place.description)
                    writer.member("topic", entry.original.topic)
                    writer.member(
                        "place", LogPosition(partition: entry.original.partition, offset: entry.offset).description)
                    writer.member("stage", entry.stage)
                    writer.member("reason", entry.reason)
                    if !masked {
                        writer.member("message", entry.message.withoutControlCharacters)
                        writer.member("session", ifPresent: entry.session)
                    }
                    writer.member("type", ifPresent: entry.type?.withoutControlCharacters)
                    writer.member("time", Instant(milliseconds: max(0, entry.time)).description)
                    writer.member("replayable", replayable.contains(entry.original.topic))
                    writer.endObject()
                }
            })
    }
}
