import Conversation
import IntentEvents
import IntentModel
import Pipeline
import RecordLog

/// An open session and its position.
struct FoundSession {
    var session: Session
    var partition: Int32
    /// The session's record in the journal.
    var record: ConsumedRecord
}

extension OperatorClient {
    /// One partition of the journal as its next owner would read it.
    func journal(_ partition: Int32) throws -> JournalReplay {
        var replay = JournalReplay()
        try scan(TopicPartition(topics.sessions, partition)) { record in
            replay.apply(record)
            return true
        }
        return replay
    }

    /// Finds an open session: in the partition of its key, or in another one if a producer uses a different partitioner.
    ///
    /// - Returns: The session, the partition where it is or would be, and that partition's journal.
    func find(_ id: Identifier) async throws -> (found: FoundSession?, home: Int32, journal: JournalReplay) {
        let count = try await partitions()
        let home = Murmur2.partition(of: Bytes(id.utf8), count: count)
        let journal = try journal(home)
        if let found = journal.open(id, partition: home) { return (found, home, journal) }
        for partition in 0..<count where partition != home {
            let other = try self.journal(partition)
            if let found = other.open(id, partition: partition) { return (found, partition, other) }
        }
        return (nil, home, journal)
    }
}

extension JournalReplay {
    /// A session that is open after what was read so far; `nil` if it is not, or not readable by this version.
    func open(_ id: Identifier, partition: Int32) -> FoundSession? {
        guard let (session, record) = journaled(id), session.remains == nil else { return nil }
        return FoundSession(session: session.session, partition: partition, record: record)
    }

    /// Until when the requests of a forgotten session are known; `nil` if it is open, or nothing of it is known.
    func knownUntil(_ id: Identifier) -> Instant? { journaled(id)?.session.remains?.ends }

    private func journaled(_ id: Identifier) -> (session: JournaledSession, record: ConsumedRecord)? {
        guard let record = sessions[id], let journaled = try? JournalRecord(record), case .session(_, let session?) = journaled.content
        else { return nil }
        return (session, record)
    }
}
