import Conversation
import IntentEvents
import IntentModel
import Logging
import RecordLog

// Sessions are forgotten, and later their requests.
//
// What is left of a session is in the journal under the session's key, so it moves to the next owner as a session does. It is replaced when the session is
// opened again, and by a tombstone when its time has passed. The remains have the form of a session with nothing but its requests: older versions read them, and
// the rules of the journal, takeovers, repairs and compaction are the same for both.
extension Coordinator {
    /// Ends forgotten at once; the others follow in the next steps, so that input does not wait for all of them.
    private static let endedPerStep = 1_000

    /// A session is over. The ids of its requests stay known.
    func forget(_ entry: SessionEntry, _ partition: OwnedPartition) throws(LogError) {
        let id = entry.session.id
        guard let remains = partition.sessions.forget(entry, at: now, configuration.policy) else {
            return try tell(partition) { $0.forget(session: id) }
        }
        append(remains, of: id, partition)
        try perform(partition)
        try forgetExcess(partition)
    }

    func append(_ remains: ForgottenSession, of id: Identifier, _ partition: OwnedPartition) {
        partition.journal.append(session: id, value: JournalRecord.value(JournaledSession(remains, of: id, at: now)))
    }

    /// Forgets the requests whose time has passed.
    ///
    /// - Returns: whether there were any.
    func forgetEnded(_ partition: OwnedPartition) throws(LogError) -> Bool {
        var count = 0
        while count < Self.endedPerStep, let id = partition.sessions.forgotten.popEnded(at: now) {
            count += 1
            try tell(partition) { $0.forget(session: id) }
        }
        return count > 0
    }

    /// Forgets requests before their time, if there are too many.
    func forgetExcess(_ partition: OwnedPartition) throws(LogError) {
        while let id = partition.sessions.forgotten.popExcess(
            over: configuration.maximumForgotten, bytes: configuration.maximumForgottenBytes)
        {
            counters.forgottenEarly += 1
            if !partition.hasToldOfExcess {
                partition.hasToldOfExcess = true
                logger.warning(
                    "there are too many forgotten sessions to know all of their requests for their time: a repeat of an old one is a new request",
                    metadata: ["partition": "\(partition.number)", "sessions": "\(partition.sessions.forgotten.count)"])
            }
            try tell(partition) { $0.forget(session: id) }
        }
    }
}
