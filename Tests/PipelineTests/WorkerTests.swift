import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("A worker") struct WorkerTests {
    private let handler: HandlerFixture

    init() async throws { handler = try await HandlerFixture() }

    @Test func `processes one session's records in order, and other sessions concurrently`() async throws {
        for request in ["slow", "after"] as [Identifier] { try handler.pipeline.give(request, session: "a") }
        let others = (0..<5).map { "b\($0)" }
        try await handler.give(others)
        #expect(Set(try handler.outcomes()) == Set(others) && !handler.calls.all.contains("after"))
        try await handler.open()
        #expect(try handler.outcomes().suffix(2) == ["slow", "after"])
    }

    @Test func `takes its partitions once the positions can be read, and ends if reading is forbidden`() async throws {
        let handler = try await HandlerFixture(isStarted: false)
        let (pipeline, log) = (handler.pipeline, handler.pipeline.log)
        log.refuseCommitted(3, with: LogError(.timedOut, "the group's coordinator is slow", disposition: .retry))
        try pipeline.startWorker("handler", .handle)
        try pipeline.give("r", session: "a")
        #expect(try await pipeline.settle() == [])
        for _ in 1...3 {
            #expect(try handler.outcomes().isEmpty)
            try await pipeline.advance(by: .milliseconds(500))
        }
        #expect(try handler.outcomes() == ["r"])
        log.refuseCommitted(1, with: LogError(.unauthorized, "no right to read the group"))
        try pipeline.startWorker("second", .handle)
        #expect(try await pipeline.settle().count == 1)
    }

    @Test func `commits up to the oldest unfinished record; a successor repeats only work in flight`() async throws {
        try await handler.give(["first", "heedless"] + (0..<5).map { "b\($0)" })
        #expect(handler.committed == CommittedOffset(offset: 1, metadata: "done=1-5"))
        handler.pipeline.kill("handler")
        try handler.pipeline.startWorker("handler", .handle)
        try handler.pipeline.give("new", session: "c")
        try await handler.open()
        #expect(handler.calls.count("heedless") == 2 && handler.calls.all.count == 9 && handler.committed?.offset == 8)
    }

    @Test(arguments: [("slow", "slow cancelled"), ("heedless", "heedless")])
    func `stops a handler on cancel, and reports a late success`(request: Identifier, outcome: String) async throws {
        try await handler.give(request)
        #expect(handler.gate.count == 1)
        try await handler.give(request, isCancel: true)
        #expect(try handler.outcomes() == [outcome])
    }

    @Test func `reports outcomes as CloudEvents on the session's partition, with request id and time`() async throws {
        try await handler.give("r")
        let record = try #require(handler.pipeline.records(\.outcomes).first)
        #expect(record.key == Array("a".utf8))
        #expect(
            record.headers.map { "\($0.name)=\($0.text ?? "")" } == [
                "ce_specversion=1.0", "ce_id=a/r.1.outcome", "ce_source=/intents/handler", "ce_type=intent.handled.v1",
                "ce_time=2026-01-01T12:00:00.000Z", "ce_subject=r", "content-type=application/json",
            ])
    }

    @Test func `without room in its client leaves progress out, and reports every outcome`() async throws {
        let pipeline = try await TestPipeline(partitions: 1, queueLimit: 2) { _, report in
            for step in 1...50 {
                report(IntentProgress(fraction: Double(step) / 100, dialog: String(repeating: "x", count: 1_000)))
            }
            return .responded(IntentResponse(.success))
        }
        pipeline.configureWorker = { $0.maximumUnsentBytes = 20_000 }
        try await pipeline.addHandler("handler")
        for number in 1...60 { try pipeline.give("r\(number)", session: "s\(number)") }
        try await pipeline.settle()
        let finished = try pipeline.outcomes().filter { if case .finished = $0.content { true } else { false } }
        #expect(try Set(finished.map(\.request)).count == 60 && pipeline.worker("handler").counters.leftOut > 0)
        #expect(pipeline.committed == CommittedOffset(offset: 60))
    }
}

@Suite("A cancel overtakes the work that it cancels") struct CancelOrderTests {
    @Test func `in one batch: the handler is not called at all`() async throws {
        let handler = try await HandlerFixture(isStarted: false)
        try handler.pipeline.give("r", session: "a")
        try handler.pipeline.give("other", session: "b")
        try handler.pipeline.give("r", session: "a", isCancel: true)
        try await handler.pipeline.addHandler("handler")
        #expect(handler.calls.all == ["other"])
        #expect(try handler.outcomes().filter { $0.hasPrefix("r") } == ["r cancelled"])
    }

    @Test func `across a crash: the worker that gets the work again applies the committed cancel`() async throws {
        let handler = try await HandlerFixture()
        try await handler.give("heedless")
        try handler.pipeline.give("heedless", session: "a", isCancel: true)
        try handler.pipeline.worker("handler").step(timeout: .zero)
        #expect(handler.committed == CommittedOffset(offset: 0, metadata: "done=1"))
        handler.pipeline.kill("handler")
        handler.gate.open()
        try await handler.pipeline.addHandler("successor")
        #expect(handler.calls.all == ["heedless"])
    }
}

@Suite("Cancels reach a full worker") struct FullWorkerTests {
    /// A worker whose two slots are taken by endless handlers, which end when they are cancelled. Work of other
    /// sessions waits.
    private func full() async throws -> HandlerFixture {
        let handler = try await HandlerFixture(concurrency: 2)
        try await handler.give(["slow1", "slow2"])
        try await handler.give(["r1", "r2", "r3", "r4", "r5"])
        #expect(handler.gate.count == 2 && handler.calls.all.count == 2)
        return handler
    }

    @Test func `within a second, although they come behind the work that it has no room for`() async throws {
        let handler = try await full()
        try await handler.give(["slow1", "slow2"], isCancel: true)
        #expect(try handler.outcomes() == [])
        try await handler.advance(1)
        #expect(Set(try handler.outcomes().prefix(2)) == ["slow1 cancelled", "slow2 cancelled"])
        #expect(Set(try handler.outcomes().dropFirst(2)) == ["r1", "r2", "r3", "r4", "r5"])
        #expect(handler.counters.cancels == 2 && handler.committed?.offset == 9)
    }

    @Test func `also those that are written while it reads ahead, and those in a second pause`() async throws {
        let handler = try await full()
        try await handler.advance(1)
        try await handler.give(["slow1"], isCancel: true)
        #expect(try handler.outcomes().contains("slow1 cancelled"))
        try await handler.give(["slow3"])
        try handler.pipeline.give("r6", session: "session of r6")
        try await handler.give(["slow2"], isCancel: true)
        #expect(handler.gate.count == 2)
        try await handler.advance(1)
        #expect(try handler.gate.count == 1 && handler.outcomes().suffix(2) == ["slow2 cancelled", "r6"])
        handler.gate.open()
    }

    @Test func `and cancel work that is taken only later before its handler is called`() async throws {
        let handler = try await full()
        try handler.pipeline.give("r3", session: "session of r3", isCancel: true)
        try await handler.advance(1)
        try await handler.open()
        #expect(!handler.calls.all.contains("r3"))
        #expect(try handler.outcomes().contains("r3 cancelled") && handler.committed?.offset == 8)
    }

    @Test func `at once, if the work is among what it has taken without a slot for it`() async throws {
        let handler = try await HandlerFixture(concurrency: 2) { $0.maximumWaiting = 8 }
        try await handler.give((1...6).map { "heedless\($0)" })
        #expect(Set(handler.calls.all) == ["heedless1", "heedless2"])
        try await handler.give(["heedless4"], isCancel: true)
        #expect(try handler.outcomes() == ["heedless4 cancelled"])
        try await handler.open()
        #expect(handler.calls.all.count == 5 && !handler.calls.all.contains("heedless4"))
        let outcomes = Set((1...6).map { $0 == 4 ? "heedless4 cancelled" : "heedless\($0)" })
        #expect(Set(try handler.outcomes()) == outcomes && handler.committed?.offset == 7)
    }

    @Test func `after a rebalance it reads ahead again`() async throws {
        let handler = try await full()
        try await handler.advance(1)
        handler.pipeline.log.rebalance(group: "intents.handler")
        try await handler.advance(1, times: 12)
        for request in ["slow1", "slow2"] as [Identifier] {
            try handler.pipeline.give(request, session: "session of \(request)", isCancel: true)
        }
        try await handler.advance(1, times: 2)
        #expect(handler.gate.count == 0)
    }
}

/// A worker that handles work without a coordinator, in group `intents.handler`.
///
/// The request's name decides how its handler behaves: `slow…` waits at the gate, and fails if it is cancelled;
/// `heedless…` succeeds although it is cancelled; `stuck…` goes on waiting although it is cancelled. `…progress` reports
/// progress first, and `…ongoing` a live update.
struct HandlerFixture {
    let gate = Gate()
    /// The requests whose handlers were called, in order.
    let calls = Recorder<String>()
    let pipeline: TestPipeline

    init(
        partitions: Int32 = 1, concurrency: Int = 1_024, isStarted: Bool = true,
        _ configure: @escaping (inout WorkerConfiguration) -> Void = { _ in }
    ) async throws {
        pipeline = try await TestPipeline(partitions: partitions, gates: [gate]) { [gate, calls] invocation, report in
            let request = invocation.context.request
            calls.record(request.text)
            if request.text.contains("progress") { report(IntentProgress(fraction: 0.5)) }
            if request.text.contains("ongoing") { report(IntentProgress(update: IntentUpdate(phase: "ongoing"))) }
            if request.hasPrefix("stuck") { await Task { try? await gate.pass() }.value }
            if request.hasPrefix("heedless") { try? await gate.pass() }
            if request.hasPrefix("slow") {
                do { try await gate.pass() } catch {
                    return .failed(IntentFailure(.failure(.cancelled), reason: .unexpected, message: ""))
                }
            }
            return .responded(IntentResponse(.success))
        }
        pipeline.configureWorker = configure
        if isStarted { try await pipeline.addHandler("handler", concurrency: concurrency) }
    }

    var worker: Worker? { pipeline.workers["handler"] }
    var counters: WorkerCounters { worker?.counters ?? WorkerCounters() }
    var committed: CommittedOffset? { pipeline.committed }

    /// Writes work to partition 0, and lets the pipeline settle.
    func give(
        _ request: Identifier, _ session: Identifier = "a", isCancel: Bool = false, deadline: Duration? = nil
    ) async throws {
        let deadline = deadline.map { pipeline.clock.now.advanced(by: $0) }
        try pipeline.give(request, session: session, isCancel: isCancel, deadline: deadline)
        try await pipeline.settle()
    }

    /// Writes work of different sessions to partition 0, and lets the pipeline settle.
    func give(_ requests: [String], isCancel: Bool = false) async throws {
        for request in requests {
            try pipeline.give(Identifier(request), session: "session of \(request)", isCancel: isCancel)
        }
        try await pipeline.settle()
    }

    func give(_ work: Work, _ session: Identifier = "a") async throws {
        try pipeline.give(work, session: session)
        try await pipeline.settle()
    }

    /// Lets the waiting handlers continue, and the pipeline settle.
    func open() async throws {
        gate.open()
        try await pipeline.settle()
    }

    func advance(_ seconds: Int, times: Int = 1) async throws {
        try await pipeline.advance(by: .seconds(seconds), times: times)
    }

    /// The requests of the outcomes, in order.
    func outcomes() throws -> [String] {
        try pipeline.outcomes().map { $0.content == .cancelled ? "\($0.request) cancelled" : $0.request.text }
    }

    /// Plays a rebalance that assigns each worker its previous partitions. The clock advances by the drain timeout.
    func rebalance() async throws {
        pipeline.log.rebalance(group: "intents.handler")
        try await pipeline.settle()
        try await pipeline.advance(by: .seconds(1))
        try await pipeline.settle()
    }
}

extension WorkItem {
    /// Handle work of step 1.
    init(_ request: Identifier, deadline: Instant? = nil) {
        self.init(WorkAddress(request: request, step: 1, intent: "Book", phase: .handle), deadline: deadline)
    }
}

extension IntentProgress {
    init(update: IntentUpdate) {
        self.init()
        self.update = update
    }
}
