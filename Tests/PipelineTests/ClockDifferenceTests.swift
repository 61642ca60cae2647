import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("Clocks that differ by a constant")
struct ClockDifferenceTests {
    private let calls = Recorder<String>()
    private let deadlines = Recorder<Int64?>()

    private func pipeline(_ differences: [String: Duration]) async throws -> TestPipeline {
        let pipeline = try await TestPipeline(partitions: 1) { [calls, deadlines] invocation, report in
            calls.record("\(invocation.phase) \(invocation.context.request)")
            deadlines.record(invocation.context.deadline)
            return await Booking.perform(invocation, report)
        }
        pipeline.clockDifferences = differences
        return pipeline
    }

    @Test(
        "a request completes in time, with a coordinator that is ahead or a worker that is behind, by an hour",
        arguments: [("coordinator", 3_600), ("resolve", -3_600), ("confirm", -3_600), ("handle", -3_600)])
    func completes(process: String, seconds: Int) async throws {
        let pipeline = try await pipeline([process: .seconds(seconds)])
        try pipeline.startAll()
        try await pipeline.settle()
        try pipeline.send(Booking.request("r", ["dropOff": "Airport", "confirm": "none"]), session: "s", id: "r")
        try await pipeline.settle()
        #expect(try pipeline.results().map(\.line) == ["completed success success"])
        #expect(pipeline.workers.values.allSatisfy { $0.counters.expired == 0 })
    }

    @Test(
        "a request whose worker is an hour ahead fails by name, soon, and is not called",
        arguments: [Phase.resolve, .confirm, .handle])
    func givenBack(phase: Phase) async throws {
        let pipeline = try await pipeline([phase.rawValue: .seconds(3_600)])
        try pipeline.startAll()
        try await pipeline.settle()
        try pipeline.send(Booking.request("r", ["dropOff": "Airport", "confirm": "none"]), session: "s", id: "r")
        for _ in 1...10 { try await pipeline.advance(by: .seconds(1)) }
        #expect(try pipeline.results().last?.line.hasPrefix("completed failure") == true)
        #expect(!calls.all.contains("\(phase) r"))
        #expect(pipeline.workers[phase.rawValue]?.counters.expired == SessionPolicy().maximumAttempts)
    }

    @Test("a handler is told its deadline by its own machine's clock")
    func ownClock() async throws {
        let pipeline = try await pipeline(["coordinator": .seconds(3_600)])
        try pipeline.startAll()
        try await pipeline.settle()
        try pipeline.send(Booking.request("r", ["dropOff": "Airport", "confirm": "none"]), session: "s", id: "r")
        try await pipeline.settle()
        #expect(deadlines.all == Array(repeating: pipeline.clock.now.advanced(by: .seconds(60)).milliseconds, count: 3))
    }

    @Test("the time that work waited in its topic counts")
    func waited() async throws {
        let pipeline = try await pipeline([:])
        try pipeline.give("r", session: "s", deadline: pipeline.clock.now.advanced(by: .seconds(10)))
        let due = pipeline.clock.now.advanced(by: .seconds(10))
        pipeline.clock.advance(by: .seconds(9))
        try pipeline.startWorker("handler", .handle)
        try await pipeline.settle()
        #expect(deadlines.all == [due.milliseconds])
    }

    @Test(
        "a handler is not called for work that lay in the topic until the person was told that the request has timed out"
    )
    func notAfterTheEnd() async throws {
        let pipeline = try await pipeline([:])
        try pipeline.startCoordinator("coordinator")
        for phase in [Phase.resolve, .confirm] { try pipeline.startWorker(phase.rawValue, phase) }
        try await pipeline.settle()
        try pipeline.send(Booking.request("r", ["dropOff": "Airport", "confirm": "none"]), session: "s", id: "r")
        try await pipeline.settle()
        for _ in 1...7 { try await pipeline.advance(by: .seconds(10)) }
        #expect(try pipeline.results().last?.line.hasPrefix("completed timedOut") == true)
        // The topic has the work alone, without the coordinator's cancel.
        let work = try #require(pipeline.log.records(in: pipeline.topics.handle).first)
        pipeline.log.truncate(work.topicPartition, before: .max)
        try pipeline.sendCopy(of: work)
        try pipeline.startWorker("handle", .handle)
        for _ in 1...7 { try await pipeline.advance(by: .seconds(10)) }
        #expect(calls.all == ["resolve r", "confirm r"])
        #expect(pipeline.workers["handle"]?.counters.expired == 1)
        #expect(pipeline.workers["handle"]?.inFlight == 0)
    }

    @Test("work of 0.1.0, which has only a deadline, may take the time from its timestamp to that")
    func withoutTimeLimit() async throws {
        let pipeline = try await pipeline(["handler": .seconds(-3_600)])
        try pipeline.startWorker("handler", .handle)
        try await pipeline.settle()
        let value = """
            {"request":"old","step":1,"intent":"Book","attempt":1,"parameters":{},"deadline":"\(pipeline.clock.now.advanced(by: .seconds(60)))"}
            """
        try pipeline.send(
            Record(
                topic: pipeline.topics.handle, partition: 0, key: Array("s".utf8), value: Array(value.utf8),
                headers: [
                    RecordHeader("ce_type", "intent.handle.v1"), RecordHeader("ce_id", "1"),
                    RecordHeader("ce_source", "/test"),
                ],
                timestamp: pipeline.clock.now.milliseconds))
        try await pipeline.settle()
        #expect(calls.all == ["handle old"])
        #expect(deadlines.all == [pipeline.clock.now.advanced(by: .seconds(60 - 3_600)).milliseconds])
    }

    @Test("late work is reported with its number, and at most once in ten seconds")
    func report() {
        var late = LateWork()
        let now = Instant(milliseconds: 1_000_000)
        #expect(late.report(at: now) == nil)
        late.note()
        late.note()
        #expect(late.report(at: now) == 2)
        late.note()
        #expect(late.report(at: now.advanced(by: .milliseconds(9_999))) == nil)
        #expect(late.report(at: now.advanced(by: .seconds(10))) == 1)
        #expect(late.report(at: now.advanced(by: .seconds(60))) == nil)
    }
}
