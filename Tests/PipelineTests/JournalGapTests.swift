import Conversation
import IntentEvents
import Intents
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("The journal, where its order is not plain")
struct JournalGapTests {
    private func pipeline() async throws -> (TestPipeline, Coordinator) {
        let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
        try pipeline.startAll()
        try await pipeline.settle()
        return (pipeline, try #require(pipeline.coordinators["coordinator"]))
    }

    @Test("a record whose place was not told, and that is compacted before it is read, counts as written")
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
        #expect(try pipeline.results(session: "s").map(\.line) == ["completed success success", "completed success success"])
    }

    @Test("a successor looks for every result that a record names as unsaid, not only for the record's own")
    func olderResults() async throws {
        let (pipeline, coordinator) = try await pipeline()
        func cancel(_ session: String, _ id: String) throws { try pipeline.send(.cancelled(request: nil), session: session, id: id) }
        // The second is decided before the first result is acknowledged, and the third after that.
        try cancel("s", "first")
        try coordinator.step(timeout: .zero)
        try cancel("s", "second")
        try coordinator.step(timeout: .zero)
        try cancel("t", "third")
        try coordinator.step(timeout: .zero)
        try coordinator.step(timeout: .zero)
        pipeline.kill("coordinator", .afterSending)
        try pipeline.startCoordinator("successor")
        try await pipeline.settle()
        #expect(try pipeline.results(session: "s").map(\.sequence) == [1, 2])
        #expect(try pipeline.results(session: "t").map(\.sequence) == [1])
    }
}
