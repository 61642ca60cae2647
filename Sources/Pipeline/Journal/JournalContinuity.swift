public import IntentEvents
public import IntentModel

/// Tells, in log order, which records of a partition of the journal count: those of the owner at that time, as long as none of them is missing.
///
/// An owner numbers its records without gaps, and appends them in that order. The positions in a record cover the input of all records before it. So after a
/// record that the log did not take, nothing later of the same owner may count: the successor reads that input again. That a record is missing shows in
/// the offsets: compaction leaves every record's offset free, so two records of an owner are at least as far apart as their numbers.
public struct JournalContinuity: Sendable, Hashable {
    /// What a record is to an owner of the journal.
    public enum Verdict: Sendable, Hashable {
        /// It counts.
        case valid
        /// Its writer no longer owned the partition, or lost the race for it, or wrote it before.
        case void
        /// A record of its writer that should be before it is missing. It does not count, and neither does any later one of this writer.
        case afterGap
    }

    /// The epoch of the last fence that counts; 0 before the first.
    public private(set) var epoch = 0
    /// Who wrote it.
    public private(set) var owner: Identifier = ""
    /// The number and the offset of the owner's newest record.
    private var number = 0
    private var offset: Int64 = -1
    /// Records of others after it.
    private var others: Int64 = 0
    private var isBroken = false

    public init() {}

    /// The next record of the log. A higher epoch begins with its fence, or, where compaction or retention took that away, with its first record.
    public mutating func judge(_ stamp: JournalStamp, at offset: Int64) -> Verdict {
        if stamp.epoch > epoch {
            epoch = stamp.epoch
            owner = stamp.owner
            isBroken = false
        } else if stamp.epoch < epoch || stamp.owner != owner {  // rule: onlyTheOwnerCounts
            return other()
        } else if isBroken {
            return .afterGap
        } else if stamp.number <= number {
            return other()
        } else if Int64(stamp.number - number) > offset - self.offset - others {  // rule: nothingCountsAfterAGap
            isBroken = true
            return .afterGap
        }
        number = stamp.number
        self.offset = offset
        others = 0
        return .valid
    }

    /// A record that no coordinator wrote.
    public mutating func passOver() { _ = other() }

    private mutating func other() -> Verdict {
        others += 1
        return .void
    }
}
