import Conversation
import IntentEvents
import IntentModel
import Pipeline
import RecordLog

/// An open session with its partition and its record.
struct FoundSession {
    var session: Session
    var partition: Int32
    /// The session's record in the journal.
    var record: ConsumedRecord
}

extension OperatorClient {
    /// Replays one partition of the journal as its next owner would.
    func journal(_ partition: Int32) throws -> JournalReplay {
        var replay = JournalReplay()
        try scan(TopicPartition(topics.sessions, partition)) { record in
            replay.apply(record)
            return true
        }
        return replay
    }

    /// Finds an open session in the partition of its key, or in another partition if a producer uses a different
    /// partitioner.
    ///
    /// - Returns: The session, its actual or expected partition, and that partition's journal.
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
    /// Returns a session that is open after the replayed records; `nil` if the session is not open, or not readable by
    /// this version.
    func open(_ id: Identifier, partition: Int32) -> FoundSession? {
        guard let (session, record) = journaled(id), session.remains == nil else { return nil }
        return FoundSession(session: session.session, partition: partition, record: record)
    }

    /// Returns the time until which the requests of a forgotten session are known; `nil` if the session is open or
    /// unknown.
    func knownUntil(_ id: Identifier) -> Instant? { journaled(id)?.session.remains?.ends }

    private func journaled(_ id: Identifier) -> (session: JournaledSession, record: ConsumedRecord)? {
        guard let record = sessions[id], let journaled = try? JournalRecord(record),
            case .session(_, let session?) = journaled.content
        else { return nil }
        return (session, record)
    }
}
