import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("A cancel overtakes the work that it cancels")
struct CancelOrderTests {
    @Test("in one batch: the handler is not called at all")
    func oneBatch() async throws {
        let calls = Recorder<String>()
        let pipeline = try await TestPipeline(partitions: 1) { invocation, _ in
            calls.record(invocation.context.request.text)
            return .responded(IntentResponse(.success))
        }
        try pipeline.give("r", session: "a")
        try pipeline.give("other", session: "b")
        try pipeline.give("r", session: "a", isCancel: true)
        try pipeline.startWorker("handler", .handle)
        try await pipeline.settle()
        #expect(calls.all == ["other"])
        let outcomes = try pipeline.log.records(in: pipeline.topics.outcomes).map { record throws(EventError) in
            try OutcomeEvent(record).outcome
        }
        #expect(outcomes.filter { $0.request == "r" }.map(\.content) == [.cancelled])
    }

    @Test("across a crash: the worker that gets the work again applies the cancel, although it is committed")
    func overCrash() async throws {
        let gate = Gate()
        let calls = Recorder<String>()
        let pipeline = try await TestPipeline(partitions: 1, gates: [gate]) { invocation, _ in
            calls.record(invocation.context.request.text)
            if calls.all.count == 1 { try? await gate.pass() }
            return .responded(IntentResponse(.success))
        }
        try pipeline.startWorker("handler", .handle)
        try await pipeline.settle()
        try pipeline.give("r", session: "a")
        try await pipeline.settle()
        let handler = try #require(pipeline.workers["handler"])
        try pipeline.give("r", session: "a", isCancel: true)
        try handler.step(timeout: .zero)
        let committed = pipeline.log.committed(group: "\(pipeline.topics.prefix).handler").values.first
        #expect(committed == CommittedOffset(offset: 0, metadata: "done=1"))
        pipeline.kill("handler")
        gate.open()
        try pipeline.startWorker("successor", .handle)
        try await pipeline.settle()
        #expect(calls.all == ["r"])
    }
}
