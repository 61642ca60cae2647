import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("A coordinator that crashes") struct RecoveryTests {
    static let answers: KeyValuePairs = ["dropOff": "Station", "dropOff": "s", "-": "n", "tip": "10 %"]
    static let script = [
        "prompt value dropOff", "prompt choice dropOff", "prompt choice -", "prompt confirmIntent -", "progress 0.5",
        "prompt value tip", "completed success success",
    ]

    /// Plays the script and checks its results. A coordinator that crashes is replaced at once.
    private func play(dyingAtCall call: Int = .max, _ point: CrashPoint = .beforeSending) async throws -> TestPipeline {
        let pipeline = try await TestPipeline.crashing(atCall: call, point)
        try pipeline.order("s", "r", ["confirm": "asks", "handle": "asks"])
        try await pipeline.talk("s", Self.answers) { try await pipeline.settleReplacingCrashed() }
        // Only a coordinator that was paused and resumed may leave a copy; a crashed one may not.
        let results = try pipeline.results(session: "s")
        #expect(results.map(\.sequence) == Array(1...Self.script.count), "died at call \(call), \(point)")
        #expect(results.map(\.line) == Self.script, "died at call \(call), \(point)")
        return pipeline
    }

    @Test func `the conversation without a crash`() async throws {
        let pipeline = try await play()
        #expect(pipeline.log.client(named: "coordinator")?.calls ?? 0 > 50)
        // The handler's last run got the answers and the recorded values of its earlier runs.
        let confirmed = PhaseAnswer(question: "which", isAccepted: true, value: .string("station-north"))
        #expect(try pipeline.work(\.confirm).last?.item?.answers == [confirmed])
        let handles = try pipeline.work().compactMap(\.item)
        let tip = PhaseAnswer(question: "tip", isAccepted: true, value: .string("10 %"))
        #expect(handles.map(\.answers) == [[], [tip]] && handles.map(\.recorded) == [[:], ["hold": .string("H-1")]])
        #expect(Set(handles.map(\.idempotencyKey)).count == 1)
        let response = try pipeline.last().data["response"]?.json
        #expect(response == .object(["hold": .string("H-1"), "tip": .string("10 %")]))
    }

    @Test(arguments: [CrashPoint.beforeSending, .afterSending, .duringSending(written: 1), .duringSending(written: 2)])
    func `the conversation is the same, whichever call the coordinator crashes at`(_ point: CrashPoint) async throws {
        let calls = try await play().log.client(named: "coordinator")?.calls ?? 0
        for call in 1...calls { _ = try await play(dyingAtCall: call, point) }
    }
}

@Suite("A journal in an unusual order") struct JournalGapTests {
    private let pipeline: TestPipeline

    init() async throws { pipeline = try await TestPipeline.started() }

    @Test func `a record counts as written although its acknowledgement was lost and it was compacted`() async throws {
        pipeline.log.loseAcknowledgements(2, in: pipeline.topics.sessions)
        for id in ["r", "q"] as [Identifier] { try pipeline.order("s", id) }
        for _ in 1...2 { try pipeline.coordinator().step(timeout: .zero) }
        let before = pipeline.records(\.sessions).count
        pipeline.log.compact(pipeline.topics.sessions)
        #expect(pipeline.records(\.sessions).count < before)
        #expect(try await pipeline.lines("s") == Booking.completed + Booking.completed)
    }

    @Test func `compaction keeps a record until its owner notices that a stale one replaced it`() async throws {
        let journal = Topics().specifications(partitions: 1).first { $0.name == "intents.sessions" }
        let lag = try #require(journal?.configuration["min.compaction.lag.ms"].flatMap { Int($0) })
        #expect(.milliseconds(lag) > CoordinatorConfiguration(owner: "c").housekeepingInterval * 10)
        // The first request waits for an answer. The coordinator pauses after its next decision, whose record is
        // written after a successor owns the partition.
        try await pipeline.book("s", "r", ["confirm": "none"])
        try pipeline.order("s", "q", ["confirm": "none"])
        try pipeline.coordinator().step(timeout: .zero)
        let paused = try #require(pipeline.log.client(named: "coordinator"))
        pipeline.pause("coordinator")
        paused.evict()
        try await pipeline.addCoordinator("successor")
        let written = pipeline.records(\.sessions).count
        paused.writeQueue()
        let stale = pipeline.records(\.sessions)
        #expect(stale.count == written + 1 && stale.last?.key == Bytes("s".utf8))
        // Compaction covers everything older than the stale record, so the next owner still finds the overwritten
        // record.
        pipeline.log.compact(pipeline.place(\.sessions), before: stale.last?.offset ?? 0)
        #expect(try await pipeline.replaceCoordinator("successor", by: "third").openSessions == 1)
        #expect(pipeline.journaled()?.value != nil)
    }

    @Test func `a successor looks for every result that a record names as unacknowledged`() async throws {
        // The second request is decided before the first result is acknowledged, and the third request afterwards.
        for (session, id) in [("s", "first"), ("s", "second"), ("t", "third")] as [(Identifier, Identifier)] {
            try pipeline.send(Booking.tooLate(id), session: session, id: id)
            try pipeline.coordinator().step(timeout: .zero)
        }
        try pipeline.coordinator().step(timeout: .zero)
        pipeline.kill("coordinator", .afterSending)
        try await pipeline.addCoordinator("successor")
        #expect(try pipeline.results(session: "s").map(\.sequence) == [1, 2])
        #expect(try pipeline.results(session: "t").map(\.sequence) == [1])
    }
}

@Suite("Coordinators of different versions own a partition one after the other") struct MixedVersionTests {
    private func pipeline(partitions: Int32) async throws -> TestPipeline {
        let pipeline = try await TestPipeline(partitions: partitions, perform: Booking.perform)
        pipeline.interposer = { name, client in
            name.hasPrefix("old") ? OldVersion(client) : name.hasPrefix("future") ? FutureVersion(client) : client
        }
        for phase in Phase.allCases { try pipeline.startWorker(phase.rawValue, phase) }
        return pipeline
    }

    @Test(arguments: 0...4)
    func `0.1.0 and this version take over from each other, and lose nothing`(steps: Int) async throws {
        let pipeline = try await pipeline(partitions: 1)
        var takeovers = 0
        var owner = "old-0"
        try await pipeline.addCoordinator(owner)
        try pipeline.order("s", "r", ["confirm": "asks", "handle": "asks"])
        try pipeline.order("t")
        try await pipeline.talk("s", RecoveryTests.answers) {
            // The other version takes over after some more steps of the owner.
            for _ in 0..<steps { _ = try pipeline.coordinators[owner]?.step(timeout: .zero) }
            takeovers += 1
            let next = takeovers.isMultiple(of: 2) ? "old-\(takeovers)" : "new-\(takeovers)"
            try await pipeline.replaceCoordinator(owner, by: next)
            owner = next
        }
        #expect(takeovers > 4)
        let results = try pipeline.results(session: "s")
        #expect(results.map(\.line) == RecoveryTests.script)
        #expect(results.map(\.sequence) == Array(1...RecoveryTests.script.count))
        #expect(try await pipeline.lines("t") == Booking.completed)
        let stamps = try pipeline.records(\.sessions).map {
            ($0.headers.first?.text ?? "", try JournalOutline($0).stamp)
        }
        // Both versions have written, and every epoch has one owner.
        #expect(stamps.contains { $0.0.contains(" format=1") } && stamps.contains { !$0.0.contains(" format=") })
        for (text, stamp) in stamps { #expect(stamp.owner.hasPrefix("old") == !text.contains(" format="), "\(text)") }
    }

    @Test func `a session of a future version stops its partition only, until that version is back`() async throws {
        let pipeline = try await pipeline(partitions: 2)
        let (later, present) = (try TestPipeline.session(in: 0), try TestPipeline.session(in: 1))
        try pipeline.startCoordinator("new")
        try await pipeline.book(present, "r", [:])
        try await pipeline.replaceCoordinator("new", by: "future")
        try await pipeline.book(later, "r", [:])
        pipeline.kill("future")

        let written = pipeline.log.records(in: pipeline.place(\.sessions))
        #expect(try await pipeline.addCoordinator("new-again").counters.partitionsStopped == 1)
        for session in [later, present] { try await pipeline.answer(session, .accept, "Airport") }
        #expect(try pipeline.results(session: later).map(\.sequence) == [1])
        #expect(try await pipeline.lines(present) == Booking.conversation.dropLast())
        // The coordinator wrote only its fence.
        let after = pipeline.log.records(in: pipeline.place(\.sessions))
        #expect(after.prefix(written.count).elementsEqual(written) && after.count == written.count + 1)

        try await pipeline.replaceCoordinator("new-again", by: "future-again")
        #expect(try await pipeline.lines(later) == Booking.conversation.dropLast())
        for session in [later, present] {
            #expect(try pipeline.results(session: session).map(\.sequence) == [1, 2], "\(session)")
        }
    }
}
