import Conversation
import IntentEvents
import IntentModel
import Pipeline
import RecordLog
import Synchronization

/// Records and checks a history. The books read every record once, before anything can remove it, and record every call
/// of a handler.
final class SimulationBooks: Sendable {
    let log: InMemoryLog
    private let topics: Topics
    private let partitions: Int32
    private let encryption: SimulatedEncryption?
    private let state = Mutex(Ledger())

    /// The progress of the books in the log.
    struct Reading: Sendable {
        /// The number of changes of the log that were read.
        var changes = 0
        /// The next offset to read in each partition.
        var next: [TopicPartition: Int64] = [:]
        var hash = TraceHash()
    }

    /// The journals of all partitions.
    struct Journals: Sendable {
        /// The decoded records, by partition and offset. Most checks read the whole journal.
        var records: [Int32: [Int64: Result<JournalRecord, EventError>]] = [:]
        /// The outlines of the records, by partition and offset.
        var outlines: [Int32: [Int64: Result<JournalOutline, EventError>]] = [:]
        /// The continuity of each partition's journal, which decides which records count.
        var continuity: [Int32: JournalContinuity] = [:]
        /// The stamp of the newest valid record of each partition.
        var stamps: [Int32: JournalStamp] = [:]
        /// The owner of each partition.
        var owners: [Int32: (epoch: Int, runName: String)] = [:]
        var replaced: [ReplacedOwner] = []
        /// Records that no coordinator wrote.
        var foreign: Set<ForeignPlace> = []
    }

    /// The contents of the books.
    struct Ledger: Sendable {
        var reading = Reading()
        var violations: [SimulationViolation] = []
        var sessions: [String: SessionBook] = [:]
        /// The requests, by session and request, separated by a slash.
        var requests: [String: RequestBook] = [:]
        var handlers = HandlerBook()
        var journals = Journals()
        /// The runs of processes that are running or paused.
        var living: Set<String> = []
        /// Requests whose once-only handler was permitted and that no worker has. Only the time limit ends such a
        /// request.
        var permitted: Set<String> = []
        /// The clients of runs in which some record will fail. The log may contain or lack the failed record and all
        /// later ones, results included.
        var mayFail: [String: InMemoryClient] = [:]
        /// Outcomes that their topic lost before they were decided on, as session, request and step. Only the time
        /// limit ends the step.
        var lostOutcomes: Set<String> = []
        var deadLetters = DeadLetterBook()
        /// The memory of each person, according to the changes.
        var memories: [Principal: MemoryBook] = [:]
        /// The places of inputs whose rejection an owner of an earlier version may not have reported.
        var rejectedByOlder: Set<String> = []
        /// `true` if a record in the log is forged.
        var hasForgeries = false
        /// The trust in the input topics, which decides who may speak for the persons.
        var trust = InputTrust.open
        /// The maximum size of a session; `nil` for the default.
        var maximumSessionBytes: Int?
        var report = SimulationReport()
        /// The state of the survey; `nil` if coverage is not counted.
        var survey: SimulationSurvey?
        /// One line for each move, record, call and crash; `nil` without a transcript.
        var transcript: [String]?

        /// `true` if the journal has lost records. After the loss, the books check only that processes run and come to
        /// rest, and that the partition is not served before an operator has chosen how to continue.
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

    /// Returns the decrypted records of a partition.
    func records(in place: TopicPartition) -> [ConsumedRecord] {
        let records = log.records(in: place)
        return encryption == nil ? records : records.map(inPlain)
    }

    /// Decrypts a record. Returns the record unchanged if the log has no key for it.
    func inPlain(_ record: ConsumedRecord) -> ConsumedRecord { encryption?.open(record) ?? record }

    /// Reads new records, then calls `body` with the books.
    @discardableResult
    func with<Result: Sendable>(_ body: (inout Ledger) -> Result) -> Result {
        state.withLock { ledger in
            let changes = log.changes
            if changes == ledger.reading.changes || ledger.hasLostJournal { return body(&ledger) }
            ledger.reading.changes = changes
            // The journal comes first, because a decision is written before the records that follow from it.
            for topic in [
                topics.sessions, topics.requests, topics.answers, topics.resolve, topics.confirm, topics.handle,
                topics.handleInApp,
            ] {
                read(topic, &ledger)
            }
            for topic in [topics.outcomes, topics.memoryChanges, topics.memory, topics.results, topics.deadLetters] {
                read(topic, &ledger)
            }
            return body(&ledger)
        }
    }

    /// Calls `body` with the books, without reading new records.
    @discardableResult
    func withLedger<Result: Sendable>(_ body: (inout Ledger) -> Result) -> Result { state.withLock { body(&$0) } }

    /// Returns a decoded record of the journal. Each record is decoded once.
    func journalRecord(_ record: ConsumedRecord) throws(EventError) -> JournalRecord {
        try state.withLock { (ledger) throws(EventError) in try ledger.journalRecord(record) }
    }

    /// Returns the outline of a record of the journal. Each outline is read once.
    func journalOutline(_ record: ConsumedRecord) throws(EventError) -> JournalOutline {
        try state.withLock { (ledger) throws(EventError) in try ledger.journalOutline(record) }
    }

    private func read(_ topic: String, _ ledger: inout Ledger) {
        for number in 0..<partitions {
            let partition = TopicPartition(topic, number)
            let from = ledger.reading.next[partition] ?? 0
            let records = log.records(in: partition)
            guard let last = records.last, last.offset >= from else { continue }
            for record in records.suffix(Int(last.offset - from) + 1) where record.offset >= from {
                if let encryption, encryption.open(record) == nil {
                    ledger.violated(.keyMissing, "the log has no key for \(record.topicPartition)@\(record.offset)")
                }
                ledger.record(inPlain(record), topics)
                if topic == topics.sessions, record.isFence {
                    ledger.recordFence(record) { self.records(in: partition) }
                }
            }
            ledger.reading.next[partition] = last.offset + 1
        }
    }
}

extension SimulationBooks.Ledger {
    fileprivate mutating func record(_ record: ConsumedRecord, _ topics: Topics) {
        reading.hash.add(record.topic)
        reading.hash.add(UInt64(bitPattern: record.offset) << 8 | UInt64(UInt8(truncatingIfNeeded: record.partition)))
        reading.hash.add(UInt64(bitPattern: record.timestamp))
        reading.hash.add(record.key)
        reading.hash.add(record.value)
        for header in record.headers {
            reading.hash.add(header.name)
            reading.hash.add(header.value)
        }
        report[.records] += 1
        transcript?.append("         \(record.line)")
        let verdict = record.topic == topics.sessions ? judge(record) : nil
        survey(record, verdict, topics)
        switch record.topic {
        case topics.sessions:
            recordJournal(record, verdict)
            if verdict == .valid { recordStamp(record, topics) }
        case topics.requests: recordRequest(record, isTrusted: trust == .open)
        case topics.answers: recordRequest(record, isTrusted: true)
        case topics.results:
            checkForged(record)
            recordResult(record)
        case topics.resolve, topics.confirm, topics.handle, topics.handleInApp:
            checkForged(record)
            recordWork(record)
        case topics.outcomes: recordOutcome(record)
        case topics.memory: recordMemory(record)
        case topics.memoryChanges: recordMemoryChange(record)
        case topics.deadLetters: recordDeadLetter(record)
        default: break
        }
    }

    /// Records the state of a session in the journal. A forgotten session numbers its results from 1 again. After a
    /// tombstone, the session no longer knows its requests either.
    private mutating func recordJournal(_ record: ConsumedRecord, _ verdict: JournalContinuity.Verdict?) {
        guard let key = record.key, key.first != UInt8(ascii: "$") else { return }
        if !journals.foreign.isEmpty, journals.foreign.contains(ForeignPlace(record)) { return }
        let isOpen = record.value != nil && !readForgottenMark(record)
        checkSize(record)
        var book = sessions[String(decoding: key, as: UTF8.self)] ?? SessionBook()
        if record.value == nil { book.tombstones += 1 }
        // A record that does not count has sent nothing and forgets nothing.
        if verdict == .valid {
            if book.isOpen, !isOpen { (book.forgotten, book.forgottenAt) = (book.forgotten + 1, record.timestamp) }
            book.isOpen = isOpen
        }
        sessions[String(decoding: key, as: UTF8.self)] = book
    }

    /// Excuses an owner of an earlier version. A crash of such an owner loses the dead letters and rejections in
    /// flight, and those that the previous owner has named.
    private mutating func recordStamp(_ record: ConsumedRecord, _ topics: Topics) {
        guard let stamp = try? journalOutline(record).stamp else { return }
        let before = journals.stamps.updateValue(stamp, forKey: record.partition)
        guard record.isOfFirstVersion else { return }
        for (topic, open, from, to) in [
            (topics.requests, before?.openRequests, before?.requests, stamp.requests),
            (topics.answers, before?.openAnswers, before?.answers, stamp.answers),
            (topics.outcomes, before?.openOutcomes, before?.outcomes, stamp.outcomes),
        ] {
            let decided = Set((from ?? 0)..<max(from ?? 0, to)).union(open ?? [])
            deadLetters.excuse(decided, of: topic, record.partition)
            // A session's record covers the last input before it, which the session has accepted.
            let isSession = record.key?.first != UInt8(ascii: "$")
            for offset in decided where !(isSession && offset == to - 1) {
                rejectedByOlder.insert("\(topic) \(record.partition) \(offset)")
            }
        }
    }

    /// Returns an owner's verdict on a record of the journal; `nil` if no coordinator wrote the record.
    private mutating func judge(_ record: ConsumedRecord) -> JournalContinuity.Verdict? {
        guard let stamp = try? journalOutline(record).stamp else {
            journals.continuity[record.partition, default: JournalContinuity()].passOver()
            return nil
        }
        return journals.continuity[record.partition, default: JournalContinuity()].judge(stamp, at: record.offset)
    }

    /// Checks the size of a session. An event that ends a request is never refused, and results may have to wait for
    /// their topic.
    private mutating func checkSize(_ record: ConsumedRecord) {
        guard let maximumSessionBytes, let bytes = record.value?.count, bytes > maximumSessionBytes + 1_000,
            case .session(let id, let session?)? = try? journalRecord(record).content, session.unacknowledged.count < 2
        else { return }
        violated(.sessionTooLarge, "\(id) has \(bytes) bytes, and may have \(maximumSessionBytes)")
    }

    private mutating func readForgottenMark(_ record: ConsumedRecord) -> Bool {
        // The record of a forgotten session has no results, so other records need not be decoded.
        guard record.value?.starts(with: #"{"sequence":0,"#.utf8) == true,
            case .session(_, let session?)? = try? journalRecord(record).content
        else { return false }
        return session.remains != nil
    }

    /// - Parameter isTrusted: `true` if the record's principal counts as authenticated.
    private mutating func recordRequest(_ record: ConsumedRecord, isTrusted: Bool) {
        guard let event = reading(record, RequestEvent.init) else { return }
        if record.isForged { return hasForgeries = true }
        switch event.event {
        case .requested where isMisplaced(record): report[.misplaced] += 1
        case .requested(let request):
            let key = "\(event.session)/\(request.id)"
            if requests[key] == nil { report[.requests] += 1 }
            requests[key, default: RequestBook()].copies += 1
            requests[key]?.places.append("\(record.topic) \(record.partition) \(record.offset)")
            requests[key]?.intent = request.intent.text
            requests[key]?.locale = request.locale
            requests[key]?.attributes = request.attributes
            requests[key]?.principal = isTrusted ? request.principal : nil
        case .updatesStarted(let request):
            requests["\(event.session)/\(request)", default: RequestBook()].updates.wanted += 1
        case .handoffClaimed(let handoff, let claimant):
            guard let token = event.token, var offer = sessions[event.session.text]?.offers[handoff.text] else {
                return
            }
            if offer.token == token || offer.older.contains(token) { offer.shown.insert(claimant.name.text) }
            sessions[event.session.text]?.offers[handoff.text] = offer
        default: break
        }
    }

    /// Returns whether a record is in a partition other than that of its key, where the record is no request of its
    /// session.
    private func isMisplaced(_ record: ConsumedRecord) -> Bool {
        record.key.map { Murmur2.partition(of: $0, count: SimulationWorld.partitions) != record.partition } ?? false
    }

    private mutating func recordWork(_ record: ConsumedRecord) {
        guard let event = reading(record, WorkEvent.init) else { return }
        let key = "\(event.session)/\(event.work.request)"
        switch event.work.kind {
        case .cancel:
            requests[key, default: RequestBook()].newestWork.cancels[record.topic] = record.offset
            if case .cancel(let cancel) = event.work, cancel.phase == .handle,
                [.person, .replaced, .sessionEnded].contains(cancel.reason)
            {
                requests[key]?.steps.cancelled.insert(cancel.step)
            }
        case .handle:
            requests[key, default: RequestBook()].newestWork.items[record.topic] = record.offset
            if case .item(let item) = event.work {
                requests[key]?.steps.offsets[record.topic, default: [:]][item.step, default: []].insert(record.offset)
            }
        case .permit:
            report[.permits] += 1
            if case .permit(let permit) = event.work {
                requests[key, default: RequestBook()].steps.permitted.insert(permit.step)
            }
        case .resolve, .confirm, .update: break
        }
        guard case .item(let item) = event.work else { return }
        requests[key, default: RequestBook()].deadline = item.deadline
        requests[key]?.intent = item.intent.text
    }
}

/// The state of one request.
struct RequestBook: Sendable {
    /// The number of copies of the request in the inputs.
    var copies = 0
    var intent = ""
    var locale: String?
    var attributes: [String: JSON] = [:]
    var principal: Principal?
    /// The places of the copies, as topic, partition and offset.
    var places: [String] = []
    /// The number of copies that the topic lost before they were decided on.
    var lost = 0
    /// The number of times that another request has opened this one.
    var opened = 0
    var completions: [Completion.Status] = []
    var rejections = 0
    /// `true` if a copy was rejected outside of the session.
    var isRefused = false
    /// `true` if a copy was rejected because of the load. The next owner may read the event again, and must not accept
    /// it.
    var isOverload = false
    var lateAnswers = 0
    var updates = Updates()
    /// `true` if the request was offered to an app, whose effects are not seen here.
    var isHandedOff = false
    var newestWork = NewestWork()
    var steps = StepBook()
    /// The deadline of the newest work.
    var deadline: Instant?
    var agreement = Agreement()
    var choice = Choice()

    struct Updates: Sendable {
        /// The number of times that updates were requested.
        var wanted = 0
        /// The number of times that updates ended.
        var ended = 0
    }

    /// The offsets of the newest handle work and of the newest cancel, by topic.
    struct NewestWork: Sendable {
        var items: [String: Int64] = [:]
        var cancels: [String: Int64] = [:]
    }

    struct Agreement: Sendable {
        /// The maximum time for which the person's confirmation is valid; `nil` if a confirmer has set no limit.
        var validFor: Duration? = .zero
        /// The summaries that the person has agreed to at any time.
        var accepted: Set<String> = []
        /// The summaries that the person has agreed to while the confirmation was valid.
        var agreed: Set<String> = []
        /// The summaries that the person has agreed to when the confirmation was no longer valid.
        var expired: Set<String> = []
        /// `true` if the person has agreed to a prompt without a summary. Only a resolver's summary may be missing,
        /// after the person has given other values.
        var isWithoutWords = false
    }

    struct Choice: Sendable {
        /// `true` if the person was asked to choose one of the request's items.
        var isOffered = false
        /// The ids of the items that the person has named.
        var named: Set<String> = []
    }

    /// Returns whether a cancel follows the newest work in a topic, so that a worker that reads the work can see the
    /// cancel.
    func isCancelled(in topic: String) -> Bool {
        guard let work = newestWork.items[topic], let cancel = newestWork.cancels[topic] else { return false }
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
