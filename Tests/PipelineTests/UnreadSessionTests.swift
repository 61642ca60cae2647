import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("Sessions that were taken over")
struct UnreadSessionTests {
    private static let plain: KeyValuePairs<String, String> = ["dropOff": "Airport", "confirm": "none"]

    /// A pipeline with sessions that wait for an answer, and one whose request is done, so that everything is settled.
    /// The coordinator is then replaced by a successor that reads at most `count` sessions without an event in each
    /// step.
    private func successor(
        reading count: Int, sessions: [Identifier] = ["s", "t", "u"], before: (TestPipeline) throws -> Void = { _ in }
    ) async throws -> TestPipeline {
        let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
        pipeline.configureCoordinator = { $0.sessionsReadPerStep = count }
        try pipeline.startAll()
        for session in sessions { try pipeline.send(Booking.request("r"), session: session, id: "r") }
        try await pipeline.settle()
        try await ask(pipeline, "last", "r")
        try await ask(pipeline, "last", "q")
        pipeline.kill("coordinator")
        try before(pipeline)
        try pipeline.startCoordinator("successor")
        try await run(pipeline)
        return pipeline
    }

    private func ask(_ pipeline: TestPipeline, _ session: Identifier, _ id: Identifier) async throws {
        try pipeline.send(Booking.request(id, Self.plain), session: session, id: id)
        try await run(pipeline)
    }

    /// Runs enough steps to finish everything. A coordinator with unread sessions that it must not read is never idle.
    private func run(_ pipeline: TestPipeline) async throws {
        for _ in 0..<3 { try await pipeline.settle() }
    }

    private func coordinator(_ pipeline: TestPipeline) throws -> Coordinator {
        try #require(pipeline.coordinators["successor"])
    }

    /// Damages the value of a session's newest record.
    private func spoil(_ session: Identifier, _ pipeline: TestPipeline) throws {
        let journal = pipeline.log.records(in: TopicPartition(pipeline.topics.sessions, 0))
        let record = try #require(journal.last { $0.key == Array(session.utf8) })
        try rewrite(record, value: Array(record.value?.dropLast(5) ?? []), pipeline)
    }

    /// Writes a journal record again, as the owner's next record.
    private func rewrite(_ record: ConsumedRecord, value: Bytes?, _ pipeline: TestPipeline) throws {
        let journal = pipeline.log.records(in: TopicPartition(pipeline.topics.sessions, 0))
        var outline = try JournalOutline(record)
        outline.stamp = try JournalOutline(try #require(journal.last)).stamp
        outline.stamp.number += 1
        try pipeline.log.append(
            outline.record(value: value, topic: pipeline.topics.sessions, partition: 0, at: pipeline.clock.now))
        // Everything before is settled.
        outline.stamp.number += 1
        outline.stamp.settled = Int64(journal.count + 1)
        outline.subject = .positions
        try pipeline.log.append(outline.record(topic: pipeline.topics.sessions, partition: 0, at: pipeline.clock.now))
    }

    @Test("are read when an event comes for them, and go on")
    func touched() async throws {
        let pipeline = try await successor(reading: 0)
        #expect(try coordinator(pipeline).isSteady && coordinator(pipeline).openSessions == 4)
        #expect(try coordinator(pipeline).unreadSessions >= 3)
        for session in ["s", "t", "u"] {
            try await pipeline.play(["dropOff": "Airport"], session: Identifier(session)) { try await run(pipeline) }
            #expect(
                try pipeline.results(session: Identifier(session)).map(\.line) == [
                    "prompt value dropOff", "prompt confirmIntent -", "completed success success",
                ])
        }
        #expect(try coordinator(pipeline).openSessions == 4)
        #expect(try coordinator(pipeline).counters.takeovers == 1)
    }

    @Test("are all read after some steps, without any event, and their timers fire")
    func readOn() async throws {
        let pipeline = try await successor(reading: 1, sessions: (0..<50).map { "s\($0)" })
        #expect(try coordinator(pipeline).unreadSessions == 0 && coordinator(pipeline).openSessions == 51)
        let before = try pipeline.results().count
        try await pipeline.advance(by: .seconds(10_000))
        #expect(try pipeline.results().count >= before + 50)
    }

    @Test("do not keep new ones from being opened if they are forgotten, and their requests are known")
    func forgotten() async throws {
        let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
        pipeline.configureCoordinator = {
            $0.sessionsReadPerStep = 0
            $0.maximumSessions = 3
        }
        try pipeline.startAll()
        for session in ["s", "t", "u"] { try await ask(pipeline, Identifier(session), "r") }
        try await pipeline.advance(by: pipeline.policy.idleTimeout)
        try await ask(pipeline, "last", "r")
        try await ask(pipeline, "last", "q")
        pipeline.kill("coordinator")
        try pipeline.startCoordinator("successor")
        try await run(pipeline)
        #expect(try coordinator(pipeline).openSessions == 1 && coordinator(pipeline).forgottenSessions == 3)
        try await ask(pipeline, "s", "r")
        #expect(try coordinator(pipeline).counters.ignored[.duplicateRequest] == 1)
        try await ask(pipeline, "v", "r")
        #expect(try pipeline.results(session: "v").map(\.line) == ["completed success success"])
    }

    @Test("stop their partition when an event comes for one that can't be read, and the event is not lost")
    func unreadable() async throws {
        let pipeline = try await successor(reading: 0) { try spoil("s", $0) }
        #expect(try coordinator(pipeline).counters.partitionsStopped == 0)
        try await ask(pipeline, "other", "r")
        #expect(try pipeline.results(session: "other").map(\.line) == ["completed success success"])
        let prompt = try #require(try pipeline.results(session: "s").last?.prompt)
        try pipeline.send(.answered(Answer(prompt: prompt, action: .cancel)), session: "s", id: "a")
        try pipeline.send(Booking.request("r", Self.plain), session: "later", id: "r")
        try await run(pipeline)
        #expect(try coordinator(pipeline).counters.partitionsStopped == 1 && coordinator(pipeline).openSessions == 0)
        #expect(try pipeline.results(session: "s").count == 1 && pipeline.results(session: "later").isEmpty)
        // An operator restores the older state.
        pipeline.kill("successor")
        let journal = pipeline.log.records(in: TopicPartition(pipeline.topics.sessions, 0))
        let good = try #require(journal.first { $0.key == Array("s".utf8) && (try? JournalRecord($0)) != nil })
        let newest = try #require(journal.last { $0.key == Array("s".utf8) && (try? JournalRecord($0)) != nil })
        #expect(good.offset <= newest.offset)
        try rewrite(newest, value: newest.value, pipeline)
        try pipeline.startCoordinator("successor")
        try await run(pipeline)
        #expect(
            try pipeline.results(session: "s").map(\.line) == ["prompt value dropOff", "completed cancelled cancelled"])
        #expect(try pipeline.results(session: "later").map(\.line) == ["completed success success"])
    }

    @Test("are found unreadable without any event")
    func unreadableWithoutEvent() async throws {
        let pipeline = try await successor(reading: 1) { try spoil("t", $0) }
        #expect(try coordinator(pipeline).counters.partitionsStopped == 1)
        // The damaged record was not overwritten.
        let journal = pipeline.log.records(in: TopicPartition(pipeline.topics.sessions, 0))
        let newest = try #require(journal.last { $0.key == Array("t".utf8) })
        #expect(throws: EventError.self) { try JournalRecord(newest) }
    }

    @Test("stay unread over a rebalance, and are read then")
    func kept() async throws {
        let pipeline = try await successor(reading: 0)
        let unread = try coordinator(pipeline).unreadSessions
        pipeline.log.rebalance(group: "intents.coordinator")
        try await run(pipeline)
        #expect(try coordinator(pipeline).isSteady && coordinator(pipeline).unreadSessions == unread && unread > 0)
        try await pipeline.play(["dropOff": "Airport"], session: "t") { try await run(pipeline) }
        #expect(
            try pipeline.results(session: "t").map(\.line) == [
                "prompt value dropOff", "prompt confirmIntent -", "completed success success",
            ])
    }
}
