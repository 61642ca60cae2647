import Conversation
import DequeModule
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
    var sessions = PartitionSessions()
    /// Whether the process's log has told that some of them were dropped before their time.
    var hasToldOfExcess = false
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
    var progress = PartitionProgress()
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

    /// The group has it back. What is known of it is kept; input that waits is read again.
    func giveBack() {
        input = HeldInput()
        readingSince = [:]
        stalls = [:]
    }

    /// Forgets everything: another coordinator owns the partition, or it is stopped.
    func empty() {
        sessions = PartitionSessions()
        changes = [:]
        unheard = []
        unready = ([], 0)
        input = HeldInput(isPaused: input.isPaused)
    }
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
