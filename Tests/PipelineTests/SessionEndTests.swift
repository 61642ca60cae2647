import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("A session that is ended from outside")
struct SessionEndTests {
    private func isOpen(_ pipeline: TestPipeline) -> Bool {
        pipeline.coordinators.values.contains { $0.openSessions > 0 }
    }

    @Test("is completed, then leaves nothing but the ids of its requests; its id can open a new session")
    func ends() async throws {
        let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
        try pipeline.startAll()
        try await pipeline.settle()
        try pipeline.send(Booking.request("r", ["dropOff": "Station"]), session: "s", id: "r")
        try pipeline.send(Booking.request("q", ["dropOff": "Airport"]), session: "s", id: "q")
        try await pipeline.settle()
        try pipeline.send(.ended(reason: "spam"), session: "s", id: "e")
        try await pipeline.settle()
        try await pipeline.advance(by: .seconds(1))
        let results = try pipeline.results(session: "s")
        #expect(results.map(\.line).suffix(2) == ["completed cancelled cancelled", "completed cancelled cancelled"])
        #expect(results.map(\.sequence) == Array(1...results.count))
        #expect(results.last?.data["error"]?["message"]?.string == "an operator ended the session: spam")
        #expect(!isOpen(pipeline))
        let newest = try #require(pipeline.log.records(in: pipeline.topics.sessions).last { $0.key == Array("s".utf8) })
        guard case .session(_, let journaled?) = try JournalRecord(newest).content else {
            Issue.record("it has no record")
            return
        }
        #expect(journaled.remains?.requests == ["r", "q"] && journaled.session.sequence == 0)

        try pipeline.send(.ended(reason: nil), session: "s", id: "e2")
        try await pipeline.settle()
        #expect(pipeline.coordinators["coordinator"]?.counters.ignored[.nothingToEnd] == 1)
        try pipeline.send(Booking.request("r2", ["dropOff": "Airport", "confirm": "none"]), session: "s", id: "r2")
        try await pipeline.settle()
        #expect(try pipeline.results(session: "s").last?.sequence == 1)
    }

    @Test(
        "is completed once and forgotten, wherever the coordinator crashes",
        arguments: [CrashPoint.beforeSending, .afterSending])
    func survives(_ point: CrashPoint) async throws {
        for call in 1...70 {
            let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
            pipeline.log.planCrash(of: "coordinator", atCall: call, point)
            try pipeline.startAll()
            try await pipeline.settleReplacingCrashed()
            try pipeline.send(Booking.request("r", ["dropOff": "Station"]), session: "s", id: "r")
            try await pipeline.settleReplacingCrashed()
            try pipeline.send(.ended(reason: nil), session: "s", id: "e")
            try await pipeline.settleReplacingCrashed()
            for _ in 0..<3 {
                pipeline.clock.advance(by: .seconds(1))
                try await pipeline.settleReplacingCrashed()
            }
            let lines = try pipeline.results(session: "s").map(\.line)
            #expect(lines == ["prompt choice dropOff", "completed cancelled cancelled"], "died at call \(call)")
            #expect(!isOpen(pipeline), "died at call \(call)")
        }
    }

    @Test("a dead letter is processed once, however often it is replayed")
    func replayed() async throws {
        let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
        try pipeline.startAll()
        try await pipeline.settle()
        let original = ConsumedRecord(
            topic: pipeline.topics.requests, partition: 0, offset: 5, timestamp: 0, key: Array("s".utf8),
            value: Array(#"{"intent":"Book","parameters":{"dropOff":"Airport","confirm":"none"}}"#.utf8), headers: [])
        let rejection = Rejection(.deprecated, "a coordinator of an older version")
        try pipeline.send(DeadLetter.record(original, rejection, stage: "coordinator", topics: pipeline.topics))
        let letter = try #require(
            pipeline.log.records(in: pipeline.topics.deadLetters).first.flatMap(ReadDeadLetter.init))
        for _ in 0..<2 {
            try pipeline.send(letter.replay(topics: pipeline.topics))
            try await pipeline.settle()
        }
        #expect(try pipeline.results().map(\.line) == ["completed success success"])
        #expect(pipeline.coordinators["coordinator"]?.counters.ignored[.duplicateRequest] == 1)
    }
}
