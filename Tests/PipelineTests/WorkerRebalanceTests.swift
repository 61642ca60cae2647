import Conversation
import IntentEvents
import IntentModel
import Logging
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("A rebalance and a running handler") struct WorkerRebalanceTests {
    private let handler: HandlerFixture

    init() async throws { handler = try await HandlerFixture() }

    @Test func `the handler continues, and is called once, if its partition returns to the same worker`() async throws {
        for (request, session) in [("first", "z"), ("heedless", "a"), ("after", "a"), ("other", "b")] {
            try handler.pipeline.give(Identifier(request), session: Identifier(session))
        }
        try await handler.pipeline.settle()
        try await handler.rebalance()
        #expect(handler.worker?.ownedPartitions == [0])
        #expect(handler.committed == CommittedOffset(offset: 1, metadata: "done=2"))
        try await handler.open()
        #expect(handler.calls.all.sorted() == ["after", "first", "heedless", "other"])
        #expect(try handler.outcomes().count == 4 && handler.committed == CommittedOffset(offset: 4))
    }

    @Test func `a handler that returns before its partition is back has done its record`() async throws {
        let handler = try await HandlerFixture(partitions: 2)
        let pipeline = handler.pipeline
        // A second member of the group, which answers late. Partition 0 stays with the worker, whose name comes first.
        let group = WorkerConfiguration(topics: pipeline.topics, phase: .handle).group
        let slow = try pipeline.log.connect(ClientConfiguration(clientID: "slow", group: group))
        try await pipeline.settle()
        _ = try slow.poll(maximum: 10, timeout: .zero)
        try slow.assign([:])
        try await handler.give((1...3).map { "heedless\($0)" })
        try await handler.rebalance()
        #expect(handler.worker?.ownedPartitions == [])
        try await handler.open()
        #expect(try handler.outcomes().count == 3)
        _ = try slow.poll(maximum: 10, timeout: .zero)
        try slow.release()
        try await pipeline.settle()
        #expect(handler.worker?.ownedPartitions == [0] && handler.calls.all.count == 3)
        #expect(try handler.outcomes().count == 3 && handler.committed == CommittedOffset(offset: 3))
    }

    @Test func `a cancel reaches the handler after its partition has come back`() async throws {
        try await handler.give("heedless")
        try await handler.rebalance()
        try await handler.give("heedless", isCancel: true)
        #expect(handler.gate.count == 0 && handler.calls.all == ["heedless"])
    }

    @Test(arguments: [(900, 1), (1_000, 2)])
    func `a handler has a second before another worker calls it again`(milliseconds: Int, calls: Int) async throws {
        let handler = try await HandlerFixture(partitions: 2)
        try await handler.give("heedless")
        // Kafka sorts members by name, and assigns partition 0 to the first.
        try await handler.pipeline.addHandler("another")
        try await handler.pipeline.advance(by: .milliseconds(milliseconds))
        try await handler.pipeline.settle()
        let another = try handler.pipeline.worker("another")
        #expect(another.ownedPartitions == (calls == 1 ? [] : [0]) && handler.calls.all.count == calls)
        try await handler.open()
        #expect(another.ownedPartitions == [0] && handler.calls.all.count == calls)
        #expect(handler.committed == CommittedOffset(offset: 1))
    }

    @Test func `a worker that is told to end does not hold the group longer`() async throws {
        let handler = try await HandlerFixture(isStarted: false)
        let (log, clock) = (handler.pipeline.log, handler.pipeline.clock)
        let configuration = WorkerConfiguration(topics: handler.pipeline.topics, phase: .handle)
        let worker = Worker(
            client: try log.connect(ClientConfiguration(clientID: "leaving", group: configuration.group)),
            configuration: configuration,
            perform: { [gate = handler.gate] _, _ in
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
        try handler.pipeline.give("r", session: "a")
        while worker.runningHandlers == 0 { try worker.step(timeout: .zero) }
        let before = log.generation(ofGroup: "intents.handler")
        try worker.close(timeout: .seconds(15))
        #expect(clock.now.duration(to: ManualClock().now) <= .seconds(-15))
        #expect(log.generation(ofGroup: "intents.handler") > before + 1)
        handler.gate.open()
    }

    @Test func `live updates continue if their partition comes back, and are released if it does not`() async throws {
        let handler = try await HandlerFixture(partitions: 2)
        try await handler.give(.update(WorkItem("heedless ongoing")))
        try await handler.rebalance()
        #expect(try handler.gate.count == 1 && handler.outcomes().count == 1)
        try await handler.pipeline.addHandler("another")
        #expect(try handler.gate.count == 0 && handler.calls.all.count == 1 && handler.outcomes().count == 2)
    }
}

@Suite("A deadline frees a worker's slot, whatever the handler does") struct HandlerLimitTests {
    private let handler: HandlerFixture

    init() async throws { handler = try await HandlerFixture() }

    private func item(_ request: Identifier, _ handler: HandlerFixture, timeout: Duration = .seconds(60)) -> WorkItem {
        WorkItem(request, deadline: handler.pipeline.clock.now.advanced(by: timeout))
    }

    @Test func `a handler is cancelled 5 s after the deadline, and its failure then is not reported`() async throws {
        try await handler.give("slow", deadline: .seconds(60))
        try await handler.advance(64)
        #expect(handler.gate.count == 1)
        try await handler.advance(1)
        #expect(try handler.gate.count == 0 && handler.committed?.offset == 1 && handler.outcomes() == [])
        #expect(handler.counters.overdue == 1 && handler.counters.abandoned == 0)
    }

    @Test func `a handler that ignores the cancel is abandoned after 5 more s, but can report success`() async throws {
        let handler = try await HandlerFixture(concurrency: 2)
        for number in 1...2 { try handler.pipeline.give(.item(item("stuck\(number)", handler)), session: "s\(number)") }
        try await handler.pipeline.settle()
        for number in 1...2 {
            let next = item("next\(number)", handler, timeout: .seconds(600))
            try handler.pipeline.give(.item(next), session: "s\(number)")
        }
        try await handler.advance(65)
        #expect(handler.calls.all.sorted() == ["stuck1", "stuck2"], "the sessions have no order among them")
        try await handler.advance(5)
        // Slot, lane and offset are free.
        #expect(Set(handler.calls.all.suffix(2)) == ["next1", "next2"])
        #expect(handler.counters.abandoned == 2 && handler.committed?.offset == 4)
        try await handler.open()
        #expect(Set(try handler.outcomes().suffix(2)) == ["stuck1", "stuck2"] && handler.worker?.runningHandlers == 0)
    }

    @Test func `progress extends the time by the work's limit or 15 min, up to the request's deadline`() async throws {
        try handler.pipeline.give(.item(item("slow progress of an old coordinator", handler)), session: "c")
        var long = item("slow progress", handler)
        long.inProgressTimeout = .seconds(600)
        try handler.pipeline.give(.item(long), session: "a")
        long.address.request = "slow progress with a deadline"
        long.requestDeadline = handler.pipeline.clock.now.advanced(by: .seconds(300))
        try await handler.give(.item(long), "b")
        for (seconds, running) in [(304, 3), (1, 2), (299, 2), (1, 1), (299, 1), (1, 0)] {
            try await handler.advance(seconds)
            #expect(handler.gate.count == running)
        }
    }

    @Test func `a handler that ignores a cancel is abandoned 5 s after its time to clean up`() async throws {
        try await handler.give("stuck", deadline: .seconds(60))
        for _ in 1...2 { try await handler.give("stuck", isCancel: true, deadline: .seconds(10)) }
        try await handler.advance(14)
        #expect(handler.counters.abandoned == 0)
        try await handler.advance(1)
        #expect(handler.counters.abandoned == 1 && handler.counters.overdue == 0 && handler.committed?.offset == 3)
    }

    @Test func `abandoned handlers beyond the bound take slots, and the worker ends without free slots`() async throws {
        let handler = try await HandlerFixture(concurrency: 2) { $0.maximumAbandoned = 1 }
        func stick(_ number: Int) async throws -> [String] {
            try handler.pipeline.give(.item(item("stuck\(number)", handler)), session: "s\(number)")
            var died = try await handler.pipeline.settle()
            for _ in 1...2 {
                handler.pipeline.clock.advance(by: .seconds(65))
                died += try await handler.pipeline.settle()
            }
            return died
        }
        #expect(try await stick(1) == [])
        #expect(try await stick(2) == [] && handler.counters.abandoned == 2)
        #expect(try await stick(3) == ["handler"])
        handler.gate.open()
    }

    @Test func `a handler of live updates that ignores its cancel holds nothing up, and is counted`() async throws {
        try await handler.give(.update(WorkItem("stuck")))
        try await handler.give("stuck", isCancel: true)
        #expect(handler.worker?.runningHandlers == 1)
        try await handler.advance(5)
        #expect(handler.counters.abandoned == 1)
        try await handler.open()
        #expect(try handler.worker?.runningHandlers == 0 && handler.outcomes() == [])
    }
}
