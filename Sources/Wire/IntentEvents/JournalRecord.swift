public import Conversation
public import IntentModel
public import RecordLog

/// A record of `intents.sessions`, the coordinator's journal.
public struct JournalRecord: Sendable, Hashable {
    public enum Content: Sendable, Hashable {
        /// A session after a decision, with the results that the person's side may not have yet; `nil`: the session is forgotten.
        case session(id: Identifier, JournaledSession?)
        /// The owner takes the partition over.
        case fence
        /// Nothing but the stamp: the positions, kept where no session's end can take them away.
        case positions
        /// The old fence with this key is forgotten.
        case forgottenFence(Identifier)
    }

    public var stamp: JournalStamp
    public var content: Content

    public init(stamp: JournalStamp, content: Content) {
        self.stamp = stamp
        self.content = content
    }

    /// A session's value in the journal.
    public static func value(_ session: JournaledSession) -> Bytes {
        var session = session
        return value(of: &session)
    }

    /// A session's value in the journal. The session is not changed: it is `inout` so that nothing of it is copied.
    package static func value(of session: inout JournaledSession) -> Bytes {
        var writer = JSONWriter(reserving: 2_048)
        writer.beginObject()
        session.fields(&writer)
        writer.endObject()
        return writer.bytes
    }

    /// The record to append to a partition of the journal.
    public func record(topic: String, partition: Int32, at now: Instant) -> Record {
        var value: Bytes?
        if case .session(_, let session?) = content { value = Self.value(session) }
        return JournalOutline(stamp: stamp, subject: subject).record(
            value: value, topic: topic, partition: partition, at: now)
    }

    private var subject: JournalOutline.Subject {
        switch content {
        case .session(let id, let session): .session(id, isOpen: session != nil)
        case .fence: .fence(epoch: stamp.epoch, owner: stamp.owner)
        case .forgottenFence(let key): .forgottenFence(key)
        case .positions: .positions
        }
    }

    /// - Throws: ``EventError`` if no coordinator wrote it, or if a field of the session can't be read. It names the session, the field and the offset.
    public init(_ record: ConsumedRecord) throws(EventError) {
        let outline = try JournalOutline(record)
        stamp = outline.stamp
        switch outline.subject {
        case .positions: content = .positions
        case .fence: content = .fence
        case .forgottenFence(let key): content = .forgottenFence(key)
        case .session(let id, isOpen: false): content = .session(id: id, nil)
        case .session(let id, isOpen: true): content = .session(id: id, try outline.session(id, in: record))
        }
    }
}
