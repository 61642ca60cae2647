public import Conversation
import IntentModel
public import RecordLog

/// A record of `intents.sessions`, the coordinator's journal.
public struct JournalRecord: Sendable, Hashable {
    public enum Content: Sendable, Hashable {
        /// A session after a decision, with the results that the person's side may not have yet; `nil`: the session is forgotten.
        case session(id: String, JournaledSession?)
        /// The owner takes the partition over.
        case fence
        /// Nothing but the stamp: the positions, kept where no session's end can take them away.
        case positions
        /// An old fence is forgotten.
        case forgottenFence
    }

    public var stamp: JournalStamp
    public var content: Content

    public init(stamp: JournalStamp, content: Content) {
        self.stamp = stamp
        self.content = content
    }

    /// A session's value in the journal.
    public static func value(_ session: consuming JournaledSession) -> Bytes {
        var writer = JSONWriter(reserving: 1_024)
        writer.beginObject()
        session.fields(&writer)
        writer.endObject()
        return writer.bytes
    }

    /// The record to append to a partition of the journal.
    ///
    /// - Parameter encoded: the session's value, if it is known.
    public func record(topic: String, partition: Int32, at now: Instant, value encoded: Bytes? = nil) -> Record {
        let key: String
        var value: Bytes?
        switch content {
        case .session(let id, let session):
            key = id
            value = encoded ?? session.map { Self.value($0) }
        case .fence, .forgottenFence:
            key = Self.fenceKey(stamp)
            value = Bytes("{}".utf8)
        case .positions:
            key = Self.positionsKey
            value = Bytes("{}".utf8)
        }
        return Record(
            topic: topic, partition: partition, key: Bytes(key.utf8), value: value, headers: [RecordHeader(Self.header, stamp.bytes)],
            timestamp: now.milliseconds)
    }

    /// The tombstone of an older owner's fence, written under this owner's stamp.
    public static func tombstone(ofFence fence: String, stamp: JournalStamp, topic: String, partition: Int32, at now: Instant) -> Record {
        Record(
            topic: topic, partition: partition, key: Bytes(fence.utf8), value: nil, headers: [RecordHeader(header, stamp.bytes)],
            timestamp: now.milliseconds)
    }

    /// - Throws: ``EventError`` if no coordinator wrote it, or if a field of the session can't be read. It names the session, the field and the offset.
    public init(_ record: ConsumedRecord) throws(EventError) {
        guard let key = record.key.flatMap({ String(validating: $0, as: UTF8.self) }),
            let text = record.headers.first(where: { $0.name == Self.header })?.text, let stamp = JournalStamp(text)
        else {
            throw .unreadable("only a coordinator may write to the journal", "key")
        }
        self.stamp = stamp
        if key == Self.positionsKey {
            content = .positions
        } else if key.hasPrefix(Self.fencePrefix) {
            content = record.value == nil ? .forgottenFence : .fence
        } else if let value = record.value {
            let view: JSONView
            do { view = try JSONView(parsing: value, limits: .journal) } catch { throw EventError(error) }
            do { content = .session(id: key, try JournaledSession(view, id: key)) } catch {
                throw .unreadable(
                    "the session '\(key)' can't be read at offset \(record.offset): \(error.field.isEmpty ? "it" : "'\(error.field)'") \(error.problem)",
                    "value")
            }
        } else {
            content = .session(id: key, nil)
        }
    }

    public static func fenceKey(_ stamp: JournalStamp) -> String { "\(fencePrefix)\(stamp.epoch)/\(stamp.owner)" }

    private static let header = "intents-journal"
    private static let fencePrefix = "$fence/"
    private static let positionsKey = "$positions"
}
