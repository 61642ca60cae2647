import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("A deadline frees a worker's slot, whatever the handler does")
struct HandlerLimitTests {
    private let gate = Gate()
    private let calls = Recorder<String>()

    /// A worker whose handlers depend on the request: "stuck" ignores cancels, "slow" waits until it is cancelled, and
    /// "progress" reports progress first.
    private func pipeline(concurrency: Int = 1_024, abandoned: Int = 1_024) async throws -> TestPipeline {
        let pipeline = try await TestPipeline(partitions: 1, gates: [gate]) { [gate, calls] invocation, report in
            let request = invocation.context.request
            calls.record(request.text)
            if request.text.contains("progress") { report(IntentProgress(fraction: 0.5)) }
            if request.hasPrefix("stuck") { await Task { try? await gate.pass() }.value }
            if request.hasPrefix("slow") {
                do { try await gate.pass() } catch {
                    return .failed(IntentFailure(.failure(.cancelled), reason: .unexpected, message: ""))
                }
            }
            return .responded(IntentResponse(.success))
        }
        pipeline.configureWorker = { $0.maximumAbandoned = abandoned }
        try pipeline.startWorker("handler", .handle, concurrency: concurrency)
        try await pipeline.settle()
        return pipeline
    }

    private func item(_ request: Identifier, _ pipeline: TestPipeline, timeout: Duration = .seconds(60)) -> WorkItem {
        WorkItem(
            WorkAddress(request: request, step: 1, intent: "Book", phase: .handle),
            deadline: pipeline.clock.now.advanced(by: timeout))
    }

    private func counters(_ pipeline: TestPipeline) -> WorkerCounters {
        pipeline.workers["handler"]?.counters ?? WorkerCounters()
    }

    @Test("five seconds after the deadline a handler is cancelled, and how it fails then is not reported")
    func cancelled() async throws {
        let pipeline = try await pipeline()
        try pipeline.give(.item(item("slow", pipeline)), session: "a")
        try await pipeline.settle()
        try await pipeline.advance(by: .seconds(64))
        #expect(gate.count == 1)
        try await pipeline.advance(by: .seconds(1))
        #expect(gate.count == 0)
        #expect(try pipeline.outcomes() == [])
        #expect(counters(pipeline).overdue == 1 && counters(pipeline).abandoned == 0)
        #expect(pipeline.committed?.offset == 1)
    }

    @Test(
        "one that ignores that is abandoned after five more seconds: slot, lane and offset are free, and its late success is reported"
    )
    func abandoned() async throws {
        let pipeline = try await pipeline(concurrency: 2)
        for number in 1...2 { try pipeline.give(.item(item("stuck\(number)", pipeline)), session: "s\(number)") }
        try await pipeline.settle()
        for number in 1...2 {
            try pipeline.give(.item(item("next\(number)", pipeline, timeout: .seconds(600))), session: "s\(number)")
        }
        try await pipeline.advance(by: .seconds(65))
        #expect(calls.all.sorted() == ["stuck1", "stuck2"], "the sessions have no order among them")
        try await pipeline.advance(by: .seconds(5))
        #expect(Set(calls.all.suffix(2)) == ["next1", "next2"])
        #expect(counters(pipeline).abandoned == 2)
        #expect(pipeline.committed?.offset == 4)
        gate.open()
        try await pipeline.settle()
        #expect(Set(try pipeline.outcomes().suffix(2).map(\.request)) == ["stuck1", "stuck2"])
        #expect(pipeline.workers["handler"]?.runningHandlers == 0)
    }

    @Test("progress extends the time by what the work says, but not beyond the request's own deadline")
    func progress() async throws {
        let pipeline = try await pipeline()
        var long = item("slow progress", pipeline)
        long.inProgressTimeout = .seconds(600)
        try pipeline.give(.item(long), session: "a")
        long.address.request = "slow progress with a deadline"
        long.requestDeadline = pipeline.clock.now.advanced(by: .seconds(300))
        try pipeline.give(.item(long), session: "b")
        try await pipeline.settle()
        try await pipeline.advance(by: .seconds(304))
        #expect(gate.count == 2)
        try await pipeline.advance(by: .seconds(1))
        #expect(gate.count == 1)
        try await pipeline.advance(by: .seconds(299))
        #expect(gate.count == 1)
        try await pipeline.advance(by: .seconds(1))
        #expect(gate.count == 0)
    }

    @Test("work of a coordinator that does not say so is given 15 minutes after progress")
    func oldCoordinator() async throws {
        let pipeline = try await pipeline()
        try pipeline.give(.item(item("slow progress", pipeline)), session: "a")
        try await pipeline.settle()
        try await pipeline.advance(by: .seconds(904))
        #expect(gate.count == 1)
        try await pipeline.advance(by: .seconds(1))
        #expect(gate.count == 0)
    }

    @Test("a handler that ignores the coordinator's cancel is abandoned five seconds after its time to clean up")
    func cancelIgnored() async throws {
        let pipeline = try await pipeline()
        try pipeline.give(.item(item("stuck", pipeline)), session: "a")
        try await pipeline.settle()
        for _ in 1...2 {
            try pipeline.give(
                "stuck", session: "a", isCancel: true, deadline: pipeline.clock.now.advanced(by: .seconds(10)))
            try await pipeline.settle()
        }
        try await pipeline.advance(by: .seconds(14))
        #expect(counters(pipeline).abandoned == 0)
        try await pipeline.advance(by: .seconds(1))
        #expect(counters(pipeline).abandoned == 1 && counters(pipeline).overdue == 0)
        #expect(pipeline.committed?.offset == 3)
    }

    @Test("abandoned handlers beyond the bound take slots again, and the worker ends when they have taken all")
    func bound() async throws {
        let pipeline = try await pipeline(concurrency: 2, abandoned: 1)
        func stick(_ number: Int) async throws -> [String] {
            try pipeline.give(.item(item("stuck\(number)", pipeline)), session: "s\(number)")
            var died = try await pipeline.settle()
            for _ in 1...2 {
                pipeline.clock.advance(by: .seconds(65))
                died += try await pipeline.settle()
            }
            return died
        }
        #expect(try await stick(1) == [])
        #expect(try await stick(2) == [])
        #expect(counters(pipeline).abandoned == 2)
        #expect(try await stick(3) == ["handler"])
        gate.open()
    }

    @Test("a handler of live updates that ignores its cancel holds nothing up, and is counted")
    func updates() async throws {
        let pipeline = try await pipeline()
        let address = WorkAddress(request: "stuck", step: 1, intent: "Book", phase: .handle)
        try pipeline.give(.update(WorkItem(address)), session: "a")
        try await pipeline.settle()
        try pipeline.give("stuck", session: "a", isCancel: true)
        try await pipeline.settle()
        #expect(pipeline.workers["handler"]?.runningHandlers == 1)
        try await pipeline.advance(by: .seconds(5))
        #expect(counters(pipeline).abandoned == 1)
        gate.open()
        try await pipeline.settle()
        #expect(pipeline.workers["handler"]?.runningHandlers == 0)
        #expect(try pipeline.outcomes() == [])
    }
}
