import Conversation
import IntentEvents
import RecordLog
import Synchronization

/// Keeps the books of a history: reads every record once, as it is written and before anything can remove it, and hears of every call of a handler.
final class SimulationBooks: Sendable {
    let log: InMemoryLog
    private let topics: Topics
    private let partitions: Int32
    private let state = Mutex(Ledger())

    /// What stands in the books.
    struct Ledger: Sendable {
        var next: [TopicPartition: Int64] = [:]
        var hash = TraceHash()
        var violations: [SimulationViolation] = []
        var sessions: [String: SessionBook] = [:]
        /// By session and request, with a slash between.
        var requests: [String: RequestBook] = [:]
        var handlers = HandlerBook()
        /// A coordinator was replaced while it lived: it may still say what it had in its hands.
        var mayCopy = false
        var report = SimulationReport()
        /// What happened, a line for each move, record, call and death; `nil` if nobody wants to read it.
        var transcript: [String]?

        mutating func violated(_ kind: SimulationViolation.Kind, _ message: String) {
            violations.append(SimulationViolation(kind: kind, message: message))
        }
    }

    init(log: InMemoryLog, topics: Topics, partitions: Int32) {
        self.log = log
        self.topics = topics
        self.partitions = partitions
    }

    /// Reads on, then looks or writes into the books.
    @discardableResult
    func with<Result: Sendable>(_ body: (inout Ledger) -> Result) -> Result {
        state.withLock { ledger in
            // The journal first: what it says comes before what is said of it.
            for topic in [topics.sessions, topics.requests, topics.resolve, topics.confirm, topics.handle, topics.handleInApp] {
                read(topic, &ledger)
            }
            for topic in [topics.outcomes, topics.results, topics.deadLetters] { read(topic, &ledger) }
            return body(&ledger)
        }
    }

    /// Looks or writes into the books as they are.
    @discardableResult
    func note<Result: Sendable>(_ body: (inout Ledger) -> Result) -> Result { state.withLock { body(&$0) } }

    private func read(_ topic: String, _ ledger: inout Ledger) {
        for number in 0..<partitions {
            let partition = TopicPartition(topic, number)
            let from = ledger.next[partition] ?? 0
            let records = log.records(in: partition)
            guard let last = records.last, last.offset >= from else { continue }
            for record in records.suffix(Int(last.offset - from) + 1) where record.offset >= from {
                ledger.take(record, topics)
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
        switch record.topic {
        case topics.sessions: takeJournal(record)
        case topics.requests: takeRequest(record)
        case topics.results: takeResult(record)
        case topics.handle, topics.handleInApp: takeWork(record)
        case topics.deadLetters: report.deadLetters += 1
        default: break
        }
    }

    /// A session that is forgotten counts from 1 again, and knows no request any more.
    private mutating func takeJournal(_ record: ConsumedRecord) {
        guard record.value == nil, let key = record.key, key.first != UInt8(ascii: "$") else { return }
        sessions[String(decoding: key, as: UTF8.self), default: SessionBook()].forgotten += 1
    }

    private mutating func takeRequest(_ record: ConsumedRecord) {
        guard let event = try? RequestEvent(record) else { return }
        switch event.event {
        case .requested(let request):
            let key = "\(event.session)/\(request.id)"
            if requests[key] == nil { report.requests += 1 }
            requests[key, default: RequestBook()].copies += 1
            requests[key]?.intent = request.intent
        case .updatesStarted(let request): requests["\(event.session)/\(request)", default: RequestBook()].updatesWanted += 1
        case .handoffClaimed(let handoff, let claimant):
            guard let token = event.token, var offer = sessions[event.session]?.offers[handoff] else { return }
            if offer.token == token || offer.older.contains(token) { offer.shown.insert(claimant) }
            sessions[event.session]?.offers[handoff] = offer
        default: break
        }
    }

    private mutating func takeWork(_ record: ConsumedRecord) {
        guard let event = try? WorkEvent(record) else { return }
        let key = "\(event.session)/\(event.work.request)"
        switch event.work.kind {
        case .cancel: requests[key, default: RequestBook()].cancels[record.topic] = record.offset
        case .handle: requests[key, default: RequestBook()].work[record.topic] = record.offset
        case .permit: report.permits += 1
        case .resolve, .confirm, .update: break
        }
    }
}

/// What is known of one request.
struct RequestBook: Sendable {
    /// How often it stands in `intents.requests`.
    var copies = 0
    var intent = ""
    var completions: [Completion.Status] = []
    var rejections = 0
    var lateAnswers = 0
    /// How often somebody wanted updates of it, and how often they ended.
    var updatesWanted = 0
    var updatesEnded = 0
    /// An app was offered it: what it does, the handlers don't hear of.
    var isHandedOff = false
    /// The newest handle work and the newest cancel of it, by topic.
    var work: [String: Int64] = [:]
    var cancels: [String: Int64] = [:]
    /// The person said yes.
    var isAgreed = false

    /// Whoever reads the work sees the cancel behind it.
    func isCalledOff(in topic: String) -> Bool {
        guard let work = work[topic], let cancel = cancels[topic] else { return false }
        return cancel > work
    }
}

extension ConsumedRecord {
    /// Where it stands and what it says, cut short.
    fileprivate var line: String {
        let type = headers.first { $0.name == "ce_type" || $0.name == "intents-journal" }?.text ?? ""
        let text = value.map { String(decoding: $0.prefix(700), as: UTF8.self) } ?? "no value"
        return "\(topicPartition) \(offset)  \(String(decoding: key ?? [], as: UTF8.self))  \(type)  \(text)"
    }
}
