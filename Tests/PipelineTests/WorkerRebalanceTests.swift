import Conversation
import IntentEvents
import IntentModel
import Logging
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("A rebalance and a running handler")
struct WorkerRebalanceTests {
    private let gate = Gate()
    private let calls = Recorder<String>()

    private func pipeline(partitions: Int32 = 1) async throws -> TestPipeline {
        let pipeline = try await TestPipeline(partitions: partitions, gates: [gate]) {
            [gate, calls] invocation, report in
            calls.record(invocation.context.request.text)
            if invocation.isUpdating {
                var progress = IntentProgress()
                progress.update = IntentUpdate(phase: "ongoing")
                report(progress)
            }
            if invocation.context.request.hasPrefix("slow") { try? await gate.pass() }
            return .responded(IntentResponse(.success))
        }
        try pipeline.startWorker("handler", .handle)
        try await pipeline.settle()
        return pipeline
    }

    /// Plays a rebalance that assigns each worker its previous partitions. The clock advances by the drain timeout.
    private func rebalance(_ pipeline: TestPipeline) async throws {
        pipeline.log.rebalance(group: "intents.handler")
        try await pipeline.settle()
        try await pipeline.advance(by: .seconds(1))
        try await pipeline.settle()
    }

    @Test("its partition comes back to the same worker: the handler goes on and is not called a second time")
    func comesBack() async throws {
        let pipeline = try await pipeline()
        try pipeline.give("first", session: "z")
        try pipeline.give("slow", session: "a")
        try pipeline.give("after", session: "a")
        try pipeline.give("other", session: "b")
        try await pipeline.settle()
        try await rebalance(pipeline)
        #expect(pipeline.workers["handler"]?.ownedPartitions == [0])
        #expect(pipeline.committed == CommittedOffset(offset: 1, metadata: "done=2"))
        gate.open()
        try await pipeline.settle()
        #expect(calls.all.sorted() == ["after", "first", "other", "slow"])
        #expect(try pipeline.outcomes().count == 4)
        #expect(pipeline.committed == CommittedOffset(offset: 4))
    }

    @Test("it returns before its partition is back: the record counts as done")
    func returnsBetween() async throws {
        let pipeline = try await pipeline(partitions: 2)
        // A second member of the group, which answers late. Partition 0 stays with the worker, whose name comes first.
        let slow = try pipeline.log.connect(
            ClientConfiguration(
                clientID: "slow", group: WorkerConfiguration(topics: pipeline.topics, phase: .handle).group))
        try await pipeline.settle()
        _ = try slow.poll(maximum: 10, timeout: .zero)
        try slow.assign([:])
        for number in 1...3 { try pipeline.give("slow\(number)", session: "a\(number)") }
        try await pipeline.settle()
        try await rebalance(pipeline)
        #expect(pipeline.workers["handler"]?.ownedPartitions == [])
        gate.open()
        try await pipeline.settle()
        #expect(try pipeline.outcomes().count == 3)
        _ = try slow.poll(maximum: 10, timeout: .zero)
        try slow.release()
        try await pipeline.settle()
        #expect(pipeline.workers["handler"]?.ownedPartitions == [0])
        #expect(calls.all.count == 3)
        #expect(try pipeline.outcomes().count == 3)
        #expect(pipeline.committed == CommittedOffset(offset: 3))
    }

    @Test("a cancel reaches it after its partition has come back")
    func cancelled() async throws {
        let pipeline = try await pipeline()
        try pipeline.give("slow", session: "a")
        try await pipeline.settle()
        try await rebalance(pipeline)
        try pipeline.give("slow", session: "a", isCancel: true)
        try await pipeline.settle()
        #expect(gate.count == 0)
        #expect(calls.all == ["slow"])
    }

    @Test("its partition goes to another worker, which calls it again")
    func goesElsewhere() async throws {
        let pipeline = try await pipeline(partitions: 2)
        try pipeline.give("slow", session: "a")
        try await pipeline.settle()
        // Kafka sorts members by name, and assigns partition 0 to the first.
        try pipeline.startWorker("another", .handle)
        try await pipeline.settle()
        try await pipeline.advance(by: .seconds(1))
        try await pipeline.settle()
        #expect(pipeline.workers["another"]?.ownedPartitions == [0])
        #expect(calls.all == ["slow", "slow"])
        gate.open()
        try await pipeline.settle()
        #expect(pipeline.committed == CommittedOffset(offset: 1))
    }

    @Test("holds up the group for one second, and what it finishes in that second is not repeated")
    func shortDrain() async throws {
        let pipeline = try await pipeline(partitions: 2)
        try pipeline.give("slow", session: "a")
        try await pipeline.settle()
        try pipeline.startWorker("another", .handle)
        try await pipeline.settle()
        try await pipeline.advance(by: .milliseconds(900))
        #expect(pipeline.workers["another"]?.ownedPartitions == [])
        gate.open()
        try await pipeline.settle()
        #expect(pipeline.workers["another"]?.ownedPartitions == [0])
        #expect(calls.all == ["slow"])
    }

    @Test("does not hold up the group longer when its process is told to end")
    func closing() async throws {
        let pipeline = try await pipeline()
        let (log, clock) = (pipeline.log, pipeline.clock)
        pipeline.kill("handler")
        let configuration = WorkerConfiguration(topics: pipeline.topics, phase: .handle)
        let worker = Worker(
            client: try log.connect(ClientConfiguration(clientID: "leaving", group: configuration.group)),
            configuration: configuration,
            perform: { [gate] _, _ in
                await Task { try? await gate.pass() }.value
                return .responded(IntentResponse(.success))
            },
            clock: {
                // Each reading advances the clock, and the group rebalances in the fifth second.
                let before = clock.now
                clock.advance(by: .milliseconds(10))
                let fifth = ManualClock().now.advanced(by: .seconds(5))
                if before < fifth, clock.now >= fifth { log.rebalance(group: "intents.handler") }
                return clock.now
            }, logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        try pipeline.give("r", session: "a")
        while worker.runningHandlers == 0 { try worker.step(timeout: .zero) }
        let before = log.generation(ofGroup: "intents.handler")
        try worker.close(timeout: .seconds(15))
        #expect(clock.now.duration(to: ManualClock().now) <= .seconds(-15))
        #expect(log.generation(ofGroup: "intents.handler") > before + 1)
        gate.open()
    }

    @Test("live updates go on if their partition comes back, and are released if it does not")
    func updates() async throws {
        let pipeline = try await pipeline(partitions: 2)
        try pipeline.give(
            .update(WorkItem(WorkAddress(request: "slow", step: 1, intent: "Book", phase: .handle))), session: "a")
        try await pipeline.settle()
        try await rebalance(pipeline)
        #expect(gate.count == 1)
        #expect(try pipeline.outcomes().count == 1)
        try pipeline.startWorker("another", .handle)
        try await pipeline.settle()
        #expect(gate.count == 0)
        #expect(try pipeline.outcomes().count == 2)
        #expect(calls.all == ["slow"])
    }
}
