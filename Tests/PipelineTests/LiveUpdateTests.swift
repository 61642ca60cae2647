import Conversation
import IntentEvents
import IntentModel
import PipelineTestKit
import RecordLog
import Testing

@testable import Pipeline

@Suite("Live updates through the pipeline") struct LiveUpdatePipelineTests {
    private let gate = Gate()
    private let pipeline: TestPipeline

    init() async throws {
        let perform = Booking.updating { [gate] report in
            report(IntentProgress(update: IntentUpdate(phase: "ongoing")))
            do { try await gate.pass() } catch {
                return .failed(IntentFailure(.failure(.cancelled), reason: .unexpected, message: ""))
            }
            report(IntentProgress(update: IntentUpdate(phase: "completed", completionStatus: "completed")))
            return .responded(IntentResponse(.success))
        }
        pipeline = try await TestPipeline.started(gates: [gate], perform: perform)
        try await pipeline.book()
        try await pipeline.deliver(.updatesStarted(request: "r"))
    }

    /// The results after the completion.
    private func updates() async throws -> [String] { Array(try await pipeline.lines("s").dropFirst()) }

    @Test func `are sent until the handler ends`() async throws {
        #expect(try await updates() == ["update ongoing"])
        gate.open()
        #expect(try await updates() == ["update ongoing", "update completed", "no more updates: completed"])
    }

    @Test func `of two requests whose ids only look equal are started and stopped separately`() async throws {
        for request in ["\u{E9}", "e\u{301}"] as [Identifier] {
            try await pipeline.book("s", request)
            try await pipeline.deliver(.updatesStarted(request: request))
        }
        #expect(gate.count == 3)
        try await pipeline.deliver(.updatesStopped(request: "e\u{301}"))
        let ended = try pipeline.results(session: "s").filter { $0.type == .updatesEnded }.map(\.request)
        #expect(ended == ["e\u{301}"] && gate.count == 2)
    }

    @Test func `block neither the session's other work nor the partition's committed position`() async throws {
        try await pipeline.book("s", "r2")
        #expect(try pipeline.last().status == .success && pipeline.committed?.offset == 3)
    }

    @Test func `continue after their worker has crashed`() async throws {
        pipeline.kill("handle")
        try pipeline.startWorker("second", .handle)
        gate.open()
        #expect(try await updates().count == 1)
        try await pipeline.advance(by: .seconds(31))
        #expect(try await updates().last == "no more updates: completed")
    }

    @Test func `are released by a worker that leaves`() async throws {
        try pipeline.closeWorker("handle")
        try await pipeline.addHandler("second")
        #expect(gate.count == 1)
    }

    @Test(arguments: [CrashPoint.beforeSending, .afterSending, .duringSending(written: 1)])
    func `stop at the handler and end once, wherever the coordinator crashes`(_ point: CrashPoint) async throws {
        for call in 1...20 {
            let test = try await LiveUpdatePipelineTests()
            #expect(test.gate.count == 1)
            let calls = test.pipeline.log.client(named: "coordinator")?.calls ?? 0
            test.pipeline.log.planCrash(of: "coordinator", atCall: calls + call, point)
            try test.pipeline.send(.updatesStopped(request: "r"), session: "s", id: "stop")
            try await test.pipeline.settleReplacingCrashed()
            #expect(test.gate.count == 0, "died at call \(call)")
            #expect(try await test.updates().count { $0 == "no more updates: stopped" } == 1, "died at call \(call)")
        }
    }

    @Test func `continue after their coordinator has crashed`() async throws {
        pipeline.kill("coordinator")
        try pipeline.startCoordinator("successor")
        gate.open()
        #expect(try await updates().last == "no more updates: completed")
    }
}

@Suite("Clocks that differ by a constant") struct ClockDifferenceTests {
    private let calls = Recorder<String>()
    private let deadlines = Recorder<Int64?>()
    private let pipeline: TestPipeline

    init() async throws {
        pipeline = try await TestPipeline(partitions: 1) { [calls, deadlines] invocation, report in
            calls.record("\(invocation.phase) \(invocation.context.request)")
            deadlines.record(invocation.context.deadline)
            return await Booking.perform(invocation, report)
        }
    }

    @Test(arguments: [("coordinator", 3_600), ("resolve", -3_600), ("confirm", -3_600), ("handle", -3_600)])
    func `a coordinator an hour ahead or a worker behind is in time`(process: String, seconds: Int) async throws {
        pipeline.clockDifferences = [process: .seconds(seconds)]
        try await pipeline.start().book()
        #expect(try await pipeline.lines() == Booking.completed)
        #expect(pipeline.workers.values.allSatisfy { $0.counters.expired == 0 })
        // A handler gets its deadline by its own machine's clock.
        guard process == "coordinator" else { return }
        let deadline = pipeline.clock.now.advanced(by: .seconds(60)).milliseconds
        #expect(deadlines.all == [deadline, deadline, deadline])
    }

    @Test(arguments: Phase.allCases)
    func `a request whose worker is an hour ahead fails soon, and no handler is called`(phase: Phase) async throws {
        pipeline.clockDifferences = [phase.rawValue: .seconds(3_600)]
        try await pipeline.start().order()
        try await pipeline.advance(by: .seconds(1), times: 10)
        #expect(try pipeline.last().line.hasPrefix("completed failure") && !calls.all.contains("\(phase) r"))
        #expect(try pipeline.worker(phase.rawValue).counters.expired == SessionPolicy().limits.maximumAttempts)
    }

    @Test func `the time that work waited in its topic counts`() async throws {
        let due = pipeline.clock.now.advanced(by: .seconds(10))
        try pipeline.give("r", session: "s", deadline: due)
        pipeline.clock.advance(by: .seconds(9))
        try await pipeline.addHandler("handler")
        #expect(deadlines.all == [due.milliseconds])
    }

    @Test func `a handler is not called for work in the topic whose request has timed out`() async throws {
        try pipeline.startCoordinator("coordinator")
        for phase in [Phase.resolve, .confirm] { try pipeline.startWorker(phase.rawValue, phase) }
        try await pipeline.settle()
        try await pipeline.book()
        try await pipeline.advance(by: .seconds(10), times: 7)
        #expect(try pipeline.last().line.hasPrefix("completed timedOut"))
        // The topic has the work alone, without the coordinator's cancel.
        let work = try #require(pipeline.records(\.handle).first)
        pipeline.log.truncate(work.topicPartition, before: .max)
        try pipeline.sendCopy(of: work)
        try pipeline.startWorker("handle", .handle)
        try await pipeline.advance(by: .seconds(10), times: 7)
        #expect(calls.all == ["resolve r", "confirm r"])
        #expect(try pipeline.worker().counters.expired == 1 && pipeline.worker().inFlight == 0)
    }

    @Test func `work of 0.1.0 may take the time from its timestamp to its deadline`() async throws {
        pipeline.clockDifferences = ["handler": .seconds(-3_600)]
        try await pipeline.addHandler("handler")
        let deadline = pipeline.clock.now.advanced(by: .seconds(60))
        let work = #""request":"old","step":1,"intent":"Book","attempt":1,"parameters":{},"deadline":"\#(deadline)""#
        let headers: KeyValuePairs = ["ce_type": "intent.handle.v1", "ce_id": "1", "ce_source": "/test"]
        try pipeline.write(
            "{\(work)}", to: \.handle, headers: headers.map { RecordHeader($0, $1) },
            timestamp: pipeline.clock.now.milliseconds)
        try await pipeline.settle()
        #expect(calls.all == ["handle old"])
        #expect(deadlines.all == [deadline.advanced(by: .seconds(-3_600)).milliseconds])
    }

    @Test func `late work is reported as a number, at most once in ten seconds`() {
        var late = LateWork()
        let now = Instant(milliseconds: 1_000_000)
        #expect(late.report(at: now) == nil)
        for _ in 1...2 { late.note() }
        #expect(late.report(at: now) == 2)
        late.note()
        #expect(late.report(at: now.advanced(by: .milliseconds(9_999))) == nil)
        #expect(late.report(at: now.advanced(by: .seconds(10))) == 1)
        #expect(late.report(at: now.advanced(by: .seconds(60))) == nil)
    }
}
