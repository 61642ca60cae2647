import Conversation
import IntentEvents
import IntentKit
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("Handlers that never return, in the whole pipeline")
struct AbandonedHandlerTests {
    private let gate = Gate()
    private let calls = Recorder<String>()

    private func pipeline() async throws -> TestPipeline {
        let pipeline = try await TestPipeline(partitions: 1, gates: [gate]) { [gate, calls] invocation, report in
            if invocation.phase == .handle {
                calls.record(invocation.context.request.text)
                if invocation.context.request == "stuck" { await Task { try? await gate.pass() }.value }
            }
            return await Booking.perform(invocation, report)
        }
        return pipeline
    }

    private func request(_ id: Identifier, _ pipeline: TestPipeline) async throws {
        try pipeline.send(Booking.request(id, ["dropOff": "Airport", "confirm": "none"]), session: "s", id: id)
        try await pipeline.settle()
    }

    @Test(
        "the request ends at its deadline, the session's next one is handled, and the success that comes at last is told"
    )
    func ends() async throws {
        let pipeline = try await pipeline()
        try pipeline.startAll()
        try await request("stuck", pipeline)
        for _ in 1...3 { try await pipeline.advance(by: .seconds(60)) }
        try await request("r2", pipeline)
        #expect(calls.all == ["stuck", "r2"])
        gate.open()
        try await pipeline.settle()
        let results = try pipeline.results(session: "s").filter { $0.type != .progressed }
        #expect(results.map(\.type) == [.completed, .completed, .answeredLate])
        #expect(results.prefix(2).map(\.status) == [.timedOut, .success])
    }

    @Test("one that may be called once is not called again, and its outcome is unknown until it returns")
    func once() async throws {
        let pipeline = try await pipeline()
        pipeline.policies = { _ in IntentPolicy(effect: .atMostOnce) }
        try pipeline.startAll()
        try await request("stuck", pipeline)
        for _ in 1...3 { try await pipeline.advance(by: .seconds(60)) }
        #expect(pipeline.workers["handle"]?.counters.abandoned == 1)
        let error = try pipeline.results(session: "s").last { $0.type == .completed }?.data["error"]
        #expect(error?["reason"]?.string == "outcomeUnknown")
        pipeline.kill("handle")
        try pipeline.startWorker("successor", .handle)
        try await pipeline.advance(by: .seconds(60))
        #expect(calls.all == ["stuck"])
        gate.open()
    }
}
