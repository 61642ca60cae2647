import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("Live updates through the pipeline")
struct LiveUpdatePipelineTests {
    private let gate = Gate()

    private func pipeline() async throws -> TestPipeline {
        let pipeline = try await TestPipeline(partitions: 1, gates: [gate]) { [gate] invocation, report in
            if invocation.isUpdating {
                var progress = IntentProgress()
                progress.update = IntentUpdate(phase: "ongoing")
                report(progress)
                do { try await gate.pass() } catch {
                    return .failed(IntentFailure(.failure(.cancelled), reason: .unexpected, message: ""))
                }
                progress.update = IntentUpdate(phase: "completed", completionStatus: "completed")
                report(progress)
                return .responded(IntentResponse(.success))
            }
            let outcome = await Booking.perform(invocation, report)
            guard invocation.phase == .handle, case .responded(var response, let confirmation) = outcome else {
                return outcome
            }
            response.offersUpdates = true
            return .responded(response, confirmation: confirmation)
        }
        try pipeline.startAll()
        try pipeline.send(Booking.request("r", ["dropOff": "Airport", "confirm": "none"]), session: "s", id: "r")
        try await pipeline.settle()
        try pipeline.send(.updatesStarted(request: "r"), session: "s", id: "start")
        try await pipeline.settle()
        return pipeline
    }

    private func lines(_ pipeline: TestPipeline) throws -> [String] {
        try pipeline.results(session: "s").dropFirst().map { result in
            "\(result.type.rawValue) \(result.data["phase"]?.string ?? result.data["reason"]?.string ?? "")"
        }
    }

    @Test("are sent until the handler ends")
    func handlerEnds() async throws {
        let pipeline = try await pipeline()
        #expect(try lines(pipeline) == ["intent.updated.v1 ongoing"])
        gate.open()
        try await pipeline.settle()
        #expect(
            try lines(pipeline) == [
                "intent.updated.v1 ongoing", "intent.updated.v1 completed", "updates.ended.v1 completed",
            ])
    }

    @Test("stop on request, and the handler's task is cancelled")
    func stopped() async throws {
        let pipeline = try await pipeline()
        try pipeline.send(.updatesStopped(request: "r"), session: "s", id: "stop")
        try await pipeline.settle()
        #expect(try lines(pipeline) == ["intent.updated.v1 ongoing", "updates.ended.v1 stopped"])
        #expect(gate.count == 0)
    }

    @Test("of two requests whose ids only look equal run beside each other, and stopping one leaves the other")
    func lookalikes() async throws {
        let pipeline = try await pipeline()
        for request in ["\u{E9}", "e\u{301}"] as [Identifier] {
            try pipeline.send(
                Booking.request(request, ["dropOff": "Airport", "confirm": "none"]), session: "s", id: request)
            try await pipeline.settle()
            try pipeline.send(.updatesStarted(request: request), session: "s", id: "start-\(request)")
            try await pipeline.settle()
        }
        #expect(gate.count == 3)
        try pipeline.send(.updatesStopped(request: "e\u{301}"), session: "s", id: "stop")
        try await pipeline.settle()
        let ended = try pipeline.results(session: "s").filter { $0.type == .updatesEnded }.map(\.request)
        #expect(ended == ["e\u{301}"] && gate.count == 2)
    }

    @Test("block neither the session's other work nor the partition's committed position")
    func beside() async throws {
        let pipeline = try await pipeline()
        try pipeline.send(Booking.request("r2", ["dropOff": "Airport", "confirm": "none"]), session: "s", id: "r2")
        try await pipeline.settle()
        #expect(try pipeline.results(session: "s").last?.status == .success)
        #expect(
            pipeline.log.committed(group: "intents.handler")[TopicPartition(pipeline.topics.handle, 0)]?.offset == 3)
    }

    @Test("continue after their worker has crashed, and after it has left")
    func workerDies() async throws {
        let pipeline = try await pipeline()
        pipeline.kill("handle")
        try pipeline.startWorker("second", .handle)
        gate.open()
        try await pipeline.settle()
        #expect(try lines(pipeline).count == 1)
        try await pipeline.advance(by: .seconds(31))
        #expect(try lines(pipeline).last == "updates.ended.v1 completed")
    }

    @Test("are released by a worker that leaves")
    func workerLeaves() async throws {
        let pipeline = try await pipeline()
        try pipeline.closeWorker("handle")
        try pipeline.startWorker("second", .handle)
        try await pipeline.settle()
        #expect(gate.count == 1)
    }

    @Test(
        "stop at the handler, and end once, between whichever two of its calls the coordinator crashes",
        arguments: [CrashPoint.beforeSending, .afterSending, .duringSending(written: 1)])
    func stoppedAmidACrash(_ point: CrashPoint) async throws {
        for call in 1...20 {
            let test = LiveUpdatePipelineTests()
            let pipeline = try await test.pipeline()
            #expect(test.gate.count == 1)
            let calls = pipeline.log.client(named: "coordinator")?.calls ?? 0
            pipeline.log.planCrash(of: "coordinator", atCall: calls + call, point)
            try pipeline.send(.updatesStopped(request: "r"), session: "s", id: "stop")
            try await pipeline.settleReplacingCrashed()
            #expect(test.gate.count == 0, "died at call \(call)")
            #expect(try test.lines(pipeline).count { $0 == "updates.ended.v1 stopped" } == 1, "died at call \(call)")
        }
    }

    @Test("continue after their coordinator has crashed")
    func coordinatorDies() async throws {
        let pipeline = try await pipeline()
        pipeline.kill("coordinator")
        try pipeline.startCoordinator("successor")
        gate.open()
        try await pipeline.settle()
        #expect(try lines(pipeline).last == "updates.ended.v1 completed")
    }
}
