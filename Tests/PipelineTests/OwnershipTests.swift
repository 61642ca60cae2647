import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("Two coordinators") struct OwnershipTests {
    /// Checks that the results of each session follow the script, numbered without a gap.
    ///
    /// - Parameter copies: The number of results that may come again, with the same number and the same content.
    private func check(
        _ pipeline: TestPipeline, _ sessions: [Identifier], _ script: [String] = Booking.completed, copies: Int = 0
    ) throws {
        for session in sessions {
            let results = try pipeline.results(session: session)
            var originals: [ReceivedResult] = []
            for result in results
            where !originals.contains(where: { $0.sequence == result.sequence && $0.data.json == result.data.json }) {
                originals.append(result)
            }
            #expect(originals.map(\.line) == script && results.count - originals.count <= copies, "\(session)")
            #expect(originals.map(\.sequence) == Array(1...script.count), "\(session)")
        }
    }

    /// Lets all processes act several times.
    private func step(_ pipeline: TestPipeline, times: Int) throws {
        for _ in 0..<times {
            try pipeline.coordinators["coordinator"]?.step(timeout: .zero)
            for worker in pipeline.workers.values { try worker.step(timeout: .zero) }
        }
    }

    @Test func `share the partitions, own each session once, and hand over when one leaves`() async throws {
        let pipeline = try await TestPipeline.started(partitions: 4)
        let second = try await pipeline.addCoordinator("second")
        let first = try pipeline.coordinator().ownedPartitions
        #expect((first + second.ownedPartitions).sorted() == [0, 1, 2, 3] && first.count == 2)
        try await pipeline.book(each: .numbered(0..<20))
        try check(pipeline, .numbered(0..<20))
        try await pipeline.book(each: .numbered(20..<40), "r", [:])
        try pipeline.closeCoordinator("coordinator")
        try await pipeline.settle()
        #expect(second.ownedPartitions == [0, 1, 2, 3])
        for session in [Identifier].numbered(20..<40) { try await pipeline.talk(session) }
        try check(pipeline, .numbered(20..<40), Booking.conversation)
    }

    @Test func `one that resumes after a takeover decides nothing, and its late record is overwritten`() async throws {
        let pipeline = try await TestPipeline.started()
        try await pipeline.book("s", "r", [:])
        // The first coordinator reads an answer and a new request, decides, and is paused before its records are
        // written.
        let answer = Answer(prompt: try pipeline.prompt("s"), action: .accept, value: .string("Airport"))
        try pipeline.send(.answered(answer), session: "s", id: "a")
        try pipeline.order("t", "q", [:])
        try pipeline.coordinator().step(timeout: .zero)
        pipeline.pause("coordinator")
        pipeline.log.client(named: "coordinator")?.evict()
        try await pipeline.addCoordinator("successor")
        try await pipeline.talk("s", [:])
        let before = try pipeline.results().count

        // The first coordinator resumes. Its queued records are written after the successor's fence.
        pipeline.wake("coordinator")
        try await pipeline.settle()
        #expect(try pipeline.results().count == before)
        try check(pipeline, ["s"], Booking.conversation)
        try check(pipeline, ["t"], ["prompt value dropOff"])

        // The owner notices the stale records at the latest when it checks its idle journal, and rewrites the
        // overwritten sessions.
        try await pipeline.advance(by: .seconds(6), times: 2)
        pipeline.log.compact(pipeline.topics.sessions)
        for name in Array(pipeline.coordinators.keys) { pipeline.kill(name) }
        try await pipeline.addCoordinator("third")
        #expect(try pipeline.results().count == before)
        try await pipeline.talk("t")
        try check(pipeline, ["t"], Booking.conversation)
    }

    /// Appends a fence of a coordinator that has ended and is unknown to the group.
    ///
    /// - Returns: The processes that end within 90 s.
    private func fence(_ pipeline: TestPipeline, epoch: Int, before order: () throws -> Void = {}) async throws
        -> [String]
    {
        let stamp = JournalStamp(
            epoch: epoch, owner: "gone", number: 1, requests: 0, outcomes: 0, settled: 0, results: 0)
        try pipeline.log.append(
            JournalOutline(stamp: stamp, subject: .fence(epoch: epoch, owner: "gone")).record(
                value: FenceTerms(partitions: 1).bytes, topic: pipeline.topics.sessions, partition: 0,
                at: pipeline.clock.now))
        try order()
        var ended: [String] = []
        for _ in 0..<15 {
            pipeline.clock.advance(by: .seconds(6))
            ended += try await pipeline.settle()
        }
        return ended
    }

    @Test func `one that was fenced by an ended coordinator takes over again, and answers all requests`() async throws {
        let pipeline = try await TestPipeline.started()
        try await pipeline.book("before")
        #expect(try await fence(pipeline, epoch: 50) { try pipeline.order("meanwhile") } == [])
        #expect(try pipeline.coordinator().isSteady)
        try await pipeline.book("after")
        try check(pipeline, ["before", "meanwhile", "after"])
    }

    @Test func `one whose partition is fenced again and again ends, since another group is at work`() async throws {
        let pipeline = try await TestPipeline.started()
        var ended: [String] = []
        for epoch in [50, 100] { ended += try await fence(pipeline, epoch: epoch) }
        #expect(ended == ["coordinator"])
    }

    @Test(arguments: 0..<12)
    func `one that pauses before its effects leaves at most identical copies`(steps: Int) async throws {
        let pipeline = try await TestPipeline.started()
        let sessions = [Identifier].numbered(0..<3)
        for session in sessions { try pipeline.order(session) }
        try step(pipeline, times: steps)
        pipeline.pause("coordinator")
        pipeline.log.client(named: "coordinator")?.evict()
        try await pipeline.addCoordinator("successor")
        pipeline.wake("coordinator")
        try await pipeline.settle()
        try check(pipeline, sessions, copies: 1)
    }

    @Test func `many rebalances lose and repeat nothing`() async throws {
        let pipeline = try await TestPipeline.started(partitions: 4)
        let sessions = [Identifier].numbered(0..<8)
        for round in 0..<10 {
            for session in sessions { try pipeline.order(session, "r\(round)") }
            try step(pipeline, times: round % 5)
            for group in ["coordinator", "resolver", "handler"] { pipeline.log.rebalance(group: "intents.\(group)") }
            if round % 3 == 0 { try pipeline.startCoordinator("visitor") }
            if round % 3 == 1 { pipeline.kill("visitor") }
        }
        try await pipeline.settle()
        try check(pipeline, sessions, Array(repeating: "completed success success", count: 10))
    }

    @Test(arguments: [false, true])
    func `compaction of the journal changes nothing, whenever the owner crashes`(
        droppingTombstones: Bool
    ) async throws {
        let sessions = [Identifier].numbered(0..<3)
        for dying in stride(from: 5, through: 120, by: 3) {
            let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
            pipeline.log.planCrash(of: "coordinator", atCall: dying, .afterSending)
            try pipeline.startAll()
            func settle() async throws {
                try await pipeline.settleReplacingCrashed {
                    pipeline.log.compact(pipeline.topics.sessions, droppingTombstones: droppingTombstones)
                }
            }
            try await settle()
            for session in sessions { try pipeline.order(session, "r", [:]) }
            for session in sessions { try await pipeline.talk(session, settling: settle) }
            try check(pipeline, sessions, Booking.conversation)
        }
    }
}

@Suite("A rebalance of coordinators") struct HandoverTests {
    private let reads = Recorder<StartOffset>()

    /// A pipeline that records the offsets at which coordinators start to read journals.
    private func pipeline(partitions: Int32 = 1) async throws -> TestPipeline {
        try await TestPipeline.prepared(partitions: partitions) { pipeline in
            let topic = pipeline.topics.sessions
            pipeline.interposer = { [reads] _, client in
                ReadingClient(client) { if $0.topic == topic { reads.record($1) } }
            }
        }
    }

    @Test func `a partition takes input as soon as it is taken over, although others still wait`() async throws {
        let pipeline = try await TestPipeline.prepared(partitions: 2) {
            $0.log.setLeader(of: $0.place(\.sessions), isAway: true)
        }
        let (slow, quick) = (try TestPipeline.session(in: 0), try TestPipeline.session(in: 1))
        try await pipeline.book(each: [slow, quick])
        #expect(try await pipeline.lines(quick) == Booking.completed)
        #expect(try pipeline.results(session: slow).isEmpty && !pipeline.coordinator().isSteady)
        pipeline.log.setLeader(of: pipeline.place(\.sessions), isAway: false)
        #expect(try await pipeline.lines(slow) == Booking.completed && pipeline.coordinator().isSteady)
    }

    @Test func `a partition that is being taken over does not keep the group waiting`() async throws {
        let pipeline = try await TestPipeline.prepared(partitions: 2) { $0.setLeaders(of: \.sessions, areAway: true) }
        #expect(try await pipeline.addCoordinator("second").ownedPartitions == [1])
        #expect(try pipeline.coordinator().ownedPartitions == [0])
    }

    @Test func `partitions that come back are not read again, and their sessions continue`() async throws {
        let pipeline = try await pipeline(partitions: 2)
        let sessions = [Identifier].numbered(0..<8)
        try await pipeline.book(each: sessions, "r", [:])
        let before = reads.all.count
        pipeline.log.rebalance(group: "intents.coordinator")
        try await pipeline.settle()
        // The last two records of each journal are the new fence and the tombstone of the previous fence.
        let ends = (0..<2).map { Int64(pipeline.log.records(in: pipeline.place(\.sessions, $0)).count) }
        #expect(reads.all[before...].map { $0 } == ends.map { .offset($0 - 2) })
        #expect(try pipeline.coordinator().openSessions == 8)
        for session in sessions {
            try await pipeline.talk(session)
            #expect(try await pipeline.lines(session) == Booking.conversation)
        }
        // A successor finds the same sessions.
        #expect(try await pipeline.replaceCoordinator().openSessions == 8 && pipeline.results().count == 24)
    }

    @Test(arguments: [false, true])
    func `a partition that had another owner is read from the beginning`(hasDecided: Bool) async throws {
        let pipeline = try await pipeline()
        try await pipeline.book("s", "r", [:])
        pipeline.pause("coordinator")
        pipeline.log.client(named: "coordinator")?.evict()
        try await pipeline.addCoordinator("visitor")
        if hasDecided { try await pipeline.answer("s", .accept, "Airport") }
        // The first coordinator learns that its partition was lost, and is assigned the partition again at once.
        try pipeline.closeCoordinator("visitor")
        let before = reads.all.count
        pipeline.wake("coordinator")
        try await pipeline.settle()
        #expect(reads.all[before...].contains(.beginning))
        try await pipeline.talk()
        #expect(try await pipeline.lines("s") == Booking.conversation)
    }

    @Test func `a takeover that a rebalance interrupts continues where it was`() async throws {
        let pipeline = try await pipeline()
        try await pipeline.book(each: .numbered(0..<300), "r", [:])
        pipeline.kill("coordinator")
        try pipeline.startCoordinator("successor")
        let successor = try pipeline.coordinator("successor")
        let before = reads.all.count
        while reads.all.count == before { try successor.step(timeout: .zero) }
        #expect(reads.all[before...] == [.beginning])
        // The successor reads a part of the journal.
        try successor.step(timeout: .zero)
        pipeline.log.rebalance(group: "intents.coordinator")
        try await pipeline.settle()
        #expect(successor.isSteady && successor.openSessions == 300)
        guard case .offset(let offset)? = reads.all.last else {
            Issue.record("it began again")
            return
        }
        #expect(offset > 0 && reads.all.count == before + 2)
        try await pipeline.talk("s7")
        #expect(try await pipeline.lines("s7").count == 3)
    }

    @Test func `sessions whose time came in between are looked at when the partition is back`() async throws {
        let pipeline = try await pipeline()
        try await pipeline.book("s", "r", [:])
        let coordinator = try pipeline.coordinator()
        pipeline.log.rebalance(group: "intents.coordinator")
        try coordinator.step(timeout: .zero)
        pipeline.clock.advance(by: .seconds(100_000))
        #expect(coordinator.nextTimer > pipeline.clock.now || coordinator.isSteady == false)
        #expect(try await pipeline.lines("s").count > 1 && coordinator.isSteady)
    }
}
