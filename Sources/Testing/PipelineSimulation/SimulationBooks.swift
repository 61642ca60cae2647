import Conversation
import IntentEvents
import IntentModel
import Pipeline
import RecordLog
import Synchronization

/// Records a history and checks it: reads every record once, before anything can remove it, and notes every call of a handler.
final class SimulationBooks: Sendable {
    let log: InMemoryLog
    private let topics: Topics
    private let partitions: Int32
    private let encryption: SimulatedEncryption?
    private let state = Mutex(Ledger())

    /// The contents of the books.
    struct Ledger: Sendable {
        /// The changes of the log that were read, and the next offset of each partition.
        var changes = 0
        var next: [TopicPartition: Int64] = [:]
        var hash = TraceHash()
        var violations: [SimulationViolation] = []
        var sessions: [String: SessionBook] = [:]
        /// By session and request, separated by a slash.
        var requests: [String: RequestBook] = [:]
        var handlers = HandlerBook()
        /// The records of the journal that were read before, and their outlines, by partition and offset: most checks read the whole journal.
        var journal: [Int32: [Int64: Result<JournalRecord, EventError>]] = [:]
        var outlines: [Int32: [Int64: Result<JournalOutline, EventError>]] = [:]
        /// Which of these records count, by partition.
        var continuity: [Int32: JournalContinuity] = [:]
        /// The stamp of the newest one that counts, by partition.
        var stamps: [Int32: JournalStamp] = [:]
        /// The processes that run or are paused, by life.
        var living: Set<String> = []
        /// The owner of each partition, as the journal says.
        var owners: [Int32: (epoch: Int, life: String)] = [:]
        var replaced: [ReplacedOwner] = []
        /// Requests whose once-only handler was permitted, and that no worker has: only their time limit ends them.
        var permitted: Set<String> = []
        /// Processes some record of which will fail, by life: it and those after it may be in the log or not, also results.
        var mayFail: [String: InMemoryClient] = [:]
        /// Records of the journal that no coordinator wrote.
        var foreign: Set<ForeignPlace> = []
        /// Outcomes that their topic has lost before they were decided on, as session, request and step: only the time limit ends their work.
        var lostOutcomes: Set<String> = []
        var deadLetters = DeadLetterBook()
        /// What is remembered about people, as the changes say.
        var memories: [Principal: MemoryBook] = [:]
        /// Where inputs are whose rejection an owner of an earlier version may not have told.
        var rejectedByOlder: Set<String> = []
        /// Whether someone has answered for a worker.
        var hasForgeries = false
        /// Who is trusted to speak for the persons.
        var trust = InputTrust.open
        /// How large sessions may be; `nil` for as large as always.
        var maximumSessionBytes: Int?
        var report = SimulationReport()
        /// `nil` unless what was reached is counted.
        var survey: SimulationSurvey?
        /// One line for each move, record, call and crash; `nil` without a transcript.
        var transcript: [String]?

        /// `true` if the journal has lost records. After that, only these promises are checked: processes go on and come to rest, and the partition is not served before an
        /// operator has said how.
        var hasLostJournal = false

        mutating func violated(_ kind: SimulationViolation.Kind, _ message: String) {
            if hasLostJournal, ![.restless, .processEnded, .lossUnnoticed].contains(kind) { return }
            violations.append(SimulationViolation(kind: kind, message: message))
        }
    }

    init(log: InMemoryLog, topics: Topics, partitions: Int32, encryption: SimulatedEncryption?) {
        self.log = log
        self.topics = topics
        self.partitions = partitions
        self.encryption = encryption
    }

    /// The records of a partition in plain.
    func records(in place: TopicPartition) -> [ConsumedRecord] {
        let records = log.records(in: place)
        return encryption == nil ? records : records.map(inPlain)
    }

    /// The record in plain; as it is, if the log has no key for it.
    func inPlain(_ record: ConsumedRecord) -> ConsumedRecord { encryption?.open(record) ?? record }

    /// Reads new records, then calls `body` with the books.
    @discardableResult
    func with<Result: Sendable>(_ body: (inout Ledger) -> Result) -> Result {
        state.withLock { ledger in
            let changes = log.changes
            if changes == ledger.changes || ledger.hasLostJournal { return body(&ledger) }
            ledger.changes = changes
            // The journal first: it is written before the records that follow from it.
            for topic in [
                topics.sessions, topics.requests, topics.answers, topics.resolve, topics.confirm, topics.handle, topics.handleInApp,
            ] {
                read(topic, &ledger)
            }
            for topic in [topics.outcomes, topics.memoryChanges, topics.memory, topics.results, topics.deadLetters] { read(topic, &ledger) }
            return body(&ledger)
        }
    }

    /// Calls `body` with the books, without reading new records.
    @discardableResult
    func note<Result: Sendable>(_ body: (inout Ledger) -> Result) -> Result { state.withLock { body(&$0) } }

    /// A record of the journal. Each is read once.
    func journalRecord(_ record: ConsumedRecord) throws(EventError) -> JournalRecord {
        try state.withLock { (ledger) throws(EventError) in try ledger.journalRecord(record) }
    }

    /// The outline of a record of the journal. Each is read once.
    func journalOutline(_ record: ConsumedRecord) throws(EventError) -> JournalOutline {
        try state.withLock { (ledger) throws(EventError) in try ledger.journalOutline(record) }
    }

    private func read(_ topic: String, _ ledger: inout Ledger) {
        for number in 0..<partitions {
            let partition = TopicPartition(topic, number)
            let from = ledger.next[partition] ?? 0
            let records = log.records(in: partition)
            guard let last = records.last, last.offset >= from else { continue }
            for record in records.suffix(Int(last.offset - from) + 1) where record.offset >= from {
                if let encryption, encryption.open(record) == nil {
                    ledger.violated(.keyMissing, "the log has no key for \(record.topicPartition)@\(record.offset)")
                }
                ledger.take(inPlain(record), topics)
                if topic == topics.sessions, record.isFence { ledger.takeFence(record) { self.records(in: partition) } }
            }
            ledger.next[partition] = last.offset + 1
        }
    }
}

extension SimulationBooks.Ledger {
    fileprivate mutating func take(_ record: ConsumedRecord, _ topics: Topics) {
        hash.add(record.topic)
        hash.add(UInt64(bitPattern: record.offset) << 8 | UInt64(UInt8(truncatingIfNeeded: record.partition)))
        hash.add(UInt64(bitPattern: record.timestamp))
        hash.add(record.key)
        hash.add(record.value)
        for header in record.headers {
            hash.add(header.name)
            hash.add(header.value)
        }
        report.records += 1
        transcript?.append("         \(record.line)")
        let verdict = record.topic == topics.sessions ? judge(record) : nil
        survey(record, verdict, topics)
        switch record.topic {
        case topics.sessions:
            takeJournal(record, verdict)
            if verdict == .valid { takeStamp(record, topics) }
        case topics.requests: takeRequest(record, isTrusted: trust == .open)
        case topics.answers: takeRequest(record, isTrusted: true)
        case topics.results:
            checkForged(record)
            takeResult(record)
        case topics.resolve, topics.confirm, topics.handle, topics.handleInApp:
            checkForged(record)
            takeWork(record)
        case topics.outcomes: takeOutcome(record)
        case topics.memory: takeMemory(record)
        case topics.memoryChanges: takeMemoryChange(record)
        case topics.deadLetters: takeDeadLetter(record)
        default: break
        }
    }

    /// Notes a forgotten session: its results are numbered from 1 again. After a tombstone it no longer knows its requests either.
    private mutating func takeJournal(_ record: ConsumedRecord, _ verdict: JournalContinuity.Verdict?) {
        guard let key = record.key, key.first != UInt8(ascii: "$") else { return }
        if !foreign.isEmpty, foreign.contains(ForeignPlace(record)) { return }
        let isOpen = record.value != nil && !isForgotten(record)
        checkSize(record)
        var book = sessions[String(decoding: key, as: UTF8.self)] ?? SessionBook()
        if record.value == nil { book.tombstones += 1 }
        // What does not count has told nothing, and forgets nothing.
        if verdict == .valid {
            if book.isOpen, !isOpen { (book.forgotten, book.forgottenAt) = (book.forgotten + 1, record.timestamp) }
            book.isOpen = isOpen
        }
        sessions[String(decoding: key, as: UTF8.self)] = book
    }

    /// Excuses an owner of an earlier version: after a crash it loses the dead letters and the rejections under way, and those that the owner before it has
    /// named.
    private mutating func takeStamp(_ record: ConsumedRecord, _ topics: Topics) {
        guard let stamp = try? journalOutline(record).stamp else { return }
        let before = stamps.updateValue(stamp, forKey: record.partition)
        guard record.isOfFirstVersion else { return }
        for (topic, open, from, to) in [
            (topics.requests, before?.openRequests, before?.requests, stamp.requests),
            (topics.answers, before?.openAnswers, before?.answers, stamp.answers),
            (topics.outcomes, before?.openOutcomes, before?.outcomes, stamp.outcomes),
        ] {
            let decided = Set((from ?? 0)..<max(from ?? 0, to)).union(open ?? [])
            deadLetters.excuse(decided, of: topic, record.partition)
            // A session's record is about the last input before it, which that session has accepted.
            let isSession = record.key?.first != UInt8(ascii: "$")
            for offset in decided where !(isSession && offset == to - 1) {
                rejectedByOlder.insert("\(topic) \(record.partition) \(offset)")
            }
        }
    }

    /// What a record of the journal is to an owner; `nil` if no coordinator wrote it.
    private mutating func judge(_ record: ConsumedRecord) -> JournalContinuity.Verdict? {
        guard let stamp = try? journalOutline(record).stamp else {
            continuity[record.partition, default: JournalContinuity()].passOver()
            return nil
        }
        return continuity[record.partition, default: JournalContinuity()].judge(stamp, at: record.offset)
    }

    /// Checks the size of a session. What ends a request is never refused, and results may have to wait for their topic.
    private mutating func checkSize(_ record: ConsumedRecord) {
        guard let maximumSessionBytes, let bytes = record.value?.count, bytes > maximumSessionBytes + 1_000,
            case .session(let id, let session?)? = try? journalRecord(record).content, session.unacknowledged.count < 2
        else { return }
        violated(.sessionTooLarge, "\(id) has \(bytes) bytes, and may have \(maximumSessionBytes)")
    }

    private mutating func isForgotten(_ record: ConsumedRecord) -> Bool {
        // Only a session without results can be.
        guard record.value?.starts(with: #"{"sequence":0,"#.utf8) == true,
            case .session(_, let session?)? = try? journalRecord(record).content
        else { return false }
        return session.remains != nil
    }

    /// - Parameter isTrusted: Whether the record's principal counts as authenticated.
    private mutating func takeRequest(_ record: ConsumedRecord, isTrusted: Bool) {
        guard let event = reading(record, RequestEvent.init) else { return }
        if record.isForged { return hasForgeries = true }
        switch event.event {
        case .requested where isMisplaced(record): report.misplaced += 1
        case .requested(let request):
            let key = "\(event.session)/\(request.id)"
            if requests[key] == nil { report.requests += 1 }
            requests[key, default: RequestBook()].copies += 1
            requests[key]?.places.append("\(record.topic) \(record.partition) \(record.offset)")
            requests[key]?.intent = request.intent.text
            requests[key]?.locale = request.locale
            requests[key]?.attributes = request.attributes
            requests[key]?.principal = isTrusted ? request.principal : nil
        case .updatesStarted(let request): requests["\(event.session)/\(request)", default: RequestBook()].updatesWanted += 1
        case .handoffClaimed(let handoff, let claimant):
            guard let token = event.token, var offer = sessions[event.session.text]?.offers[handoff.text] else { return }
            if offer.token == token || offer.older.contains(token) { offer.shown.insert(claimant.name.text) }
            sessions[event.session.text]?.offers[handoff.text] = offer
        default: break
        }
    }

    /// Whether it is in another partition than that of its key, where it is no request of its session.
    private func isMisplaced(_ record: ConsumedRecord) -> Bool {
        record.key.map { Murmur2.partition(of: $0, count: SimulationWorld.partitions) != record.partition } ?? false
    }

    private mutating func takeWork(_ record: ConsumedRecord) {
        guard let event = reading(record, WorkEvent.init) else { return }
        let key = "\(event.session)/\(event.work.request)"
        switch event.work.kind {
        case .cancel:
            requests[key, default: RequestBook()].cancels[record.topic] = record.offset
            if case .cancel(let cancel) = event.work, cancel.phase == .handle, [.person, .replaced, .sessionEnded].contains(cancel.reason) {
                requests[key]?.steps.cancelled.insert(cancel.step)
            }
        case .handle:
            requests[key, default: RequestBook()].work[record.topic] = record.offset
            if case .item(let item) = event.work {
                requests[key]?.steps.offsets[record.topic, default: [:]][item.step, default: []].insert(record.offset)
            }
        case .permit:
            report.permits += 1
            if case .permit(let permit) = event.work { requests[key, default: RequestBook()].steps.permitted.insert(permit.step) }
        case .resolve, .confirm, .update: break
        }
        guard case .item(let item) = event.work else { return }
        requests[key, default: RequestBook()].deadline = item.deadline
        requests[key]?.intent = item.intent.text
    }
}

/// The state of one request.
struct RequestBook: Sendable {
    /// How often it is in an input.
    var copies = 0
    var intent = ""
    var locale: String?
    var attributes: [String: JSON] = [:]
    var principal: Principal?
    /// Where these are: topic, partition and offset.
    var places: [String] = []
    /// How many of these the topic has lost before they were decided on.
    var lost = 0
    /// How often another request has opened it.
    var opened = 0
    var completions: [Completion.Status] = []
    var rejections = 0
    /// Whether one of them was rejected outside of the session.
    var isRefused = false
    /// Whether one of them was rejected because of the load. The next owner may read the event again, and must not accept it.
    var isOverload = false
    var lateAnswers = 0
    /// How often updates were requested, and how often they ended.
    var updatesWanted = 0
    var updatesEnded = 0
    /// Whether it was offered to an app, whose effects are not seen here.
    var isHandedOff = false
    /// The newest handle work and the newest cancel of it, by topic.
    var work: [String: Int64] = [:]
    var cancels: [String: Int64] = [:]
    var steps = StepBook()
    /// The deadline of the newest work.
    var deadline: Instant?
    /// How long the person's confirmation is valid, at most; `nil` if a confirmer has set no limit.
    var validFor: Duration? = .zero
    /// What the person has agreed to, as the prompts for it said: at any time, and while that was valid.
    var accepted: Set<String> = []
    var agreed: Set<String> = []
    /// What the person has agreed to when that was not valid any more.
    var expired: Set<String> = []
    /// Whether the person has agreed to a prompt that says nothing of the values. Only a resolver's words may be missing, after the person has said other values.
    var agreedWithoutWords = false
    /// Whether the person was asked to choose one of its items, and the ids that the person has named.
    var offersItems = false
    var named: Set<String> = []

    /// Whether a cancel follows the newest work in that topic, so that a worker which reads the work can see it.
    func isCancelled(in topic: String) -> Bool {
        guard let work = work[topic], let cancel = cancels[topic] else { return false }
        return cancel > work
    }
}

extension ConsumedRecord {
    fileprivate var isFence: Bool { value != nil && key?.starts(with: "$fence/".utf8) == true }

    /// The record's position and contents, truncated.
    fileprivate var line: String {
        let type = headers.first { $0.name == "ce_type" || $0.name == "intents-journal" }?.text ?? ""
        let text = value.map { String(decoding: $0.prefix(700), as: UTF8.self) } ?? "no value"
        return "\(topicPartition) \(offset)  \(String(decoding: key ?? [], as: UTF8.self))  \(type)  \(text)"
    }
}
