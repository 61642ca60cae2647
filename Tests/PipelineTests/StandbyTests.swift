import Conversation
import IntentEvents
import IntentModel
import PipelineTestKit
import RecordLog
import Testing

@testable import Pipeline

@Suite("A standby") struct StandbyTests {
    /// The positions where coordinators start to read journals.
    private let reads = Recorder<StartOffset>()
    /// The positions where standbys start to read journals.
    private let followed = Recorder<StartOffset>()

    /// A pipeline with a coordinator that follows the partitions of others, and sessions that wait for an answer.
    private func first(partitions: Int32 = 2) async throws -> TestPipeline {
        let pipeline = try await TestPipeline.prepared(partitions: partitions) { pipeline in
            pipeline.follows.partitions = Int(partitions)
            let topic = pipeline.topics.sessions
            pipeline.interposer = { [reads, followed] name, client in
                ReadingClient(client) {
                    if $0.topic == topic { (name.hasSuffix("-standby") ? followed : reads).record($1) }
                }
            }
        }
        try await pipeline.book(each: .numbered(0..<8), "r", [:])
        return pipeline
    }

    /// A pipeline with two coordinators that follow each other's partitions.
    private func pipeline(partitions: Int32 = 2) async throws -> (TestPipeline, second: Coordinator) {
        let pipeline = try await first(partitions: partitions)
        return (pipeline, try await pipeline.addCoordinator("second"))
    }

    /// Answers each session to its end, and checks that each result was sent once.
    private func finish(_ pipeline: TestPipeline) async throws {
        for session in [Identifier].numbered(0..<8) {
            try await pipeline.talk(session)
            #expect(try await pipeline.lines(session) == Booking.conversation)
        }
    }

    @Test func `the partitions nearest in number to one's own are followed first`() {
        #expect(Standby.nearest(to: [4, 5], of: 10, atMost: 4) == [3, 6, 2, 7])
        #expect(Standby.nearest(to: [0, 1], of: 6, atMost: 3) == [2, 3, 4])
        #expect(Standby.nearest(to: [], of: 6, atMost: 3) == [0, 1, 2])
        #expect(Standby.nearest(to: [2], of: 4, atMost: 100) == [0, 1, 3])
        #expect(Standby.nearest(to: [2], of: 4, atMost: 0).isEmpty)
    }

    @Test func `a new coordinator reads all journals before it joins, and none again from the start`() async throws {
        let (pipeline, second) = try await pipeline()
        #expect(reads.all.filter { $0 == .beginning }.count == 2, "those of the first coordinator, which were empty")
        let standbys = pipeline.companions.standbys.mapValues(\.partitions)
        #expect(second.ownedPartitions == [1] && standbys == ["second": [0], "coordinator": [1]])
        try await finish(pipeline)
    }

    @Test func `coordinators that crash or restart in turn never read from the beginning`() async throws {
        let (pipeline, _) = try await pipeline(partitions: 4)
        let before = reads.all.count
        for round in 0..<3 {
            for name in ["coordinator", "second"] {
                if round == 1 { pipeline.kill(name) } else { try pipeline.closeCoordinator(name) }
                try await pipeline.settle()
                try await pipeline.addCoordinator(name)
                if name == "second" { try await pipeline.talk("s\(round)") }
            }
        }
        #expect(!reads.all[before...].contains(.beginning))
        #expect(pipeline.coordinators.values.map(\.openSessions).reduce(0, +) == 8)
        try await finish(pipeline)
    }

    @Test func `a returned partition has the other owner's records, and is not read from the beginning`() async throws {
        let pipeline = try await first()
        let before = (reads.all.count, followed.all.count)
        let second = try await pipeline.addCoordinator("second")
        #expect(pipeline.companions.standbys["coordinator"]?.partitions == [1])
        // The second coordinator decides for one session, ends another and opens a third.
        let mine = TestPipeline.sessions(in: 1, among: 40)
        let (answered, ended, opened) = (mine[0], mine[1], try #require(mine.last))
        try await pipeline.talk(answered)
        try pipeline.send(.ended(reason: "test"), session: ended, id: "end")
        try await pipeline.book(opened, "r", [:])
        try await pipeline.advance(by: .seconds(2))
        let known = second.inspection[0]
        pipeline.kill("second")
        try await pipeline.settle()
        let coordinator = try pipeline.coordinator()
        #expect(coordinator.ownedPartitions == [0, 1])
        let found = coordinator.inspection[1]
        #expect(found.sessions == known.sessions && found.forgotten == known.forgotten)
        #expect(known.sessions[opened] != nil && known.sessions[ended] == nil)
        #expect(!reads.all[before.0...].contains(.beginning))
        // The second coordinator has read both journals before it joined. The first one has continued from its
        // position.
        #expect(followed.all[before.1...].filter { $0 == .beginning }.count == 2)
        try await pipeline.talk(opened)
        for session in [answered, opened] { #expect(try await pipeline.lines(session) == Booking.conversation) }
    }
}

@Suite("Sessions that were taken over") struct UnreadSessionTests {
    /// A pipeline with sessions that wait for an answer, and one whose request is done, so that everything is settled.
    /// The coordinator is then replaced by a successor that reads at most `count` sessions without an event in each
    /// step.
    private func successor(
        reading count: Int, sessions: [Identifier] = ["s", "t", "u"], before: (TestPipeline) throws -> Void = { _ in }
    ) async throws -> (TestPipeline, Coordinator) {
        let pipeline = try await TestPipeline.prepared { $0.configuration.sessionsReadPerStep = count }
        try await pipeline.book(each: sessions, "r", [:])
        return (pipeline, try await replace(pipeline, before: before))
    }

    /// Replaces the coordinator, after it has finished the request of another session.
    private func replace(_ pipeline: TestPipeline, before: (TestPipeline) throws -> Void = { _ in }) async throws
        -> Coordinator
    {
        for id in ["r", "q"] as [Identifier] { try await ask(pipeline, "last", id) }
        pipeline.kill("coordinator")
        try before(pipeline)
        try pipeline.startCoordinator("successor")
        try await run(pipeline)
        return try pipeline.coordinator("successor")
    }

    private func ask(_ pipeline: TestPipeline, _ session: Identifier, _ id: Identifier = "r") async throws {
        try pipeline.order(session, id)
        try await run(pipeline)
    }

    /// Runs enough steps to finish everything. A coordinator with unread sessions that it must not read is never idle.
    private func run(_ pipeline: TestPipeline) async throws { for _ in 0..<3 { try await pipeline.settle() } }

    private func expectConversations(_ pipeline: TestPipeline, _ sessions: [Identifier]) async throws {
        for session in sessions {
            try await pipeline.talk(session) { try await run(pipeline) }
            #expect(try await pipeline.lines(session) == Booking.conversation)
        }
    }

    /// Damages the value of a session's newest record.
    private func spoil(_ session: Identifier, _ pipeline: TestPipeline) throws {
        let record = try #require(pipeline.journaled(session))
        try rewrite(record, value: Array(record.value?.dropLast(5) ?? []), pipeline)
    }

    /// Writes a journal record again, as the owner's next record.
    private func rewrite(_ record: ConsumedRecord, value: Bytes?, _ pipeline: TestPipeline) throws {
        let (topic, now) = (pipeline.topics.sessions, pipeline.clock.now)
        let journal = pipeline.records(\.sessions)
        var outline = try JournalOutline(record)
        outline.stamp = try JournalOutline(try #require(journal.last)).stamp
        outline.stamp.number += 1
        try pipeline.log.append(outline.record(value: value, topic: topic, partition: 0, at: now))
        // Everything before is settled.
        outline.stamp.number += 1
        outline.stamp.settled = Int64(journal.count + 1)
        outline.subject = .positions
        try pipeline.log.append(outline.record(topic: topic, partition: 0, at: now))
    }

    @Test func `are read when an event comes for them, also after a rebalance, and continue`() async throws {
        let (pipeline, coordinator) = try await successor(reading: 0)
        #expect(coordinator.isSteady && coordinator.openSessions == 4 && coordinator.unreadSessions >= 3)
        try await expectConversations(pipeline, ["s", "u"])
        #expect(coordinator.openSessions == 4 && coordinator.counters.takeovers.all == 1)
        let unread = coordinator.unreadSessions
        pipeline.log.rebalance(group: "intents.coordinator")
        try await run(pipeline)
        #expect(coordinator.isSteady && coordinator.unreadSessions == unread && unread > 0)
        try await expectConversations(pipeline, ["t"])
    }

    @Test func `are all read after some steps, without any event, and their timers fire`() async throws {
        let (pipeline, coordinator) = try await successor(reading: 1, sessions: .numbered(0..<50))
        #expect(coordinator.unreadSessions == 0 && coordinator.openSessions == 51)
        let before = try pipeline.results().count
        try await pipeline.advance(by: .seconds(10_000))
        #expect(try pipeline.results().count >= before + 50)
    }

    @Test func `leave room for new ones if they are forgotten, and their requests are known`() async throws {
        let pipeline = try await TestPipeline.prepared {
            ($0.configuration.sessionsReadPerStep, $0.configuration.limits.maximumSessions) = (0, 3)
        }
        for session in ["s", "t", "u"] as [Identifier] { try await ask(pipeline, session) }
        try await pipeline.advance(by: pipeline.policy.idleTimeout)
        let coordinator = try await replace(pipeline)
        #expect(coordinator.openSessions == 1 && coordinator.forgottenSessions == 3)
        try await ask(pipeline, "s")
        #expect(coordinator.counters.ignored[.duplicateRequest] == 1)
        try await ask(pipeline, "v")
        #expect(try await pipeline.lines("v") == Booking.completed)
    }

    @Test func `stop their partition when an event comes for an unreadable one, and keep the event`() async throws {
        let (pipeline, coordinator) = try await successor(reading: 0) { try spoil("s", $0) }
        #expect(coordinator.counters.partitionsStopped == 0)
        try await ask(pipeline, "other")
        #expect(try await pipeline.lines("other") == Booking.completed)
        try await pipeline.answer("s", .cancel)
        try await ask(pipeline, "later")
        #expect(coordinator.counters.partitionsStopped == 1 && coordinator.openSessions == 0)
        #expect(try pipeline.results(session: "s").count == 1 && pipeline.results(session: "later").isEmpty)
        // An operator restores the older state.
        pipeline.kill("successor")
        let newest = pipeline.records(\.sessions).last { $0.key == Bytes("s".utf8) && (try? JournalRecord($0)) != nil }
        try rewrite(try #require(newest), value: newest?.value, pipeline)
        try pipeline.startCoordinator("successor")
        try await run(pipeline)
        #expect(try await pipeline.lines("s") == ["prompt value dropOff", "completed cancelled cancelled"])
        #expect(try await pipeline.lines("later") == Booking.completed)
    }

    @Test func `are found unreadable without any event`() async throws {
        let (pipeline, coordinator) = try await successor(reading: 1) { try spoil("t", $0) }
        #expect(coordinator.counters.partitionsStopped == 1)
        // The damaged record was not overwritten.
        let newest = try #require(pipeline.journaled("t"))
        #expect(throws: EventError.self) { try JournalRecord(newest) }
    }
}
