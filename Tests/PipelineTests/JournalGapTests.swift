import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("The journal, when its order is not obvious")
struct JournalGapTests {
    private func pipeline() async throws -> (TestPipeline, Coordinator) {
        let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
        try pipeline.startAll()
        try await pipeline.settle()
        return (pipeline, try #require(pipeline.coordinators["coordinator"]))
    }

    @Test("a record with a lost acknowledgement that is compacted before it is read counts as written")
    func compactedBeforeRead() async throws {
        let (pipeline, coordinator) = try await pipeline()
        pipeline.log.loseAcknowledgements(2, in: pipeline.topics.sessions)
        try pipeline.send(Booking.request("r", ["dropOff": "Airport", "confirm": "none"]), session: "s", id: "r")
        try pipeline.send(Booking.request("q", ["dropOff": "Airport", "confirm": "none"]), session: "s", id: "q")
        try coordinator.step(timeout: .zero)
        try coordinator.step(timeout: .zero)
        let before = pipeline.log.records(in: pipeline.topics.sessions).count
        pipeline.log.compact(pipeline.topics.sessions)
        #expect(pipeline.log.records(in: pipeline.topics.sessions).count < before)
        try await pipeline.settle()
        #expect(
            try pipeline.results(session: "s").map(\.line) == [
                "completed success success", "completed success success",
            ])
    }

    @Test("compaction keeps a record longer than its owner needs to notice that a paused coordinator overwrote it")
    func overwritten() async throws {
        let configuration = try #require(
            Topics().specifications(partitions: 1).first { $0.name == "intents.sessions" }?.configuration)
        let lag = try #require(configuration["min.compaction.lag.ms"].flatMap { Int($0) })
        #expect(.milliseconds(lag) > CoordinatorConfiguration(owner: "c").housekeepingInterval * 10)
        let (pipeline, coordinator) = try await pipeline()
        // The first request waits for an answer. The coordinator pauses after its next decision, whose record is
        // written after a successor owns the partition.
        try pipeline.send(Booking.request("r", ["confirm": "none"]), session: "s", id: "r")
        try await pipeline.settle()
        try pipeline.send(Booking.request("q", ["confirm": "none"]), session: "s", id: "q")
        try coordinator.step(timeout: .zero)
        let paused = try #require(pipeline.log.client(named: "coordinator"))
        pipeline.pause("coordinator")
        paused.evict()
        try pipeline.startCoordinator("successor")
        try await pipeline.settle()
        let written = pipeline.log.records(in: pipeline.topics.sessions).count
        paused.writeQueue()
        let stale = pipeline.log.records(in: pipeline.topics.sessions)
        #expect(stale.count == written + 1 && stale.last?.key == Bytes("s".utf8))
        // Compaction covers everything older than the stale record, so the next owner still finds the overwritten
        // record.
        pipeline.log.compact(TopicPartition(pipeline.topics.sessions, 0), before: stale.last?.offset ?? 0)
        pipeline.kill("successor")
        try pipeline.startCoordinator("third")
        try await pipeline.settle()
        let owner = try #require(pipeline.coordinators["third"])
        #expect(owner.openSessions == 1)
        #expect(pipeline.log.records(in: pipeline.topics.sessions).last { $0.key == Bytes("s".utf8) }?.value != nil)
    }

    @Test("a successor looks for every result that a record names as unacknowledged, not only for the record's own")
    func olderResults() async throws {
        let (pipeline, coordinator) = try await pipeline()
        func ask(_ session: Identifier, _ id: Identifier) throws {
            try pipeline.send(Booking.tooLate(id), session: session, id: id)
        }
        // The second request is decided before the first result is acknowledged, and the third request afterwards.
        try ask("s", "first")
        try coordinator.step(timeout: .zero)
        try ask("s", "second")
        try coordinator.step(timeout: .zero)
        try ask("t", "third")
        try coordinator.step(timeout: .zero)
        try coordinator.step(timeout: .zero)
        pipeline.kill("coordinator", .afterSending)
        try pipeline.startCoordinator("successor")
        try await pipeline.settle()
        #expect(try pipeline.results(session: "s").map(\.sequence) == [1, 2])
        #expect(try pipeline.results(session: "t").map(\.sequence) == [1])
    }
}
