import Conversation
import IntentEvents
import IntentModel
import Pipeline
import RecordLog

/// A process that owns the partition or believes that it does: its journal, its queued records and the answers that
/// have not reached it.
struct ExploredOwner: Hashable {
    enum Answer: Hashable {
        case written(Int64)
        case writtenSomewhere
        case refused
    }

    struct SentResult: Hashable {
        var record: ExploredRecord
        var place: EffectPlace
    }

    struct ResultAnswer: Hashable {
        var place: EffectPlace
        var offset: Int64
    }

    struct Session: Hashable {
        var sequence = 0
        var unacknowledged: [EncodedResult] = []
    }

    static let now = Instant(milliseconds: 1_000_000)

    let number: Int
    private(set) var journal: PartitionJournal
    private(set) var sessions: [Identifier: Session] = [:]
    /// Sent records that are not in the log.
    var journalQueue: [ExploredRecord] = []
    var resultQueue: [SentResult] = []
    /// Answers of the log that have not reached this process.
    var journalAnswers: [Answer] = []
    var resultAnswers: [ResultAnswer] = []
    /// The next offset to read in the journal; `nil` if the process does not read the journal.
    private(set) var journalReader: Int64?
    /// The next offset to read in the results; `nil` if the process does not read the results.
    private(set) var resultReader: Int64?
    /// The end of the journal that was last reported to this process.
    private var reportedEnd: Int64?
    var isDraining = false
    /// `true` if the owner has decided a request although it was fenced.
    var hasDecidedVoid = false
    private(set) var hasEnded = false
    /// `true` if the process was replaced before its fence was written. The process learns of the replacement before it
    /// could append a second fence.
    var isOvertaken = false
    /// `true` if the process knows that another process owns the partition.
    private(set) var hasLost = false
    /// The rule that the process has broken, if any.
    private(set) var problem: String?

    init(number: Int) {
        self.number = number
        journal = PartitionJournal(
            partition: ExploredWorld.partition,
            settings: .init(
                topics: ExploredWorld.topics, owner: "owner-\(number)", partitions: 1, positionsInterval: 500))
    }

    /// `true` if the fence of the process is sent and not in the log.
    var isFencing: Bool { if case .fencing = journal.state { !journalQueue.isEmpty } else { false } }

    var canDecide: Bool { journal.isActive }

    /// `true` if the process has lost the partition and sent all its queued records.
    var isFinished: Bool { hasLost && journalQueue.isEmpty && resultQueue.isEmpty }

    var canCheck: Bool { journal.isActive && !journal.isVerifying }

    /// `true` if no record or answer is outstanding.
    var isIdle: Bool { journalQueue.isEmpty && resultQueue.isEmpty && journalAnswers.isEmpty && resultAnswers.isEmpty }

    /// Returns whether a read changes the process. During fencing, only its own fence makes a difference.
    func reads(_ log: [LoggedRecord], end: Int64) -> Bool {
        guard let journalReader else { return false }
        if case .fencing = journal.state { return unreadFence(in: log) != nil }
        return log.last.map { $0.offset >= journalReader } ?? false || reportedEnd != end
    }

    /// Returns the offset of the process's fence if the fence is in the log and this process has not read it.
    func unreadFence(in log: [LoggedRecord]) -> Int64? {
        guard case .fencing = journal.state, let journalReader else { return nil }
        let fence = Bytes(JournalOutline.Subject.fence(epoch: journal.epoch, owner: journal.settings.owner).key.utf8)
        return log.first { $0.offset >= journalReader && $0.record.record.key == fence }?.offset
    }

    // MARK: Events

    mutating func handleEvent(_ event: (inout PartitionJournal) -> Void) {
        event(&journal)
        var index = 0
        while index < journal.actions.count {
            perform(journal.actions[index])
            index += 1
        }
        journal.actions = []
    }

    private mutating func perform(_ action: JournalAction) {
        switch action {
        case .append(let outline, _) where isOvertaken && outline.isFence: hasEnded = true
        case .append(let outline, let value):
            journalQueue.append(
                ExploredRecord(
                    outline.record(
                        value: value, topic: ExploredWorld.topics.sessions, partition: ExploredWorld.partition,
                        at: Self.now)))
        case .send(.result(let result), let session, let place):
            var encoder = EventEncoder(source: "/exploration")
            let record = encoder.record(
                result, session: session, topics: ExploredWorld.topics, partition: ExploredWorld.partition)
            resultQueue.append(SentResult(record: ExploredRecord(record), place: place))
        case .send(.work, _, _), .send(.memory, _, _), .send(.openInput, _, _):
            problem = "something was sent without a decision"
        case .read(.journal, let start):
            journalReader = start.first
            reportedEnd = nil
        case .read(.results, let start): resultReader = start.first
        case .stopReading(.journal): journalReader = nil
        case .stopReading(.results): resultReader = nil
        case .begin(let takeover):
            let unread = takeover.unread.remaining.compactMap { try? journal.session($0.key, in: $0.value) }
            for journaled in takeover.sessions + unread {
                sessions[journaled.session.id] = Session(
                    sequence: journaled.session.sequence, unacknowledged: journaled.unacknowledged)
            }
        case .acknowledged(let session, let sequence):
            sessions[session]?.unacknowledged.removeAll { $0.sequence <= sequence }
        case .rewrite(let id):
            if let session = sessions[id] {
                journal.append(session: id, value: value(id, session))
            } else {
                journal.forget(session: id)
            }
        case .lose:
            hasLost = true
            (journalReader, resultReader) = (nil, nil)
            (journalAnswers, resultAnswers) = ([], [])
        case .reclaim, .fail: hasEnded = true
        case .stop(let problem): self.problem = "stopped: \(problem)"
        case .tell: break
        }
    }

    /// Decides the next request. The time of the result names the deciding process, because another owner may decide
    /// otherwise.
    mutating func decide() {
        let offset = journal[.requests].next
        let id = ExploredWorld.sessions[Int(offset)]
        handleEvent {
            $0[.requests].take(
                ConsumedRecord(
                    topic: ExploredWorld.topics.requests, partition: 0, offset: offset, timestamp: offset, key: nil,
                    value: nil, headers: []
                ))
        }
        var session = sessions[Identifier(id)] ?? Session()
        session.sequence += 1
        let result = EncodedResult(
            sequence: session.sequence, type: .completed, request: "r\(offset)",
            time: Self.now.advanced(by: .seconds(number)),
            data: .object([
                "session": .string(id), "sequence": .number(Double(session.sequence)), "request": .string("r\(offset)"),
            ]))
        session.unacknowledged.append(result)
        sessions[Identifier(id)] = session
        let value = value(Identifier(id), session)
        handleEvent { $0.append(session: Identifier(id), value: value, effects: [.result(result)]) }
    }

    private func value(_ id: Identifier, _ session: Session) -> Bytes {
        var journaled = Conversation.Session(id: id, updated: Self.now)
        journaled.sequence = session.sequence
        return JournalRecord.value(JournaledSession(journaled, unacknowledged: session.unacknowledged))
    }

    mutating func answerJournal() {
        switch journalAnswers.removeFirst() {
        case .written(let offset): handleEvent { $0.acknowledged(at: offset) }
        case .writtenSomewhere: handleEvent { $0.acknowledged(at: nil) }
        // The client drops its queued records, and the process ends.
        case .refused: hasEnded = true
        }
    }

    mutating func answerResult() {
        let answer = resultAnswers.removeFirst()
        handleEvent { $0.acknowledgedResult(at: answer.place, offset: answer.offset) }
    }

    /// Reads the next record or the end of the journal. A takeover reads to the end at once, because nothing depends on
    /// where a takeover pauses.
    mutating func readJournal(_ log: [LoggedRecord], end: Int64) {
        while let position = journalReader {
            if let record = log.first(where: { $0.offset >= position }) {
                journalReader = record.offset + 1
                handleEvent { $0.read(record.consumed, from: .journal, at: Self.now) }
                if journal.isOwned { return }
            } else if case .fencing = journal.state {
                return
            } else {
                journalReader = max(position, end)
                reportedEnd = end
                return handleEvent { $0.reachedEnd(of: .journal, next: max(position, end)) }
            }
        }
    }

    mutating func readResults(_ log: [LoggedRecord]) {
        for record in log where record.offset >= resultReader ?? .max {
            handleEvent { $0.read(record.consumed, from: .results, at: Self.now) }
        }
        handleEvent { $0.reachedEnd(of: .results, next: Int64(log.count)) }
    }
}

extension StartOffset {
    fileprivate var first: Int64 {
        switch self {
        case .beginning, .end: 0
        case .offset(let offset): offset
        }
    }
}
