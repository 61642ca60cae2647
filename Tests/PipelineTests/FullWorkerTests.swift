import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("Cancels reach a full worker")
struct FullWorkerTests {
    private let gate = Gate()
    private let calls = Recorder<String>()

    /// A worker whose two slots are taken by endless handlers, which end when they are cancelled. Work of other
    /// sessions waits.
    private func pipeline() async throws -> TestPipeline {
        let pipeline = try await TestPipeline(partitions: 1, gates: [gate]) { [gate, calls] invocation, _ in
            calls.record(invocation.context.request.text)
            guard invocation.context.request.hasPrefix("endless") else { return .responded(IntentResponse(.success)) }
            do { try await gate.pass() } catch {
                return .failed(IntentFailure(.failure(.cancelled), reason: .unexpected, message: ""))
            }
            return .responded(IntentResponse(.success))
        }
        try pipeline.startWorker("handler", .handle, concurrency: 2)
        try await pipeline.settle()
        for number in 1...2 { try pipeline.give("endless\(number)", session: "e\(number)") }
        try await pipeline.settle()
        for number in 1...5 { try pipeline.give("r\(number)", session: "s\(number)") }
        try await pipeline.settle()
        #expect(gate.count == 2 && calls.all.count == 2)
        return pipeline
    }

    private func lines(_ pipeline: TestPipeline) throws -> [String] {
        try pipeline.outcomes().map { $0.content == .cancelled ? "\($0.request) cancelled" : $0.request.text }
    }

    @Test("within a second, although they come behind the work that it has no room for")
    func reach() async throws {
        let pipeline = try await pipeline()
        for number in 1...2 { try pipeline.give("endless\(number)", session: "e\(number)", isCancel: true) }
        try await pipeline.settle()
        #expect(try lines(pipeline) == [])
        try await pipeline.advance(by: .seconds(1))
        #expect(Set(try lines(pipeline).prefix(2)) == ["endless1 cancelled", "endless2 cancelled"])
        #expect(Set(try lines(pipeline).dropFirst(2)) == ["r1", "r2", "r3", "r4", "r5"])
        #expect(pipeline.workers["handler"]?.counters.cancels == 2)
        #expect(pipeline.committed?.offset == 9)
    }

    @Test("also those that are written while it reads ahead, and those in a second pause")
    func later() async throws {
        let pipeline = try await pipeline()
        try await pipeline.advance(by: .seconds(1))
        try pipeline.give("endless1", session: "e1", isCancel: true)
        try await pipeline.settle()
        #expect(try lines(pipeline).contains("endless1 cancelled"))
        try pipeline.give("endless3", session: "e3")
        try await pipeline.settle()
        try pipeline.give("r6", session: "s6")
        try pipeline.give("endless2", session: "e2", isCancel: true)
        try await pipeline.settle()
        #expect(gate.count == 2)
        try await pipeline.advance(by: .seconds(1))
        #expect(gate.count == 1)
        #expect(try lines(pipeline).suffix(2) == ["endless2 cancelled", "r6"])
        gate.open()
    }

    @Test("and cancel work that is taken only later before its handler is called")
    func before() async throws {
        let pipeline = try await pipeline()
        try pipeline.give("r3", session: "s3", isCancel: true)
        try await pipeline.advance(by: .seconds(1))
        gate.open()
        try await pipeline.settle()
        #expect(!calls.all.contains("r3"))
        #expect(try lines(pipeline).contains("r3 cancelled"))
        #expect(pipeline.committed?.offset == 8)
    }

    @Test("at once, if the work is among what it has taken without a slot for it")
    func waiting() async throws {
        let pipeline = try await TestPipeline(partitions: 1, gates: [gate]) { [gate, calls] invocation, _ in
            calls.record(invocation.context.request.text)
            try? await gate.pass()
            return .responded(IntentResponse(.success))
        }
        pipeline.configureWorker = { $0.maximumWaiting = 8 }
        try pipeline.startWorker("handler", .handle, concurrency: 2)
        try await pipeline.settle()
        for number in 1...6 { try pipeline.give("r\(number)", session: "s\(number)") }
        try await pipeline.settle()
        #expect(Set(calls.all) == ["r1", "r2"])
        try pipeline.give("r4", session: "s4", isCancel: true)
        try await pipeline.settle()
        #expect(try lines(pipeline) == ["r4 cancelled"])
        gate.open()
        try await pipeline.settle()
        #expect(calls.all.count == 5 && !calls.all.contains("r4"))
        #expect(Set(try lines(pipeline)) == ["r1", "r2", "r3", "r4 cancelled", "r5", "r6"])
        #expect(pipeline.committed?.offset == 7)
    }

    @Test("after a rebalance it reads ahead again")
    func rebalanced() async throws {
        let pipeline = try await pipeline()
        try await pipeline.advance(by: .seconds(1))
        pipeline.log.rebalance(group: "intents.handler")
        for _ in 1...12 { try await pipeline.advance(by: .seconds(1)) }
        for number in 1...2 { try pipeline.give("endless\(number)", session: "e\(number)", isCancel: true) }
        for _ in 1...2 { try await pipeline.advance(by: .seconds(1)) }
        #expect(gate.count == 0)
    }
}
