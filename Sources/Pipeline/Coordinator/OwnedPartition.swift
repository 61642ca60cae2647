import Conversation
import DequeModule
import HeapModule
import IntentEvents
import IntentModel
import RecordLog

/// One partition that a coordinator owns or takes over: its journal, its sessions, and the input that waits.
final class OwnedPartition {
    let number: Int32
    /// Which of this process's ownerships it is: tells its acknowledgements from those of an earlier one.
    let ownership: UInt32
    var journal: PartitionJournal
    /// What the journal wants done is being done.
    var isPerforming = false
    /// When the group gave it to this process the last time.
    var assigned = Instant(milliseconds: 0)
    /// When the reading of its journal began, or went on.
    var lastRead = Instant(milliseconds: 0)
    private(set) var sessions: [Identifier: SessionEntry] = [:]
    /// Sessions that were taken over and not read yet. They are in neither ``sessions`` nor ``forgotten``.
    var unread = UnreadSessions()
    /// How many of them each principal has opened.
    private var owned: [Principal: Int] = [:]
    var rates = PrincipalRates()
    /// Sessions that are over, and whose requests are still known.
    var forgotten = ForgottenSessions()
    /// Whether the process's log has told that some of them were dropped before their time.
    var hasToldOfExcess = false
    var timers = Heap<SessionTimer>()
    var input = HeldInput()
    /// The sessions whose changes of what is remembered about their owners are under way, by the numbers of the records.
    var changes: [UInt64: (session: Identifier, stream: Identifier, change: Int)] = [:]
    /// The number of the last such record.
    var lastChange: UInt64 = 0
    /// Sessions that were taken over, and that may have to follow what was forgotten meanwhile.
    var unheard: Set<Identifier> = []
    /// Sessions of ``unheard`` whose owner's memory is not read to its end, and how many partitions of the memory were read to their ends when the coordinator
    /// looked at these sessions.
    var unready: (sessions: Set<Identifier>, partitionsRead: Int) = ([], 0)
    /// In which step of the coordinator the reading of the journal, or of the results, began. What the log told in that step is about an earlier reading.
    var readingSince: [JournalSource: Int] = [:]
    /// Inputs that are read beside the group, to see where they end.
    var lookedAt: Set<JournalInput> = []
    /// Inputs of which no record arrives although the log has some.
    var stalls: [JournalInput: InputStall] = [:]
    /// The positions of the last commit; `nil` if they have to be committed again.
    var committed: InputOffsets? = InputOffsets()

    init(number: Int32, ownership: UInt32, settings: PartitionJournal.Settings) {
        self.number = number
        self.ownership = ownership
        journal = PartitionJournal(partition: number, settings: settings)
    }

    var isActive: Bool { journal.isActive }

    /// Whether all that it has decided is written and told.
    var isDrained: Bool { journal.inFlight == 0 && input.open.isEmpty }

    /// How many sessions are open.
    var openCount: Int { sessions.count + unread.openCount }

    func openSessions(of principal: Principal) -> Int { owned[principal] ?? 0 }

    /// - Returns: the entry that was there before.
    @discardableResult
    func insert(_ entry: SessionEntry) -> SessionEntry? {
        let before = sessions.updateValue(entry, forKey: entry.session.id)
        if before == nil, let owner = entry.session.countedOwner { owned[owner, default: 0] += 1 }
        return before
    }

    func removeSession(_ id: Identifier) {
        guard let owner = sessions.removeValue(forKey: id)?.session.countedOwner, let count = owned[owner] else {
            return
        }
        owned[owner] = count > 1 ? count - 1 : nil
    }

    /// Counts the session for another owner, if that has changed: a person has signed in.
    func recount(_ entry: SessionEntry, from before: Principal?) {
        let after = entry.look { $0.countedOwner }
        guard before != after, sessions[entry.session.id] != nil else { return }
        if let before, let count = owned[before] { owned[before] = count > 1 ? count - 1 : nil }
        if let after { owned[after, default: 0] += 1 }
    }

    /// The group has it back. What is known of it is kept; input that waits is read again.
    func giveBack() {
        input = HeldInput()
        readingSince = [:]
        stalls = [:]
    }

    /// What others have written takes the place of what was kept.
    func replace(_ takeover: Takeover) {
        let changed = takeover.unread.inOrder
        for id in takeover.ended { remove(id) }
        for journaled in takeover.sessions { remove(journaled.session.id) }
        for (id, record) in changed {
            remove(id)
            unread.insert(record, of: id)
        }
    }

    private func remove(_ id: Identifier) {
        removeSession(id)
        forgotten.remove(id)
        _ = unread.take(id)
    }

    /// Forgets everything: another coordinator owns the partition, or it is stopped.
    func empty() {
        sessions.removeAll()
        unread = UnreadSessions()
        owned.removeAll()
        rates = PrincipalRates()
        forgotten = ForgottenSessions()
        timers = Heap()
        changes = [:]
        unheard = []
        unready = ([], 0)
        input = HeldInput(isPaused: input.isPaused)
    }
}

extension Session {
    /// The authenticated principal who has opened it.
    var countedOwner: Principal? { isOwnerNamed ? nil : owner }
}

/// A record of the input, or a batch of it that can't be read.
enum WaitingInput {
    case record(ConsumedRecord)
    case unreadable(UnreadableRange)
}

/// Input that has to wait.
struct HeldInput {
    /// `true` once the log was told to deliver the input.
    var isStarted = false
    /// Records that are decided on, and of which something has still to be told beside the journal. If they are too many, it waits for that.
    var open = OpenInputs()
    /// It waits for the results of this session: each of the session's journal records holds them until they are acknowledged.
    var overfull: SessionEntry?
    /// It waits for acknowledgements, because too many bytes are in flight.
    var isFull = false
    /// The input waits for keys that encrypt new sessions.
    var lacksKey = false
    var waiting = Deque<WaitingInput>()
    /// Input that has to be told of again as soon as reading has shown that its log is the one that was read before.
    var unchecked: [JournalInput: [WaitingInput]] = [:]
    var isPaused = false
    /// Limits the dead letters of unreadable records, by input.
    var unreadable: [JournalInput: UnreadableRate] = [:]

    var isHeld: Bool { holdsTimers || lacksKey }
    /// `true` if timers wait as well, because there is no room for their decisions.
    var holdsTimers: Bool { open.isFull || overfull != nil || isFull }
}
