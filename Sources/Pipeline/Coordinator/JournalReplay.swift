public import IntentEvents
public import RecordLog

/// Reads one partition of the journal in log order and keeps what counts: of two fences with one epoch the first, of all records those whose
/// writer owned the partition when they were written.
public struct JournalReplay: Sendable {
    /// The epoch of the last fence that counts; 0 before the first.
    public private(set) var epoch = 0
    /// Who wrote it.
    public private(set) var owner = ""
    /// The newest record of each session that counts. Only the record is kept, and not the session in it.
    public private(set) var sessions: [String: ConsumedRecord] = [:]
    /// Sessions whose newest record in the log is void: they have to be written again, so that compaction does not keep the void one.
    public private(set) var stale: Set<String> = []
    /// How far everything was, as the records that count say.
    public private(set) var stamp: JournalStamp?
    /// The keys of all fences that are not forgotten.
    public private(set) var fences: Set<String> = []
    /// How many records could not be read: no coordinator wrote them, or one of another version.
    public private(set) var unreadable = 0
    /// What is wrong with the first of them.
    public private(set) var firstProblem: EventError?
    /// The offset after the last record seen.
    public private(set) var next: Int64 = 0

    /// What a record is to an owner of the journal.
    public enum Verdict: Sendable, Equatable {
        /// It counts.
        case valid
        /// Its writer no longer owned the partition, or lost the race for it.
        case void
        case unreadable
    }

    public init() {}

    /// The next record of the log.
    @discardableResult
    public mutating func apply(_ record: ConsumedRecord) -> Verdict { apply(record, reading: JournalRecord.init) }

    /// The next record of the log, read by `read`.
    @discardableResult
    package mutating func apply(
        _ record: ConsumedRecord, reading read: (ConsumedRecord) throws(EventError) -> JournalRecord
    ) -> Verdict {
        next = max(next, record.offset + 1)
        let journaled: JournalRecord
        do throws(EventError) { journaled = try read(record) } catch {
            unreadable += 1
            if firstProblem == nil { firstProblem = error }
            return .unreadable
        }
        let verdict = judge(journaled)
        switch journaled.content {
        case .fence: fences.insert(JournalRecord.fenceKey(journaled.stamp))
        case .forgottenFence: record.key.map { _ = fences.remove(String(decoding: $0, as: UTF8.self)) }
        case .positions: break
        case .session(let id, let session):
            if verdict == .valid {
                stale.remove(id)
                sessions[id] = session == nil ? nil : record
            } else {
                stale.insert(id)
            }
        }
        if verdict == .valid { advance(journaled.stamp) }
        return verdict
    }

    /// In log order: a higher epoch begins with its fence, or, where compaction or retention took that away, with its first record.
    private mutating func judge(_ record: JournalRecord) -> Verdict {
        if record.stamp.epoch > epoch {
            epoch = record.stamp.epoch
            owner = record.stamp.owner
            return .valid
        }
        return record.stamp.epoch == epoch && record.stamp.owner == owner ? .valid : .void
    }

    /// Positions only go forward, whatever compaction left of the records.
    private mutating func advance(_ new: JournalStamp) {
        guard let old = stamp else { return stamp = new }
        var merged = new
        merged.requests = max(old.requests, new.requests)
        merged.outcomes = max(old.outcomes, new.outcomes)
        if old.settled > new.settled { (merged.settled, merged.results) = (old.settled, old.results) }
        stamp = merged
    }
}
