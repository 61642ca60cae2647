package import Conversation
import DequeModule
package import IntentEvents
package import IntentModel
package import RecordLog

/// The rules by which a coordinator owns one partition (ARCHITECTURE.md, "The journal"), as a value without IO: it is told what happened in the log and
/// what was decided, and says in ``actions`` what to do.
///
/// How a partition is taken over is in `PartitionJournal+Recovering.swift`, how decisions become records and effects in `PartitionJournal+Writing.swift`,
/// and how other writers are found in `PartitionJournal+Verifying.swift`.
package struct PartitionJournal: Sendable, Hashable {
    package struct Settings: Sendable, Hashable {
        package var topics: Topics
        /// Names this process in the journal.
        package var owner: Identifier
        /// How many partitions each topic has; `nil` if that is not known.
        package var partitions: Int32?
        /// The time limits in work that is sent again.
        package var policy: SessionPolicy
        /// After so many records the positions are written under a key of their own.
        package var positionsInterval: Int
        /// How long the group may take to revoke a partition that another coordinator has fenced.
        package var patience: Duration

        package init(
            topics: Topics, owner: Identifier, partitions: Int32?, policy: SessionPolicy = SessionPolicy(),
            positionsInterval: Int,
            patience: Duration = .seconds(60)
        ) {
            self.policy = policy
            self.topics = topics
            self.owner = owner
            self.partitions = partitions
            self.positionsInterval = positionsInterval
            self.patience = patience
        }
    }

    package let partition: Int32
    package let settings: Settings
    package internal(set) var state = State.unread
    /// What is to be done, in order. Who has done it removes it.
    package var actions: [JournalAction] = []

    package internal(set) var epoch = 0
    /// The epoch of our fence at the last sign that the journal has lost records; `nil` before the first.
    var lossSeen: Int?
    /// Our own records.
    var written = WrittenRecords()
    /// Tells which records of the journal count, from the first to those that we have seen of our own.
    var continuity = JournalContinuity()
    /// What our fence requires to be unchanged.
    var terms = FenceTerms(partitions: nil)
    /// Every record before this offset is ours, or harmless.
    var verified: Int64 = 0
    /// The fences of others after ours, in log order. They do not count. The next owner, also if that is us, has to forget them before ours.
    var lostFences: [Identifier] = []
    /// How many of our fences are not acknowledged. They are read in the log; their acknowledgements say nothing new.
    var fences = 0
    /// Our records after them that are not acknowledged.
    var appended = Deque<Appended>()
    /// How many of ``appended``, from the first on, were read in the log before their acknowledgement came. Their effects are released.
    var released = 0
    /// Our records that are acknowledged, but not where they were expected: another writer may have written before them.
    var unverified = Deque<Appended>()
    /// The journal is being read from ``verified`` on.
    package internal(set) var isVerifying = false
    /// What ``verified`` was when that reading began.
    var verifyingFrom: Int64 = 0

    /// The positions up to which the inputs are decided on.
    var inputs = InputPositions()
    var effects = SentEffects()
    /// The input that our newest record covers.
    var stamped = InputOffsets()
    /// The input that our newest record covers of which it is known to be in the log. The group may commit these positions, and no later ones.
    package internal(set) var acknowledged = InputOffsets()
    /// How often an operator has set the positions that are in ``acknowledged``.
    package var inputsSet: Int { inputs.repairs }
    /// `true` if the partition was taken over a second time in this assignment, because the group had not revoked it after it was lost.
    package var wasReclaimed = false
    /// What the group has committed; `nil` while that is not known.
    var group: GroupPositions? = GroupPositions()
    /// `true` while it is not known what the group has committed.
    package var awaitsCommitted: Bool { group == nil }
    /// Inputs that seem to end before their position. One look may show an old end, so a second one has to confirm it.
    private var doubted: Set<JournalInput> = []

    package init(partition: Int32, settings: Settings) {
        self.partition = partition
        self.settings = settings
    }

    package var isActive: Bool { if case .active = state { true } else { false } }

    package var isOwned: Bool {
        switch state {
        case .active, .draining: true
        default: false
        }
    }

    /// `true` if the partition belongs to this process, whether it is served already or not.
    package var isAssigned: Bool { !isLost && !isCached }

    /// `true` while nothing of the journal is known, and its reading has not begun.
    package var isUnread: Bool { state.name == .unread }

    /// Whether the journal is read from its beginning, or from where it was known.
    package var isReplaying: Bool { state.name == .replaying }

    /// Whether another coordinator has it, and the group has not said so yet.
    package var isLost: Bool { state.name == .lost }

    package var isStopped: Bool { state.name == .stopped }

    /// `true` if the partition was revoked, and its state is cached.
    package var isCached: Bool { isFollowed || state.name == .kept }

    /// `true` if a standby continues from the cached state.
    package var isFollowed: Bool { state.name == .followed }

    /// The cached state that no standby follows.
    package var kept: JournalReplay? { if case .kept(let replay) = state { replay } else { nil } }

    /// Decisions whose record or effects are not acknowledged.
    package var inFlight: Int { appended.count + unverified.count + effects.count }

    /// Bytes of the records of these decisions. Each of their effects has about as many at most: what a decision tells is part of its record.
    package internal(set) var inFlightBytes = 0

    /// Whether nothing is under way.
    package var isSettled: Bool { inFlight == 0 && !isVerifying }

    // MARK: Events

    /// A record of the journal or of the results that was asked for.
    package mutating func read(_ record: ConsumedRecord, from source: JournalSource, at now: Instant) {
        switch source {
        case .journal: if isOwned { verify(record, at: now) } else { replay(record, at: now) }
        case .results: found(record)
        }
    }

    /// What was asked for is read to its end.
    ///
    /// - Parameter next: the offset of the next record.
    package mutating func reachedEnd(of source: JournalSource, next: Int64) {
        switch (state, source) {
        case (.replaying(let replay), .journal): if next < replay.next { readAgain() } else { fence(after: replay) }
        case (.readingResults(let recovered), .results):
            effects.resultsNext = next
            actions.append(.stopReading(.results))
            begin(recovered)
        case (.active, .journal), (.draining, .journal): verificationReachedEnd(next: next)
        default: break
        }
    }

    /// A record of the input.
    ///
    /// - Returns: whether it is to be decided on, or to be told of again, now or later. With another log than before the partition is stopped.
    package mutating func judge(_ record: ConsumedRecord, of input: JournalInput) -> InputPosition.Verdict {
        let verdict = self[input].judge(record)
        switch verdict {
        case .next, .known, .open, .unchecked: break
        case .otherLog: otherLog(record.topic, next: self[input].next)
        }
        return verdict  // rule: inputIsDecidedOnce
    }

    /// Something has to be told of a record of the input, beside the journal.
    package mutating func leaveOpen(_ offset: Int64, of input: JournalInput) { self[input].leaveOpen(offset) }

    /// What had to be told of a record of the input, beside the journal, is in the log.
    package mutating func told(of offset: Int64, of input: JournalInput) {
        self[input].close(offset)
        // Otherwise each next owner would tell it again, for as long as nothing is decided.
        if isOwned, written.namesOpenInput, !inputs.hasOpen { appendPositions() }
    }

    /// Whether all input is decided on and told that is gone from the log. Reading begins at the last record that is, and retention may have taken it.
    package func isDecided(before position: OutOfRange) -> Bool {
        guard isOwned, position.side == .beforeBeginning, let first = position.continuingAt else { return false }
        return JournalInput(position.partition.topic, settings.topics).map { self[$0].isDone(before: first) } ?? false
    }

    /// The log does not have a position that we read at.
    package mutating func isMissing(_ position: OutOfRange) {
        if position.partition.topic == settings.topics.sessions, isReplaying { return readAgain() }
        // Input that was removed before it was read is counted and told, and nothing can be done about it.
        guard isOwned, position.side == .afterEnd else { return }
        let topic = position.partition.topic
        if let input = JournalInput(topic, settings.topics) { return otherLog(topic, next: self[input].next) }
        if topic == settings.topics.sessions { cut() }
    }

    /// Inputs whose reading has not shown yet that they are the logs that were read before. It shows with the first record, which is there.
    package var unchecked: [JournalInput] {
        isActive ? JournalInput.allCases.filter { self[$0].isUnchecked } : []
    }

    /// An input ends at this offset. One that ends right before the record that was read last is another log, and no reader's position is out of its range.
    package mutating func ends(_ input: JournalInput, at end: Int64) {
        let next = self[input].next
        guard isOwned, end < next else { return _ = doubted.remove(input) }
        if doubted.insert(input).inserted { return }
        otherLog(input.topic(settings.topics), next: next)
    }

    /// A batch of the journal, or of the keys that decrypt it, can't be read. What was decided in it is not known, so nothing more is decided.
    package mutating func isUnreadable(_ batch: UnreadableRange) {
        switch state {
        case .lost, .stopped, .kept, .followed: return
        case .unread, .replaying, .fencing, .readingResults, .active, .draining: break
        }
        stop(
            "\(batch). What it holds is not known, so nothing is decided in this partition; the others go on. If librdkafka lacks the codec, or the batch is larger than "
                + "receive.message.max.bytes, change that and restart the coordinator. Otherwise the topic has to be restored from a copy, or the pipeline begins anew with topics of "
                + "another prefix")
    }

    private mutating func otherLog(_ topic: String, next: Int64) {
        stop(
            "\(topic) is not the log that the journal has read up to offset \(next): the topic was created again, or its tail was cut. Nothing more is read from it, "
                + "since what it has before that offset would be passed over in silence. 'intents journal repair' says what can be done. Then restart the "
                + "coordinator")
    }

    /// The group wants the partition back.
    package mutating func drain() { if isActive { state = .draining } }

    /// The partition was revoked. Its state is cached if no decision is in flight.
    ///
    /// - Parameter isEvicted: `true` if the group has evicted this member at an unknown time.
    package mutating func giveBack(isEvicted: Bool = false) {
        close()
        doubted = []
        let known: JournalReplay?
        switch state {
        case .replaying(let replay), .fencing(let replay), .kept(let replay): known = replay
        case .readingResults(let recovered): known = recovered.replay
        case .active, .draining: known = inFlight == 0 && !inputs.hasOpen ? replayOfAll : nil
        case .unread, .lost, .stopped: known = nil
        case .followed: return
        }
        state = (isEvicted ? known?.evicted : known).map(State.kept) ?? .unread
    }

    /// Another process owns the partition, and a standby continues from the cached state.
    package mutating func follow() { if case .kept = state { state = .followed } }

    /// What was opened to recover or to verify is closed.
    package mutating func close() {
        switch state {
        case .replaying, .fencing: actions.append(.stopReading(.journal))
        case .readingResults: actions.append(.stopReading(.results))
        case .active, .draining, .unread, .lost, .stopped, .kept, .followed:
            if isVerifying { actions.append(.stopReading(.journal)) }
        }
        isVerifying = false
    }

    /// It can't be served. What is in flight is left to the next owner.
    mutating func stop(_ problem: String) {
        close()
        forget()
        let problem = JournalProblem("\(settings.topics.sessions), partition \(partition): \(problem)")
        state = .stopped(problem)
        actions.append(.stop(problem))
    }

    /// Forgets what is in flight.
    mutating func forget() {
        appended.removeAll()
        released = 0
        unverified.removeAll()
        effects = SentEffects()
        inFlightBytes = 0
    }
}

extension PartitionJournal {
    /// How far an input is decided on.
    package subscript(_ input: JournalInput) -> InputPosition {
        get { inputs[input] }
        _modify { yield &inputs[input] }
    }

    /// The records that this owner has written.
    struct WrittenRecords: Sendable, Hashable {
        var count = 0
        /// Records since a quiet journal was last looked at.
        var sinceCheck = 0
        /// Records since the positions were written under their own key.
        var sincePositions = 0
        /// The positions last written under their own key, or in our fence.
        var positions: InputPositions.Summary?
        /// `true` if the last record names input that is open.
        var namesOpenInput = false
    }

    /// A decision whose journal record is not acknowledged, or not known to be where it should be.
    struct Appended: Sendable, Hashable {
        var number: Int
        var session: Identifier
        var effects: [JournalEffect]
        /// The results that it names as unacknowledged, its own and older ones, are at this offset of the results or later.
        var resultsFrom: Int64
        /// Bytes of its value.
        var bytes = 0
        /// The input that it covers.
        var inputs = InputOffsets()
    }
}
