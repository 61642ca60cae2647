import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("A worker")
struct WorkerTests {
    private func outcomes(_ pipeline: TestPipeline) throws -> [String] {
        try pipeline.log.records(in: pipeline.topics.outcomes).map { record throws(EventError) in
            let event = try OutcomeEvent(record)
            return event.outcome.content == .cancelled
                ? "\(event.outcome.request) cancelled" : event.outcome.request.text
        }
    }

    private func pipeline(gates: [Gate] = [], _ perform: @escaping Worker.Perform) async throws -> TestPipeline {
        let pipeline = try await TestPipeline(partitions: 1, gates: gates, perform: perform)
        try pipeline.startWorker("handler", .handle)
        try await pipeline.settle()
        return pipeline
    }

    @Test("processes one session's records in order, and other sessions concurrently")
    func lanes() async throws {
        let gate = Gate()
        let calls = Recorder<String>()
        let pipeline = try await pipeline(gates: [gate]) { invocation, _ in
            calls.record(invocation.context.request.text)
            if invocation.context.request == "slow" { try? await gate.pass() }
            return .responded(IntentResponse(.success))
        }
        try pipeline.give("slow", session: "a")
        try pipeline.give("after", session: "a")
        for number in 0..<5 { try pipeline.give("b\(number)", session: "b\(number)") }
        try await pipeline.settle()
        #expect(Set(try outcomes(pipeline)) == Set((0..<5).map { "b\($0)" }))
        #expect(!calls.all.contains("after"))
        gate.open()
        try await pipeline.settle()
        #expect(try outcomes(pipeline).suffix(2) == ["slow", "after"])
    }

    @Test("takes its partitions when the group's positions can be read again, and ends if they may not be read")
    func positions() async throws {
        let pipeline = try await TestPipeline(partitions: 1) { _, _ in .responded(IntentResponse(.success)) }
        pipeline.log.refuseCommitted(
            3, with: LogError(.timedOut, "the group's coordinator is slow", disposition: .retry))
        try pipeline.startWorker("handler", .handle)
        try pipeline.give("r", session: "a")
        #expect(try await pipeline.settle() == [])
        for _ in 1...3 {
            #expect(try outcomes(pipeline).isEmpty)
            try await pipeline.advance(by: .milliseconds(500))
        }
        #expect(try outcomes(pipeline) == ["r"])
        pipeline.log.refuseCommitted(1, with: LogError(.unauthorized, "no right to read the group"))
        try pipeline.startWorker("second", .handle)
        #expect(try await pipeline.settle().count == 1)
    }

    @Test("commits up to the oldest unfinished record, and repeats only work in flight after a crash")
    func commit() async throws {
        let gate = Gate()
        let calls = Recorder<String>()
        let pipeline = try await pipeline(gates: [gate]) { invocation, _ in
            calls.record(invocation.context.request.text)
            if invocation.context.request == "slow" { try? await gate.pass() }
            return .responded(IntentResponse(.success))
        }
        try pipeline.give("first", session: "z")
        try pipeline.give("slow", session: "a")
        for number in 0..<5 { try pipeline.give("b\(number)", session: "b\(number)") }
        try await pipeline.settle()
        let committed = try #require(
            pipeline.log.committed(group: "intents.handler")[TopicPartition(pipeline.topics.handle, 0)])
        #expect(committed == CommittedOffset(offset: 1, metadata: "done=1-5"))
        pipeline.kill("handler")
        try pipeline.startWorker("handler", .handle)
        try pipeline.give("new", session: "c")
        gate.open()
        try await pipeline.settle()
        #expect(calls.all.count { $0 == "slow" } == 2)
        #expect(calls.all.count == 9)
        #expect(
            pipeline.log.committed(group: "intents.handler")[TopicPartition(pipeline.topics.handle, 0)]?.offset == 8)
    }

    @Test("stops a running handler when a cancel arrives, and drops waiting work")
    func cancel() async throws {
        let gate = Gate()
        let pipeline = try await pipeline(gates: [gate]) { _, _ in
            do { try await gate.pass() } catch {
                return .failed(IntentFailure(.failure("cancelled"), reason: .unexpected, message: ""))
            }
            return .responded(IntentResponse(.success))
        }
        try pipeline.give("r", session: "a")
        try await pipeline.settle()
        #expect(gate.count == 1)
        try pipeline.give("r", session: "a", isCancel: true)
        try await pipeline.settle()
        #expect(try outcomes(pipeline) == ["r cancelled"])
    }

    @Test("reports a success even if the handler was told to stop")
    func cancelTooLate() async throws {
        let gate = Gate()
        let pipeline = try await pipeline(gates: [gate]) { _, _ in
            try? await gate.pass()
            return .responded(IntentResponse(.success))
        }
        try pipeline.give("r", session: "a")
        try await pipeline.settle()
        try pipeline.give("r", session: "a", isCancel: true)
        try await pipeline.settle()
        #expect(try outcomes(pipeline) == ["r"])
    }

    @Test("does not call a handler after the deadline")
    func deadline() async throws {
        let calls = Recorder<String>()
        let pipeline = try await pipeline { invocation, _ in
            calls.record(invocation.context.request.text)
            return .responded(IntentResponse(.success))
        }
        try pipeline.give("late", session: "a", deadline: pipeline.clock.now.advanced(by: .seconds(-1)))
        try pipeline.give("early", session: "a", deadline: pipeline.clock.now.advanced(by: .seconds(1)))
        try await pipeline.settle()
        #expect(calls.all == ["early"])
        #expect(pipeline.workers["handler"]?.counters.expired == 1)
        #expect(
            pipeline.log.committed(group: "intents.handler")[TopicPartition(pipeline.topics.handle, 0)]?.offset == 2)
    }

    @Test("stops reading at its in-flight limit, and continues when there is room")
    func backPressure() async throws {
        let gate = Gate()
        let pipeline = try await TestPipeline(partitions: 1, gates: [gate]) { _, _ in
            try? await gate.pass()
            return .responded(IntentResponse(.success))
        }
        try pipeline.startWorker("handler", .handle, concurrency: 10)
        try await pipeline.settle()
        for number in 0..<10 { try pipeline.give("r\(number)", session: "s\(number)") }
        try await pipeline.settle()
        for number in 10..<100 { try pipeline.give("r\(number)", session: "s\(number)") }
        try await pipeline.settle()
        #expect(gate.count == 10)
        gate.open()
        try await pipeline.settle()
        #expect(try outcomes(pipeline).count == 100)
    }

    @Test("that leaves finishes what it has begun, and other workers do the rest")
    func leaving() async throws {
        let calls = Recorder<String>()
        let pipeline = try await TestPipeline(partitions: 4) { invocation, _ in
            calls.record(invocation.context.request.text)
            return .responded(IntentResponse(.success))
        }
        try pipeline.startWorker("one", .handle)
        try pipeline.startWorker("two", .handle)
        try await pipeline.settle()
        let one = try #require(pipeline.workers["one"]).ownedPartitions
        let two = try #require(pipeline.workers["two"]).ownedPartitions
        #expect(Set(one + two) == [0, 1, 2, 3] && one.count == 2)
        try pipeline.closeWorker("one")
        try await pipeline.settle()
        #expect(pipeline.workers["two"]?.ownedPartitions == [0, 1, 2, 3])
    }

    @Test("reports outcomes on the session's partition with the request's id and the time, as CloudEvents")
    func envelope() async throws {
        let pipeline = try await pipeline { _, _ in .responded(IntentResponse(.success)) }
        try pipeline.give("r", session: "a")
        try await pipeline.settle()
        let record = try #require(pipeline.log.records(in: pipeline.topics.outcomes).first)
        #expect(record.key == Array("a".utf8))
        let headers = record.headers.map { "\($0.name)=\($0.text ?? "")" }
        #expect(
            headers == [
                "ce_specversion=1.0", "ce_id=a/r.1.outcome", "ce_source=/intents/handler", "ce_type=intent.handled.v1",
                "ce_time=2026-01-01T12:00:00.000Z", "ce_subject=r", "content-type=application/json",
            ])
    }
}
