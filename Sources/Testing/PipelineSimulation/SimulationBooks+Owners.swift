import Conversation
import IntentEvents
import IntentModel
import Pipeline
import RecordLog

/// A coordinator that was replaced as the owner of a partition while it was alive. The coordinator may still write each
/// result that it had in flight once, until all owners have come to rest.
struct ReplacedOwner: Sendable {
    /// The run of the process, such as `c1-2`.
    var runName: String
    /// The numbers of the results in flight, by session.
    var results: [String: Set<Int>]
}

// The owners of partitions according to the journal, and the results that may be written twice.
extension SimulationBooks.Ledger {
    /// Returns a decoded record of the journal. Each record is decoded once.
    mutating func journalRecord(_ record: ConsumedRecord) throws(EventError) -> JournalRecord {
        if let known = journals.records[record.partition]?[record.offset] { return try known.get() }
        let read = Result { () throws(EventError) in try JournalRecord(record) }
        journals.records[record.partition, default: [:]][record.offset] = read
        return try read.get()
    }

    /// Returns the outline of a record of the journal. Each outline is read once.
    mutating func journalOutline(_ record: ConsumedRecord) throws(EventError) -> JournalOutline {
        if let known = journals.outlines[record.partition]?[record.offset] { return try known.get() }
        let read = Result { () throws(EventError) in try JournalOutline(record) }
        journals.outlines[record.partition, default: [:]][record.offset] = read
        return try read.get()
    }

    /// Records the owner after a fence. If the previous owner is alive, both owners may write the results that the
    /// previous owner had in flight.
    ///
    /// - Parameter log: Returns the partition of the journal, as compaction left it.
    mutating func recordFence(_ fence: ConsumedRecord, log: () -> [ConsumedRecord]) {
        guard let stamp = try? journalRecord(fence).stamp else { return }
        let before = journals.owners[fence.partition]
        guard stamp.epoch > before?.epoch ?? 0 else { return }
        journals.owners[fence.partition] = (stamp.epoch, stamp.owner.text)
        guard let runName = before?.runName, runName != stamp.owner.text, living.contains(runName) else { return }
        let records = log().filter { $0.offset < fence.offset }
        let left = PartitionInspection(
            journal: records, partition: fence.partition,
            reading: { (record) throws(EventError) in try self.journalRecord(record) })
        var inFlight: [String: Set<Int>] = [:]
        for (id, session) in left.sessions {
            let book = sessions[id.text] ?? SessionBook()
            let isReopened = book.forgotten > book.reopened || session.sequence < book.sequence
            let lastSent = isReopened ? 0 : book.sequence
            if lastSent < session.sequence { inFlight[id.text] = Set(lastSent + 1...session.sequence) }
        }
        if !inFlight.isEmpty { journals.replaced.append(ReplacedOwner(runName: runName, results: inFlight)) }
    }

    /// Uses up a permission to write a result twice.
    ///
    /// - Returns: `true` if there was a permission.
    mutating func consumeCopyPermission(for sequence: Int, _ session: String) -> Bool {
        for index in journals.replaced.indices
        where journals.replaced[index].results[session]?.remove(sequence) != nil { return true }
        return false
    }
}
