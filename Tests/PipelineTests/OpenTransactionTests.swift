import Conversation
import IntentEvents
import IntentModel
import PipelineTestKit
import RecordLog
import Testing

@testable import Pipeline

@Suite("An open transaction of another producer")
struct OpenTransactionTests {
    private func pipeline() async throws -> (TestPipeline, Coordinator) {
        let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
        try pipeline.startAll()
        try await pipeline.settle()
        return (pipeline, try #require(pipeline.coordinators["coordinator"]))
    }

    private func request(_ pipeline: TestPipeline, _ session: Identifier) async throws {
        try pipeline.send(Booking.request("r", JournalFaultTests.plain), session: session, id: session)
        try await pipeline.settle()
    }

    /// Advances the clock by 6 s and lets every process act, because housekeeping runs every 5 s.
    private func wait(_ pipeline: TestPipeline, times: Int) async throws {
        for _ in 0..<times {
            pipeline.clock.advance(by: .seconds(6))
            try await pipeline.settle()
        }
    }

    @Test(
        "an input whose last stable offset stands still is told, with the time since when, until the transaction ends")
    func stands() async throws {
        let (pipeline, coordinator) = try await pipeline()
        try await request(pipeline, "before")
        let place = TopicPartition(pipeline.topics.requests, 0)
        pipeline.log.beginTransaction(in: place)
        try await request(pipeline, "withheld")
        #expect(try pipeline.results(session: "withheld").isEmpty)
        #expect(coordinator.withheldSince.isEmpty)
        try await wait(pipeline, times: 3)
        let since = try #require(coordinator.withheldSince[place])
        try await wait(pipeline, times: 3)
        #expect(coordinator.withheldSince == [place: since])

        pipeline.log.endTransaction(in: place)
        try await wait(pipeline, times: 1)
        #expect(try !pipeline.results(session: "withheld").isEmpty)
        try await wait(pipeline, times: 2)
        #expect(coordinator.withheldSince.isEmpty)
        #expect(coordinator.counters.partitionsStopped == 0 && coordinator.counters.inputLost == 0)
    }

    @Test("the markers of transactions that have ended are no open transaction")
    func markers() async throws {
        let (pipeline, coordinator) = try await pipeline()
        let place = TopicPartition(pipeline.topics.requests, 0)
        for session in ["a", "b"] {
            pipeline.log.beginTransaction(in: place)
            pipeline.log.endTransaction(in: place)
            try await wait(pipeline, times: 4)
            #expect(coordinator.withheldSince.isEmpty)
            try await request(pipeline, Identifier(session))
            #expect(try !pipeline.results(session: Identifier(session)).isEmpty)
        }
    }

    @Test("a transaction that is open when a successor takes over is told by the successor")
    func takeover() async throws {
        let (pipeline, _) = try await pipeline()
        try await request(pipeline, "before")
        let place = TopicPartition(pipeline.topics.requests, 0)
        pipeline.log.beginTransaction(in: place)
        try await request(pipeline, "withheld")
        pipeline.kill("coordinator")
        pipeline.log.client(named: "coordinator")?.evict()
        try pipeline.startCoordinator("successor")
        try await wait(pipeline, times: 4)
        let successor = try #require(pipeline.coordinators["successor"])
        #expect(successor.withheldSince[place] != nil && successor.counters.partitionsStopped == 0)
    }

    @Test("it is reported once, after its last stable offset has stood still for 15 s")
    func reported() {
        var stall = InputStall()
        func needsLook(end: Int64) -> Bool { stall.needsLook(next: 3, end: end) }
        func isReported(stable: Int64, end: Int64, after seconds: Int) -> Bool {
            stall.found(stable: stable, end: end, at: Instant(milliseconds: 1_000_000).advanced(by: .seconds(seconds)))
        }
        #expect(!needsLook(end: 8), "the position may have moved since")
        for (seconds, isDue) in [(0, false), (5, false), (10, false), (15, true), (20, false)] {
            #expect(needsLook(end: 8))
            #expect(isReported(stable: 3, end: 8, after: seconds) == isDue, "after \(seconds) s")
        }
        // A transaction that begins where another one ends has its own start time.
        #expect(!isReported(stable: 6, end: 9, after: 25))
        #expect(stall.open?.since == Instant(milliseconds: 1_025_000))
        #expect(!isReported(stable: 9, end: 9, after: 30) && stall.open == nil)
        #expect(!needsLook(end: 9), "only markers are missing")
        #expect(needsLook(end: 10))
    }
}
