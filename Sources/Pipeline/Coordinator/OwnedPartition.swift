import Conversation
import DequeModule
import HeapModule
import IntentEvents
import IntentModel
import RecordLog

/// One partition that a coordinator owns or takes over: its sessions, and what was written and sent but is not acknowledged.
final class OwnedPartition {
    enum State {
        /// Reading the journal to its end.
        case replaying
        /// Our fence is written. The journal is read on until the fence is found in it.
        case fencing
        /// Reading the results that the previous owner may have sent.
        case readingResults
        /// Deciding.
        case active
        /// The group wants the partition back. What was begun is finished.
        case draining
        /// Another coordinator has fenced us off. Nothing more is decided or sent. The group has to take the partition back until then.
        case lost(until: Instant)
    }

    let number: Int32
    let owner: String
    let ownership: UInt8
    var state = State.replaying
    /// What is needed to take the partition over; `nil` afterwards.
    var recovery: Recovery? = Recovery()
    var epoch = 0
    var sessions: [String: SessionEntry] = [:]
    var timers = Heap<SessionTimer>()
    var now = Instant(milliseconds: 0)
    var positions = InputPositions()
    /// The positions that the group has committed.
    var committed = InputPositions()
    var journal = JournalTail()
    var effects = PendingEffects()
    var input = HeldInput()

    init(number: Int32, owner: String, ownership: UInt8) {
        self.number = number
        self.owner = owner
        self.ownership = ownership
    }

    var isActive: Bool { if case .active = state { true } else { false } }

    var inFlight: Int { journal.appended.count + journal.unverified.count + effects.groups.count }

    /// The stamp of the next record.
    func nextStamp() -> JournalStamp {
        journal.written += 1
        return JournalStamp(
            epoch: epoch, owner: owner, number: journal.written, requests: positions.requests, outcomes: positions.outcomes,
            settled: effects.groups.first?.offset ?? journal.verified, results: effects.groups.first?.resultsFrom ?? effects.resultsNext)
    }

    /// Forgets what is in flight, and the sessions: another coordinator has them.
    func lose(until end: Instant) {
        state = .lost(until: end)
        journal.appended.removeAll()
        journal.unverified.removeAll()
        effects.groups.removeAll()
        effects.results.removeAll()
        sessions.removeAll()
        input.waiting.removeAll()
        input.blocked = nil
        input.overfull = nil
    }
}

extension OwnedPartition {
    struct Recovery {
        var replay = JournalReplay()
        /// Results of the previous owner that are in `intents.results`.
        var found: Set<ResultID> = []
    }

    /// The offsets after the last input that was decided on.
    struct InputPositions: Equatable {
        var requests: Int64 = 0
        var outcomes: Int64 = 0
    }

    /// The end of the journal, as its owner writes it.
    struct JournalTail {
        /// Records written by us.
        var written = 0
        /// Every record before this offset is ours, or harmless.
        var verified: Int64 = 0
        var appended = Deque<Appended>()
        /// Acknowledged at an unexpected offset: there is a record of another writer in between.
        var unverified = Deque<Appended>()
        /// The journal is being read from `verified` on.
        var isVerifying = false
        /// Records written since a quiet journal was looked for.
        var sinceCheck = 0
        /// Records written since the positions were written under their own key.
        var sincePositions = 0
        /// The positions last written under their own key.
        var positionsWritten = InputPositions(requests: -1, outcomes: -1)
    }

    /// A decision whose journal record is not acknowledged, or not known to be where it should be.
    struct Appended {
        var number: Int
        var session: SessionEntry?
        var effects: [PendingEffect]
        /// The results that it names as unacknowledged, its own and older ones, are at this offset of the results or later.
        var resultsFrom: Int64
        /// Seen in the log before its acknowledgement came.
        var isVerified = false
    }

    enum PendingEffect {
        case work(Work)
        case result(EncodedResult)
    }

    /// Effects that are sent and not acknowledged.
    struct PendingEffects {
        /// One for each journal record, oldest first.
        var groups = Deque<EffectGroup>()
        /// The number of the first group.
        var firstGroup: UInt64 = 0
        var results = Deque<(session: SessionEntry, sequence: Int)>()
        /// The offset after the last acknowledged result.
        var resultsNext: Int64 = 0

        /// Forgets the groups in front whose effects are all acknowledged.
        mutating func settle() {
            while let group = groups.first, group.remaining == 0 {
                groups.removeFirst()
                firstGroup += 1
            }
        }
    }

    /// The effects of one journal record.
    struct EffectGroup {
        /// The offset of the record.
        var offset: Int64
        /// Its results are at this offset of the results or later.
        var resultsFrom: Int64
        var remaining: Int
    }

    /// Input that has to wait.
    struct HeldInput {
        /// It waits for this record's dead letter to be acknowledged.
        var blocked: UnreadableRecord?
        /// It waits for the results of this session: each of the session's journal records holds them until they are acknowledged.
        var overfull: SessionEntry?
        var waiting = Deque<ConsumedRecord>()
        var isPaused = false

        var isHeld: Bool { blocked != nil || overfull != nil }
    }
}
