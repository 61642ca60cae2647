public import Conversation
public import IntentEvents
public import IntentModel
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
    public var sessions: [Identifier: ConsumedRecord] { newest.records }
    package private(set) var newest = UnreadSessions()
    /// The keys of sessions, and of the positions, whose newest record in the log does not count: they have to be written again, so that compaction does not keep that
    /// one. Without the fences before it, it would count.
    public private(set) var stale: Set<Identifier> = []
    /// How far everything was, as the records that count say.
    public private(set) var stamp: JournalStamp?
    /// The keys of all fences that are not forgotten, in log order.
    public private(set) var fences: [Identifier] = []
    /// What the owner of the current epoch requires to be unchanged.
    public private(set) var terms = FenceTerms(partitions: nil)
    /// Records that no coordinator wrote and that are the newest of their key, by key.
    public private(set) var foreign: [Identifier: Foreign] = [:]
    /// Sessions whose newest record shows without its value that it can't be read.
    package private(set) var illegible: Set<Identifier> = []
    /// How many records could not be read.
    public private(set) var unreadable = 0
    /// How many records do not count because one of their owner's records before them is missing.
    public private(set) var afterGap = 0
    /// The time of the newest record that counts and is no fence; `nil` if there is none.
    public private(set) var newestDecision: Instant?
    /// The offset after the last record seen.
    public private(set) var next: Int64 = 0

    /// The knowledge with which a replay continues.
    package enum Basis: Sendable, Hashable, CaseIterable {
        /// The journal is read from its beginning, as compaction left it. Exit: `complete`.
        case beginning
        /// The journal was read to its end. Later records are read in the order of the log, whatever compaction removes. Exit: `invalid`.
        case complete
        /// An owner of this process stopped here, and knows all sessions and its own stamp. Exits: `continued`, `evicted`, `invalid`.
        case owner
        /// As `owner`, but the group evicted it at an unknown time: only fences of this process leave it valid. Exit: `invalid`.
        case evicted
        /// An owner of this process stopped here, and the records of later owners are known. Exit: `invalid`.
        case continued
        /// The log is another one, or records are missing: the journal is read again from its beginning. No exit.
        case invalid
    }

    package private(set) var basis = Basis.beginning
    /// `true` if the replay continues from an owner's memory: ``sessions`` has only those that were written since.
    public var isResumed: Bool { [.owner, .evicted, .continued].contains(basis) }
    /// Sessions that ended since an owner stopped.
    package private(set) var ended: Set<Identifier> = []

    /// The epoch of the last fence that counts; 0 before the first.
    public var epoch: Int { continuity.epoch }
    /// Who wrote it.
    public var owner: Identifier { continuity.owner }

    public init() {}

    /// Goes on where an owner has stopped that knows all sessions.
    ///
    /// - Parameters:
    ///   - next: the offset after its last record.
    ///   - stamp: that of a record that it would write now.
    ///   - fences: the keys of all fences that are not forgotten, in log order: its own, and those that have lost against it.
    package init(
        resuming continuity: JournalContinuity, at next: Int64, stamp: JournalStamp, fences: [Identifier],
        terms: FenceTerms
    ) {
        (self.continuity, self.next, self.stamp, self.terms) = (continuity, next, stamp, terms)
        self.fences = fences
        basis = .owner
    }

    /// The replay after the group evicted this member; `nil` if it can't continue. An owner's own decisions show whether others have written since. Records that
    /// were only read do not.
    package var evicted: JournalReplay? {
        guard basis == .owner || basis == .evicted else { return nil }
        var replay = self
        replay.basis = .evicted
        return replay
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
            // What it overwrites is not known here.
            if isResumed { basis = .invalid }
            continuity.passOver()
            if let key = record.key.flatMap({ String(validating: $0, as: UTF8.self) }) {
                foreign[Identifier(key)] = Foreign(record: record, problem: error)
            }
            return nil
        }
        let isOther = outline.stamp.owner != owner
        let before = epoch
        let verdict = continuity.judge(outline.stamp, at: record.offset)
        if verdict == .afterGap { afterGap += 1 }
        switch basis {
        case .evicted where isOther || !outline.isFence: basis = .invalid  // rule: recordsOfOthersAreRead
        case .complete, .owner, .evicted, .continued:
            if !isContinuous(outline, verdict, after: before) { basis = .invalid }
        case .beginning, .invalid: break
        }
        switch outline.subject {
        case .fence(let key):
            fences.removeAll { $0 == key }
            fences.append(key)
            if verdict == .valid { terms = FenceTerms(record.value) }
        case .forgottenFence(let key): fences.removeAll { $0 == key }
        case .positions:
            if verdict != .valid {
                stale.insert(outline.subject.key)
            } else if !stale.isEmpty {
                stale.remove(outline.subject.key)
            }
        case .session(let id, let isOpen):
            if verdict == .valid {
                if !stale.isEmpty { stale.remove(id) }
                if isOpen { newest.insert(record, of: id) } else { newest.remove(id) }
                if isResumed { if isOpen { ended.remove(id) } else { ended.insert(id) } }
                if isOpen, !outline.isLegible(record) {
                    illegible.insert(id)
                } else if !illegible.isEmpty {
                    illegible.remove(id)
                }
            } else {
                stale.insert(id)
            }
        }
        if !foreign.isEmpty { foreign[outline.subject.key] = nil }
        guard verdict == .valid else { return verdict }
        if isOther, basis == .owner || basis == .evicted {
            // The next owner knows what was in the log, and not how far the one before it was beyond that.
            (stamp, basis) = (nil, .continued)
        }
        if !outline.isFence {
            newestDecision = max(newestDecision ?? Instant(milliseconds: 0), Instant(milliseconds: record.timestamp))
        }
        advance(outline.stamp)
        return verdict
    }

    /// All that is there was read.
    package mutating func reachedEnd() { if basis == .beginning { basis = .complete } }

    /// Whether a record can be the next one of a log of which everything before it was seen: one of the owner, the fence of the next owner, or a fence that has
    /// lost. A stale writer's can be too. But so are all records of a log that was created again, so that what they mean is read from the beginning.
    private func isContinuous(_ outline: JournalOutline, _ verdict: JournalContinuity.Verdict, after before: Int)
        -> Bool
    {
        switch verdict {
        case .valid: epoch == before || epoch == before + 1 && outline.isFence
        case .void: outline.isFence && outline.stamp.epoch == before
        case .afterGap: false
        }
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
