import IntentEvents
import IntentModel
import RecordLog

// Sessions that were taken over are read when an event comes for them, and otherwise a few in each step. By then input goes on, so a partition waits for none of them.
// Until a session is read its timers don't fire, it does not count as its principal's, and it is not known whether it can be read.
extension Coordinator {
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
        guard Rule.sessionsAreReadFirst.holds, let record = partition.sessions.unread.take(id) else { return true }
        return try read(record, of: id, partition)
    }

    private func read(_ record: ConsumedRecord, of id: Identifier, _ partition: OwnedPartition) throws(LogError) -> Bool
    {
        do throws(EventError) {
            take(try partition.journal.session(id, in: record), partition)
            return true
        } catch {
            if !Rule.unreadableSessionsStopThePartition.holds { return true }
            let problem = error
            try tell(partition) { $0.isUnreadable(problem) }
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
}
