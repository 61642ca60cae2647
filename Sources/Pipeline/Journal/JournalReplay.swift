public import IntentEvents
public import RecordLog

/// Reads one partition of the journal in log order and keeps what counts. It reads stamps and keys, and leaves the values alone.
public struct JournalReplay: Sendable, Hashable {
    /// A record that is not from a coordinator, or not from one of this version.
    public struct Foreign: Sendable, Hashable {
        public var record: ConsumedRecord
        public var problem: EventError
    }

    /// Which records count.
    public private(set) var continuity = JournalContinuity()
    /// The newest record of each session that counts.
    public private(set) var sessions: [String: ConsumedRecord] = [:]
    /// Sessions whose newest record in the log does not count: they have to be written again, so that compaction does not keep that one.
    public private(set) var stale: Set<String> = []
    /// How far everything was, as the records that count say.
    public private(set) var stamp: JournalStamp?
    /// The keys of all fences that are not forgotten, in log order.
    public private(set) var fences: [String] = []
    /// What the owner of the current epoch requires to be unchanged.
    public private(set) var terms = FenceTerms(partitions: nil)
    /// Records that no coordinator wrote and that are the newest of their key, by key.
    public private(set) var foreign: [String: Foreign] = [:]
    /// Sessions whose newest record shows without its value that it can't be read.
    package private(set) var illegible: Set<String> = []
    /// How many records could not be read.
    public private(set) var unreadable = 0
    /// How many records do not count because one of their owner's records before them is missing.
    public private(set) var afterGap = 0
    /// The offset after the last record seen.
    public private(set) var next: Int64 = 0

    /// Whether it goes on where an owner has stopped: ``sessions`` has none of those that this one knows.
    public private(set) var isResumed = false
    /// Whether there was anything but fences of the first owner.
    public private(set) var hasOthers = false

    /// The epoch of the last fence that counts; 0 before the first.
    public var epoch: Int { continuity.epoch }
    /// Who wrote it.
    public var owner: String { continuity.owner }

    public init() {}

    /// Goes on where an owner has stopped that knows all sessions.
    ///
    /// - Parameters:
    ///   - next: the offset after its last record.
    ///   - stamp: that of a record that it would write now.
    ///   - fences: the keys of all fences that are not forgotten, in log order: its own, and those that have lost against it.
    package init(resuming continuity: JournalContinuity, at next: Int64, stamp: JournalStamp, fences: [String], terms: FenceTerms) {
        (self.continuity, self.next, self.stamp, self.terms) = (continuity, next, stamp, terms)
        self.fences = fences
        isResumed = true
    }

    /// The next record of the log.
    ///
    /// - Returns: what it is to an owner; `nil` if it could not be read.
    @discardableResult
    public mutating func apply(_ record: ConsumedRecord) -> JournalContinuity.Verdict? {
        apply(record, outlining: JournalOutline.init)
    }

    /// The next record of the log.
    ///
    /// - Parameter read: reads its outline; a check that sees the same records many times keeps what it has read.
    /// - Returns: what it is to an owner; `nil` if it could not be read.
    @discardableResult
    package mutating func apply(
        _ record: ConsumedRecord, outlining read: (ConsumedRecord) throws(EventError) -> JournalOutline
    ) -> JournalContinuity.Verdict? {
        next = max(next, record.offset + 1)
        let outline: JournalOutline
        do throws(EventError) { outline = try read(record) } catch {
            unreadable += 1
            hasOthers = true
            continuity.passOver()
            if let key = record.key.flatMap({ String(validating: $0, as: UTF8.self) }) {
                foreign[key] = Foreign(record: record, problem: error)
            }
            return nil
        }
        if !outline.isFence || outline.stamp.owner != owner { hasOthers = true }
        let verdict = continuity.judge(outline.stamp, at: record.offset)
        if verdict == .afterGap { afterGap += 1 }
        switch outline.subject {
        case .fence(let key):
            fences.removeAll { $0 == key }
            fences.append(key)
            if verdict == .valid { terms = FenceTerms(record.value) }
        case .forgottenFence(let key): fences.removeAll { $0 == key }
        case .positions: break
        case .session(let id, let isOpen):
            if verdict == .valid {
                if !stale.isEmpty { stale.remove(id) }
                sessions[id] = isOpen ? record : nil
                if isOpen, !outline.isLegible(record) { illegible.insert(id) } else if !illegible.isEmpty { illegible.remove(id) }
            } else {
                stale.insert(id)
            }
        }
        if !foreign.isEmpty { foreign[outline.subject.key] = nil }
        if verdict == .valid { advance(outline.stamp) }
        return verdict
    }

    /// Positions only go forward, whatever compaction left of the records. Where an operator has set them, those of before no longer matter. Only a version
    /// that does not know of that writes them afterwards.
    private mutating func advance(_ new: JournalStamp) {
        guard let old = stamp else { return stamp = new }
        var merged = new
        merged.inputs = max(old.inputs, new.inputs)
        let isOlder = new.inputs < old.inputs
        let isSame = new.inputs == old.inputs
        if isOlder || isSame && old.requests > new.requests { merged[.requests] = old[.requests] }
        if isOlder || isSame && old.answers > new.answers { merged[.answers] = old[.answers] }
        if isOlder || isSame && old.outcomes > new.outcomes { merged[.outcomes] = old[.outcomes] }
        if old.settled > new.settled { (merged.settled, merged.results) = (old.settled, old.results) }
        stamp = merged
    }
}
