import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("Coordinators of different versions own a partition one after the other")
struct MixedVersionTests {
    private func pipeline(partitions: Int32) async throws -> TestPipeline {
        let pipeline = try await TestPipeline(partitions: partitions, perform: Booking.perform)
        pipeline.interposer = { name, client in
            name.hasPrefix("old") ? OldVersion(client) : name.hasPrefix("future") ? FutureVersion(client) : client
        }
        for phase in Phase.allCases { try pipeline.startWorker(phase.rawValue, phase) }
        return pipeline
    }

    @Test(
        "0.1.0 and this version take a partition from each other in the middle of a conversation, and lose nothing",
        arguments: 0...4)
    func oldAndNew(steps: Int) async throws {
        let pipeline = try await pipeline(partitions: 1)
        var takeovers = 0
        var owner = "old-0"
        try pipeline.startCoordinator(owner)
        try await pipeline.settle()
        /// Kills the owner after some more steps, and starts a coordinator of the other version.
        func swap() async throws {
            for _ in 0..<steps { _ = try pipeline.coordinators[owner]?.step(timeout: .zero) }
            pipeline.kill(owner)
            takeovers += 1
            owner = takeovers.isMultiple(of: 2) ? "old-\(takeovers)" : "new-\(takeovers)"
            try pipeline.startCoordinator(owner)
            try await pipeline.settle()
        }
        try pipeline.send(Booking.request("r", ["confirm": "asks", "handle": "asks"]), session: "s", id: "r")
        try pipeline.send(Booking.request("r", ["dropOff": "Airport", "confirm": "none"]), session: "t", id: "r")
        try await pipeline.play(
            ["dropOff": "Station", "dropOff": "s", "-": "n", "tip": "10 %"], session: "s", settling: swap)
        #expect(takeovers > 4)
        let results = try pipeline.results(session: "s")
        #expect(results.map(\.line) == RecoveryTests.script)
        #expect(results.map(\.sequence) == Array(1...RecoveryTests.script.count))
        #expect(try pipeline.results(session: "t").map(\.line) == ["completed success success"])
        let stamps = try pipeline.log.records(in: TopicPartition(pipeline.topics.sessions, 0)).map {
            ($0.headers.first?.text ?? "", try JournalOutline($0).stamp)
        }
        // Both versions have written, and every epoch has one owner.
        #expect(stamps.contains { $0.0.contains(" format=1") } && stamps.contains { !$0.0.contains(" format=") })
        for (text, stamp) in stamps { #expect(stamp.owner.hasPrefix("old") == !text.contains(" format="), "\(text)") }
    }

    @Test("a session of a future version stops its partition only, until that version is back")
    func future() async throws {
        let pipeline = try await pipeline(partitions: 2)
        let sessions = (0..<2).map { partition in
            (0..<100).map { Identifier("s\($0)") }.first {
                Murmur2.partition(of: Array($0.utf8), count: 2) == Int32(partition)
            } ?? ""
        }
        let journal = TopicPartition(pipeline.topics.sessions, 0)
        try pipeline.startCoordinator("new")
        try pipeline.send(Booking.request("r"), session: sessions[1], id: "r")
        try await pipeline.settle()
        pipeline.kill("new")
        try pipeline.startCoordinator("future")
        try pipeline.send(Booking.request("r"), session: sessions[0], id: "r")
        try await pipeline.settle()
        pipeline.kill("future")

        let written = pipeline.log.records(in: journal)
        try pipeline.startCoordinator("new-again")
        try await pipeline.settle()
        #expect(pipeline.coordinators["new-again"]?.counters.partitionsStopped == 1)
        for session in sessions {
            try pipeline.send(
                .answered(Answer(prompt: try pipeline.prompt(session), action: .accept, value: .string("Airport"))),
                session: session,
                id: "a")
        }
        try await pipeline.settle()
        #expect(try pipeline.results(session: sessions[0]).map(\.sequence) == [1])
        #expect(
            try pipeline.results(session: sessions[1]).map(\.line) == [
                "prompt value dropOff", "prompt confirmIntent -",
            ])
        // The coordinator wrote only its fence.
        let after = pipeline.log.records(in: journal)
        #expect(after.prefix(written.count).elementsEqual(written) && after.count == written.count + 1)

        pipeline.kill("new-again")
        try pipeline.startCoordinator("future-again")
        try await pipeline.settle()
        #expect(
            try pipeline.results(session: sessions[0]).map(\.line) == [
                "prompt value dropOff", "prompt confirmIntent -",
            ])
        for session in sessions {
            #expect(try pipeline.results(session: session).map(\.sequence) == [1, 2], "\(session)")
        }
    }
}
