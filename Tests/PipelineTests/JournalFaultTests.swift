import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("Faults of the log and of clocks")
struct JournalFaultTests {
    static let plain: KeyValuePairs<String, String> = ["dropOff": "Airport", "confirm": "none"]

    private func pipeline(partitions: Int32 = 1) async throws -> TestPipeline {
        let pipeline = try await TestPipeline(partitions: partitions, perform: Booking.perform)
        try pipeline.startAll()
        try await pipeline.settle()
        return pipeline
    }

    @Test("a refused journal record with a later one behind it loses no request", arguments: [1, 2, 3])
    func refusedRecord(refused: Int) async throws {
        let pipeline = try await pipeline()
        pipeline.log.refuseRecords(refused, in: pipeline.topics.sessions, with: LogError(.timedOut, "no answer", disposition: .retry))
        for session in ["s", "t", "u", "v"] { try pipeline.send(Booking.request("r", Self.plain), session: session, id: "r") }
        try await pipeline.settleReplacingCrashed()
        for session in ["s", "t", "u", "v"] {
            #expect(try pipeline.results(session: session).map(\.line) == ["completed success success"], "\(session)")
        }
    }

    @Test("a request in another partition than that of its key is rejected, and told which partitioner to use")
    func misplaced() async throws {
        let pipeline = try await pipeline(partitions: 4)
        let home = Murmur2.partition(of: Array("s".utf8), count: 4)
        let value = Array(#"{"type":"intent.requested.v1","intent":"Book"}"#.utf8)
        try pipeline.log.append(
            Record(topic: pipeline.topics.requests, partition: (home + 1) % 4, key: Array("s".utf8), value: value))
        try await pipeline.settle()
        let result = try #require(try pipeline.results().first)
        #expect(result.type == .rejected && result.session == "s")
        #expect(result.data["message"]?.string?.contains("its key belongs to partition \(home) of 4: choose partitions by murmur2") == true)
        #expect(pipeline.coordinators["coordinator"]?.openSessions == 0)
        #expect(pipeline.coordinators["coordinator"]?.counters.misplaced == 1)
    }

    @Test("an unreadable journal record stops its partition and no other, and the process goes on")
    func unreadable() async throws {
        let pipeline = try await pipeline(partitions: 2)
        let sessions = (0..<2).map { partition in
            (0..<100).map { "s\($0)" }.first { Murmur2.partition(of: Array($0.utf8), count: 2) == Int32(partition) } ?? ""
        }
        for session in sessions { try pipeline.send(Booking.request("r"), session: session, id: "r") }
        try await pipeline.settle()
        let newest = try #require(pipeline.log.records(in: TopicPartition(pipeline.topics.sessions, 0)).last)
        var stamp = try JournalOutline(newest).stamp
        stamp.number += 1
        stamp.format = 99
        try pipeline.log.append(
            JournalOutline(stamp: stamp, subject: .session(sessions[0], isOpen: true)).record(
                topic: pipeline.topics.sessions, partition: 0, at: pipeline.clock.now))
        pipeline.kill("coordinator")
        let written = pipeline.log.records(in: TopicPartition(pipeline.topics.sessions, 0)).count
        try pipeline.startCoordinator("successor")
        #expect(try await pipeline.settle() == [])
        let successor = try #require(pipeline.coordinators["successor"])
        #expect(successor.counters.partitionsStopped == 1 && !successor.isSteady)
        for session in sessions {
            try pipeline.send(.answered(Answer(prompt: "r.2", action: .cancel)), session: session, id: "a")
        }
        try await pipeline.settle()
        #expect(try pipeline.results(session: sessions[1]).count == 2)
        #expect(try pipeline.results(session: sessions[0]).count == 1)
        // Nothing but the fence was written.
        #expect(pipeline.log.records(in: TopicPartition(pipeline.topics.sessions, 0)).count == written + 1)
    }

    @Test("a prompt expires in its time although the clock was an hour ahead for a while")
    func clockBack() async throws {
        let pipeline = try await pipeline()
        try pipeline.send(Booking.request("r"), session: "other", id: "r")
        try await pipeline.settle()
        try await pipeline.advance(by: .seconds(3_600))
        pipeline.clock.advance(by: .seconds(-3_600))
        try pipeline.send(Booking.request("r"), session: "s", id: "r")
        try await pipeline.settle()
        #expect(try pipeline.results(session: "s").map(\.line) == ["prompt value dropOff"])
        try await pipeline.advance(by: pipeline.policy.answerTimeout + .seconds(1))
        #expect(try pipeline.results(session: "s").count == 2)
    }
}
