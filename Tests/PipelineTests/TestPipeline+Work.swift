import Conversation
import IntentEvents
import IntentKit
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

extension Booking {
    /// Values of a request that completes without a question.
    static let plain: KeyValuePairs<String, String> = ["dropOff": "Airport", "confirm": "none"]
    static let completed = ["completed success success"]
    /// The results of a request without values whose person answers all prompts.
    static let conversation = ["prompt value dropOff", "prompt confirmIntent -", "completed success success"]

    /// Bookings that offer live updates, which this function sends.
    static func updating(
        _ update: @escaping @Sendable (@Sendable (IntentProgress) -> Void) async -> PhaseOutcome
    ) -> Worker.Perform {
        { invocation, report in
            if invocation.isUpdating { return await update(report) }
            let outcome = await perform(invocation, report)
            guard invocation.phase == .handle, case .responded(var response, let confirmation) = outcome else {
                return outcome
            }
            response.offersUpdates = true
            return .responded(response, confirmation: confirmation)
        }
    }
}

extension Principal {
    static let ann = Principal(.appUser, "ann")
}

extension [Identifier] {
    /// Sessions with numbers, such as `s0` and `s1`.
    static func numbered(_ numbers: Range<Int>, _ prefix: String = "s") -> [Identifier] {
        numbers.map { Identifier("\(prefix)\($0)") }
    }
}

// MARK: Processes

extension TestPipeline {
    /// A pipeline whose processes have all started.
    static func started(
        partitions: Int32 = 1, gates: [Gate] = [], perform: @escaping Worker.Perform = Booking.perform
    ) async throws -> TestPipeline {
        try await TestPipeline(partitions: partitions, gates: gates, perform: perform).start()
    }

    /// A pipeline of bookings whose processes are started after this preparation.
    static func prepared(partitions: Int32 = 1, _ prepare: (TestPipeline) throws -> Void) async throws -> TestPipeline {
        let pipeline = try await TestPipeline(partitions: partitions, perform: Booking.perform)
        try prepare(pipeline)
        return try await pipeline.start()
    }

    /// A pipeline of bookings in one partition whose process crashes at this call, and is replaced.
    static func crashing(
        _ process: String = "coordinator", atCall call: Int, _ point: CrashPoint
    ) async throws -> TestPipeline {
        let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
        pipeline.log.planCrash(of: process, atCall: call, point)
        try pipeline.startAll()
        try await pipeline.settleReplacingCrashed()
        return pipeline
    }

    /// Starts all processes, and lets the pipeline settle.
    @discardableResult
    func start() async throws -> TestPipeline {
        try startAll()
        try await settle()
        return self
    }

    func coordinator(_ name: String = "coordinator") throws -> Coordinator { try #require(coordinators[name]) }

    func worker(_ name: String = "handle") throws -> Worker { try #require(workers[name]) }

    /// Starts a coordinator, and lets the pipeline settle.
    @discardableResult
    func addCoordinator(_ name: String) async throws -> Coordinator {
        try startCoordinator(name)
        try await settle()
        return try coordinator(name)
    }

    /// Starts a worker that handles, and lets the pipeline settle.
    func addHandler(_ name: String, concurrency: Int = 1_024) async throws {
        try startWorker(name, .handle, concurrency: concurrency)
        try await settle()
    }

    /// Kills a coordinator, starts its successor, and lets the pipeline settle.
    @discardableResult
    func replaceCoordinator(_ name: String = "coordinator", by successor: String = "successor") async throws
        -> Coordinator
    {
        kill(name)
        return try await addCoordinator(successor)
    }

    /// Advances the clock several times, and lets the pipeline settle each time.
    func advance(by duration: Duration, times: Int) async throws {
        for _ in 0..<times { try await advance(by: duration) }
    }
}

// MARK: The person's side

extension TestPipeline {
    /// Requests a booking. The pipeline does not run.
    func order(
        _ session: Identifier = "s", _ id: Identifier = "r",
        _ parameters: KeyValuePairs<String, String> = Booking.plain,
        to topic: KeyPath<Topics, String> = \.requests, from principal: Principal? = nil
    ) throws {
        try send(Booking.request(id, parameters), session: session, id: id, to: topics[keyPath: topic], from: principal)
    }

    /// Requests a booking, and lets the pipeline settle.
    func book(
        _ session: Identifier = "s", _ id: Identifier = "r",
        _ parameters: KeyValuePairs<String, String> = Booking.plain,
        to topic: KeyPath<Topics, String> = \.requests, from principal: Principal? = nil
    ) async throws {
        try order(session, id, parameters, to: topic, from: principal)
        try await settle()
    }

    /// Requests bookings in several sessions, and lets the pipeline settle.
    func book(
        each sessions: [Identifier], _ id: Identifier = "r", _ parameters: KeyValuePairs<String, String> = Booking.plain
    ) async throws {
        for session in sessions { try order(session, id, parameters) }
        try await settle()
    }

    /// Sends an event, and lets the pipeline settle. Without an id, the event gets a new one.
    func deliver(
        _ event: SessionEvent, _ session: Identifier = "s", id: Identifier? = nil,
        to topic: KeyPath<Topics, String> = \.requests, from principal: Principal? = nil
    ) async throws {
        let number = Identifier("e\(log.changes)")
        let known: Identifier? = if case .requested(let request) = event { request.id } else { nil }
        try send(event, session: session, id: id ?? known ?? number, to: topics[keyPath: topic], from: principal)
        try await settle()
    }

    /// Answers a session's newest prompt, and lets the pipeline settle.
    func answer(
        _ session: Identifier = "s", _ action: Answer.Action = .accept, _ value: String? = nil, id: Identifier? = nil,
        to topic: KeyPath<Topics, String> = \.requests, from principal: Principal? = nil
    ) async throws {
        let answer = Answer(prompt: try prompt(session), action: action, value: value.map { .string($0) })
        try await deliver(.answered(answer), session, id: id, to: topic, from: principal)
    }

    /// Answers a session's prompts in order, and lets the pipeline settle after each answer.
    func talk(
        _ session: Identifier = "s", _ answers: KeyValuePairs<String, String> = ["dropOff": "Airport"],
        settling settle: (() async throws -> Void)? = nil
    ) async throws {
        try await play(answers, session: session, settling: settle)
    }

    /// Lets the pipeline settle, and returns the results of a session, or of all sessions, as lines.
    func lines(_ session: Identifier? = nil) async throws -> [String] {
        try await settle()
        return try results(session: session).map(\.line)
    }

    /// A session's newest result.
    func last(_ session: Identifier = "s") throws -> ReceivedResult { try #require(results(session: session).last) }

    func completions(_ session: Identifier = "s") throws -> [ReceivedResult] {
        try results(session: session).filter { $0.type == .completed }
    }

    /// The id of the newest prompt of a session.
    func prompt(_ session: Identifier) throws -> Identifier {
        try #require(try results(session: session).compactMap(\.prompt).last)
    }
}

// MARK: The log

extension TestPipeline {
    /// A session whose records are in this partition.
    static func session(in partition: Int32, of count: Int32 = 2) throws -> Identifier {
        try #require(sessions(in: partition, of: count, among: 100).first)
    }

    /// The sessions from `s0` on whose records are in this partition.
    static func sessions(in partition: Int32, of count: Int32 = 2, among numbers: Int) -> [Identifier] {
        .numbered(0..<numbers).filter { Murmur2.partition(of: Array($0.utf8), count: count) == partition }
    }

    func records(_ topic: KeyPath<Topics, String>) -> [ConsumedRecord] { log.records(in: topics[keyPath: topic]) }

    /// The partition of a topic.
    func place(_ topic: KeyPath<Topics, String>, _ partition: Int32 = 0) -> TopicPartition {
        TopicPartition(topics[keyPath: topic], partition)
    }

    /// The newest session in the journal; `nil` if it was forgotten.
    func journaledSession(_ session: Identifier = "s") throws -> JournaledSession? {
        guard case .session(_, let journaled) = try JournalRecord(#require(journaled(session))).content else {
            return nil
        }
        return journaled
    }

    /// The newest record of a session in the journal.
    func journaled(_ session: Identifier = "s") -> ConsumedRecord? {
        records(\.sessions).last { $0.key == Array(session.utf8) }
    }

    func setLeaders(of topic: KeyPath<Topics, String>, areAway: Bool) {
        log.setLeaders(of: topics[keyPath: topic], areAway: areAway)
    }

    /// Refuses records of a topic with an error.
    func refuse(_ count: Int = .max, in topic: KeyPath<Topics, String>, with error: LogError) {
        log.refuseRecords(count, in: topics[keyPath: topic], with: error)
    }

    /// Writes a value of any form to partition 0.
    func write(
        _ value: String?, to topic: KeyPath<Topics, String> = \.requests, key: String? = "s",
        headers: [RecordHeader] = [], timestamp: Int64? = nil
    ) throws {
        try send(
            Record(
                topic: topics[keyPath: topic], partition: 0, key: key.map { Array($0.utf8) },
                value: value.map { Array($0.utf8) }, headers: headers, timestamp: timestamp))
    }

    /// Writes a record of the log again, unchanged.
    func sendCopy(of record: ConsumedRecord) throws {
        try send(
            Record(
                topic: record.topic, partition: record.partition, key: record.key, value: record.value,
                headers: record.headers, timestamp: record.timestamp))
    }
}

// MARK: Work

extension TestPipeline {
    /// Writes handle work as a coordinator would.
    func give(_ request: Identifier, session: Identifier, isCancel: Bool = false, deadline: Instant? = nil) throws {
        let address = WorkAddress(request: request, step: 1, intent: "Book", phase: .handle)
        let work: Work =
            isCancel ? .cancel(WorkCancel(address, deadline: deadline)) : .item(WorkItem(address, deadline: deadline))
        try give(work, session: session)
    }

    /// Writes work to partition 0 as a coordinator would.
    func give(_ work: Work, session: Identifier) throws {
        var encoder = EventEncoder(source: "/test")
        try send(encoder.record(work, session: session, topics: topics, partition: 0, at: clock.now))
    }

    /// The position that the group of handlers has committed in partition 0.
    var committed: CommittedOffset? { log.committed(group: "\(topics.prefix).handler")[place(\.handle)] }

    /// The outcomes that workers have reported, in order.
    func outcomes() throws -> [Outcome] {
        try records(\.outcomes).map { record throws(EventError) in try OutcomeEvent(record).outcome }
    }

    /// The work of a phase, in order.
    func work(_ topic: KeyPath<Topics, String> = \.handle) throws -> [Work] {
        try records(topic).map { record throws(EventError) in try WorkEvent(record).work }
    }

    /// The ticket of the newest handle work.
    func ticket() throws -> String { try #require(work().last?.item?.ticket).description }
}

/// A client that reports where reads of partitions start.
final class ReadingClient: ForwardingClient, @unchecked Sendable {
    private let report: (TopicPartition, StartOffset) -> Void

    init(_ inner: any LogClient, _ report: @escaping (TopicPartition, StartOffset) -> Void) {
        self.report = report
        super.init(inner)
    }

    override func read(_ partition: TopicPartition, from start: StartOffset) throws(LogError) {
        report(partition, start)
        try super.read(partition, from: start)
    }
}

/// A client that drops memory changes, as if they were still in flight.
final class WithoutMemory: ForwardingClient, @unchecked Sendable {
    override func send(_ record: Record, token: UInt64) throws(LogError) {
        if !record.topic.hasSuffix(".memory-changes") { try super.send(record, token: token) }
    }
}

/// Events that a client holds back while ``isOn`` is `true`.
final class Hold {
    var isOn = true
    /// The number of times that each held event is delivered.
    var copies = 1
    fileprivate(set) var events: [LogEvent] = []
}

private final class HoldingClient: ForwardingClient, @unchecked Sendable {
    private let hold: Hold
    private let isHeld: (LogEvent) -> Bool

    init(_ inner: any LogClient, _ hold: Hold, _ isHeld: @escaping (LogEvent) -> Bool) {
        (self.hold, self.isHeld) = (hold, isHeld)
        super.init(inner)
    }

    override func poll(maximum: Int, timeout: Duration) throws(LogError) -> [LogEvent] {
        let events = try super.poll(maximum: maximum, timeout: timeout)
        hold.events += events.filter(isHeld)
        guard !hold.isOn else { return events.filter { !isHeld($0) } }
        defer { hold.events = [] }
        return (0..<hold.copies).flatMap { _ in hold.events } + events.filter { !isHeld($0) }
    }
}

extension TestPipeline {
    /// Holds events back from the next process with this name, until the hold ends.
    func hold(_ process: String, _ isHeld: @escaping (LogEvent) -> Bool) -> Hold {
        let hold = Hold()
        interposer = { $0 == process ? HoldingClient($1, hold, isHeld) : $1 }
        return hold
    }
}

/// The client of a coordinator of a future version. The coordinator writes format 2, which this version can't read, and
/// reads both formats.
final class FutureVersion: ForwardingClient, @unchecked Sendable {
    private static let (before, after) = (Array(#"{"future":"#.utf8), Array("}".utf8))

    override func send(_ record: Record, token: UInt64) throws(LogError) {
        guard record.topic.hasSuffix(".sessions") else { return try super.send(record, token: token) }
        var future = record
        future.headers = record.headers.map { Self.format(" format=1", " format=2", $0) }
        if record.key?.first != UInt8(ascii: "$"), let value = record.value {
            future.value = Self.before + value + Self.after
        }
        try super.send(future, token: token)
    }

    override func poll(maximum: Int, timeout: Duration) throws(LogError) -> [LogEvent] {
        try super.poll(maximum: maximum, timeout: timeout).map { event in
            guard case .read(var record) = event, record.topic.hasSuffix(".sessions") else { return event }
            record.headers = record.headers.map { Self.format(" format=2", " format=1", $0) }
            if let value = record.value, value.starts(with: Self.before) {
                record.value = Array(value[Self.before.count..<value.count - 1])
            }
            return .read(record)
        }
    }

    private static func format(_ old: String, _ new: String, _ header: RecordHeader) -> RecordHeader {
        header.text.map { RecordHeader(header.name, $0.replacing(old, with: new)) } ?? header
    }
}
