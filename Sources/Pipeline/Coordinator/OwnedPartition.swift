import Conversation
import DequeModule
import HeapModule
import IntentEvents
import IntentModel
import RecordLog

/// One partition in the hands of a coordinator: its sessions, and what has been written and said but not acknowledged.
final class OwnedPartition {
    enum State {
        /// Reading the journal to its end.
        case replaying
        /// Our fence is written; reading on until it is seen in the log.
        case fencing
        /// Reading the results that the owner before us may have sent.
        case readingResults
        /// Deciding.
        case active
        /// Finishing what was begun: the group wants the partition back.
        case draining
        /// Another coordinator has fenced us off. Nothing more is decided or sent.
        case lost
    }

    /// A decision whose journal record is not acknowledged, or not known to stand where it should.
    struct Appended {
        var number: Int
        var session: SessionEntry?
        var effects: [PendingEffect]
        /// The results that it names as unacknowledged, its own and older ones, stand at this offset of the results or later.
        var resultsFrom: Int64
        /// Seen in the log before its acknowledgement came.
        var isVerified = false
    }

    enum PendingEffect {
        case work(Work)
        case result(EncodedResult)
    }

    /// The effects of one journal record.
    struct EffectGroup {
        /// Where the record stands.
        var offset: Int64
        /// Its results stand at this offset of the results or later.
        var resultsFrom: Int64
        var remaining: Int
    }

    let number: Int32
    let owner: String
    let ownership: UInt8
    var state = State.replaying
    /// Until when the group has to take back what another coordinator has fenced off.
    var lostUntil: Instant?
    var replay = JournalReplay()
    var epoch = 0
    var sessions: [String: SessionEntry] = [:]
    var timers = Heap<SessionTimer>()
    var now = Instant(milliseconds: 0)

    // Positions in the input.
    var requests: Int64 = 0
    var outcomes: Int64 = 0
    var committed: (requests: Int64, outcomes: Int64) = (0, 0)

    // The journal.
    /// Records written by us.
    var written = 0
    /// Every record before this offset is ours, or harmless.
    var verified: Int64 = 0
    var appended = Deque<Appended>()
    /// Acknowledged out of place: another writer stands in between.
    var unverified = Deque<Appended>()
    var isVerifying = false
    var sinceCheck = 0
    var sincePositions = 0
    var positionsWritten: (requests: Int64, outcomes: Int64) = (-1, -1)

    // Effects.
    var groups = Deque<EffectGroup>()
    var firstGroup: UInt64 = 0
    /// The offset after the last acknowledged result.
    var resultsNext: Int64 = 0
    var results = Deque<(session: SessionEntry, sequence: Int)>()
    /// Results found in the tail while recovering.
    var found: Set<ResultID> = []

    // Input that waits for a dead letter to be acknowledged, or for the results of a session that gets too many.
    var blocked: (record: ConsumedRecord, error: EventError)?
    /// Its results go with each of its records in the journal until they are acknowledged, so there may only be so many.
    var overfull: SessionEntry?
    var waiting = Deque<ConsumedRecord>()
    var isPaused = false

    init(number: Int32, owner: String, ownership: UInt8) {
        self.number = number
        self.owner = owner
        self.ownership = ownership
    }

    /// Whether input has to wait its turn.
    var isHeld: Bool { blocked != nil || overfull != nil }

    var inFlight: Int { appended.count + unverified.count + groups.count }

    /// The stamp of the next record.
    func nextStamp() -> JournalStamp {
        written += 1
        return JournalStamp(
            epoch: epoch, owner: owner, number: written, requests: requests, outcomes: outcomes, settled: groups.first?.offset ?? verified,
            results: groups.first?.resultsFrom ?? resultsNext)
    }

    /// Forgets the groups in front whose effects are all acknowledged.
    func settle() {
        while let group = groups.first, group.remaining == 0 {
            groups.removeFirst()
            firstGroup += 1
        }
    }
}
