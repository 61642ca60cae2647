import Conversation
import IntentEvents
import IntentModel
import Logging
import RecordLog

// Sessions are read after a takeover, and later forgotten.
extension Coordinator {
    // MARK: Reading

    // Sessions that were taken over are read when an event comes for them, and otherwise a few in each step. By then input goes on, so a partition waits for none of them.
    // Until a session is read its timers don't fire, it does not count as its principal's, and it is not known whether it can be read.

    /// Bytes of values that are read in one step, at most; eight times as many if there is nothing else to do.
    private static let bytesPerStep = 64 << 10

    /// Reads the session that a record of the input is for.
    ///
    /// - Returns: Whether input may be decided on. If the session can't be read, its partition is stopped.
    func readSession(of record: ConsumedRecord, _ partition: OwnedPartition) throws(LogError) -> Bool {
        guard !partition.sessions.unread.isEmpty, let id = try? SessionKey.read(record) else { return true }
        return try read(id, partition)
    }

    /// Reads a session, unless that was done.
    func read(_ id: Identifier, _ partition: OwnedPartition) throws(LogError) -> Bool {
        guard let record = partition.sessions.unread.take(id) else { return true }  // rule: sessionsAreReadFirst
        return try read(record, of: id, partition)
    }

    private func read(_ record: ConsumedRecord, of id: Identifier, _ partition: OwnedPartition) throws(LogError) -> Bool
    {
        do throws(EventError) {
            take(try partition.journal.session(id, in: record), partition)
            return true
        } catch {
            let problem = error
            try tell(partition) { $0.isUnreadable(problem) }  // rule: unreadableSessionsStopThePartition
            return false
        }
    }

    /// Reads some sessions for which no event has come.
    ///
    /// - Returns: whether there were any.
    func readOn(isBusy: Bool) throws(LogError) -> Bool {
        let share = isBusy ? 1 : 8
        var (left, bytes) = (configuration.sessionsReadPerStep * share, Self.bytesPerStep * share)
        var hasRead = false
        for partition in inOrder where partition.isActive && !partition.sessions.unread.isEmpty {
            while left > 0, bytes > 0, let (id, record) = partition.sessions.unread.takeOldest() {
                hasRead = true
                left -= 1
                bytes -= record.value?.count ?? 0
                guard try read(record, of: id, partition) else { break }
            }
            try forgetExcess(partition)
        }
        return hasRead
    }

    // MARK: Forgetting

    // Sessions are forgotten, and later their requests.
    //
    // What is left of a session is in the journal under the session's key, so it moves to the next owner as a session does. It is replaced when the session is
    // opened again, and by a tombstone when its time has passed. The remains have the form of a session with nothing but its requests: older versions read them, and
    // the rules of the journal, takeovers, repairs and compaction are the same for both.

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
            over: configuration.limits.maximumForgotten, bytes: configuration.limits.maximumForgottenBytes)
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
