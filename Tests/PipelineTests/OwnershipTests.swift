import Conversation
import IntentEvents
import IntentKit
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("Two coordinators")
struct OwnershipTests {
    static let plain: KeyValuePairs<String, String> = ["dropOff": "Airport", "confirm": "none"]

    /// Checks that no sequence number has two contents, that there is no gap, and that the results follow the script.
    private func check(
        _ pipeline: TestPipeline, session: Identifier, _ script: [String], copies: ClosedRange<Int> = 0...0
    ) throws {
        var lines: [String] = []
        var seen: [Int: JSON] = [:]
        var found = 0
        for result in try pipeline.results(session: session) {
            let sequence = try #require(result.sequence)
            if let before = seen[sequence] {
                #expect(before == result.data.json, "number \(sequence) has two contents")
                found += 1
            } else {
                seen[sequence] = result.data.json
                #expect(sequence == seen.count)
                lines.append(result.line)
            }
        }
        #expect(lines == script)
        #expect(copies.contains(found))
    }

    @Test("share the partitions, and each session has one owner")
    func share() async throws {
        let pipeline = try await TestPipeline(partitions: 4, perform: Booking.perform)
        try pipeline.startAll()
        try pipeline.startCoordinator("second")
        try await pipeline.settle()
        let first = try #require(pipeline.coordinators["coordinator"]).ownedPartitions
        let second = try #require(pipeline.coordinators["second"]).ownedPartitions
        #expect(Set(first + second) == [0, 1, 2, 3])
        #expect(first.count == 2 && second.count == 2)
        for number in 0..<20 { try pipeline.send(Booking.request("r", Self.plain), session: "s\(number)", id: "r") }
        try await pipeline.settle()
        for number in 0..<20 { try check(pipeline, session: "s\(number)", ["completed success success"]) }
    }

    @Test("hand over their conversations when one leaves")
    func leaving() async throws {
        let pipeline = try await TestPipeline(partitions: 4, perform: Booking.perform)
        try pipeline.startAll()
        try pipeline.startCoordinator("second")
        try await pipeline.settle()
        for number in 0..<20 { try pipeline.send(Booking.request("r"), session: "s\(number)", id: "r") }
        try await pipeline.settle()
        try pipeline.closeCoordinator("coordinator")
        try await pipeline.settle()
        #expect(pipeline.coordinators["second"]?.ownedPartitions == [0, 1, 2, 3])
        for number in 0..<20 {
            try await pipeline.play(["dropOff": "Airport"], session: "s\(number)")
            try check(
                pipeline, session: "s\(number)",
                ["prompt value dropOff", "prompt confirmIntent -", "completed success success"])
        }
    }

    @Test("one that resumes after a takeover decides nothing more, and its late record does not survive compaction")
    func zombie() async throws {
        let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
        try pipeline.startAll()
        try await pipeline.settle()
        try pipeline.send(Booking.request("r"), session: "s", id: "r")
        try await pipeline.settle()

        // The first coordinator reads an answer and a new request, decides, and is paused before its records are
        // written.
        try pipeline.send(
            .answered(Answer(prompt: try pipeline.prompt("s"), action: .accept, value: .string("Airport"))),
            session: "s", id: "a")
        try pipeline.send(Booking.request("q"), session: "t", id: "q")
        let zombie = try #require(pipeline.coordinators["coordinator"])
        try zombie.step(timeout: .zero)
        pipeline.pause("coordinator")
        pipeline.log.client(named: "coordinator")?.evict()

        try pipeline.startCoordinator("successor")
        try await pipeline.settle()
        try await pipeline.play([:], session: "s")
        let before = try pipeline.results().count

        // The first coordinator resumes. Its queued records are written after the successor's fence.
        pipeline.wake("coordinator")
        try await pipeline.settle()
        #expect(try pipeline.results().count == before)
        try check(
            pipeline, session: "s", ["prompt value dropOff", "prompt confirmIntent -", "completed success success"])
        try check(pipeline, session: "t", ["prompt value dropOff"])

        // The owner notices the stale records at the latest when it checks its idle journal, and rewrites the
        // overwritten sessions.
        try await pipeline.advance(by: .seconds(6))
        try await pipeline.advance(by: .seconds(6))
        pipeline.log.compact(pipeline.topics.sessions)
        for name in Array(pipeline.coordinators.keys) { pipeline.kill(name) }
        try pipeline.startCoordinator("third")
        try await pipeline.settle()
        #expect(try pipeline.results().count == before)
        try await pipeline.play(["dropOff": "Airport"], session: "t")
        try check(
            pipeline, session: "t", ["prompt value dropOff", "prompt confirmIntent -", "completed success success"])
    }

    /// Appends a fence of a coordinator that has ended and is unknown to the group.
    private func appendFence(_ pipeline: TestPipeline, epoch: Int) throws {
        let stamp = JournalStamp(
            epoch: epoch, owner: "gone", number: 1, requests: 0, outcomes: 0, settled: 0, results: 0)
        let outline = JournalOutline(stamp: stamp, subject: .fence(epoch: epoch, owner: "gone"))
        try pipeline.log.append(
            outline.record(
                value: FenceTerms(partitions: 1).bytes, topic: pipeline.topics.sessions, partition: 0,
                at: pipeline.clock.now))
    }

    @Test(
        "one whose partition was fenced by another that is gone takes the partition over again, and answers what was said meanwhile"
    )
    func fencedByOneThatIsGone() async throws {
        let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
        try pipeline.startAll()
        try await pipeline.settle()
        try pipeline.send(Booking.request("r", Self.plain), session: "before", id: "r")
        try await pipeline.settle()
        try appendFence(pipeline, epoch: 50)
        try pipeline.send(Booking.request("r", Self.plain), session: "meanwhile", id: "r")
        var ended: [String] = []
        for _ in 0..<15 {
            pipeline.clock.advance(by: .seconds(6))
            ended += try await pipeline.settle()
        }
        #expect(ended == [] && pipeline.coordinators["coordinator"]?.isSteady == true)
        try pipeline.send(Booking.request("r", Self.plain), session: "after", id: "r")
        try await pipeline.settle()
        for session in ["before", "meanwhile", "after"] {
            try check(pipeline, session: Identifier(session), ["completed success success"])
        }
    }

    @Test("one whose partition is fenced again and again ends, since another group is at work")
    func fencedAgain() async throws {
        let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
        try pipeline.startAll()
        try await pipeline.settle()
        var ended: [String] = []
        for epoch in [50, 100] {
            try appendFence(pipeline, epoch: epoch)
            for _ in 0..<15 {
                pipeline.clock.advance(by: .seconds(6))
                ended += try await pipeline.settle()
            }
        }
        #expect(ended == ["coordinator"])
    }

    @Test(
        "one that is paused between an acknowledgement and its effects leaves at most identical copies",
        arguments: 0..<12)
    func pausedAnywhere(steps: Int) async throws {
        let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
        try pipeline.startAll()
        try await pipeline.settle()
        for number in 0..<3 { try pipeline.send(Booking.request("r", Self.plain), session: "s\(number)", id: "r") }
        for _ in 0..<steps {
            try pipeline.coordinators["coordinator"]?.step(timeout: .zero)
            for worker in pipeline.workers.values { try worker.step(timeout: .zero) }
        }
        pipeline.pause("coordinator")
        pipeline.log.client(named: "coordinator")?.evict()
        try pipeline.startCoordinator("successor")
        try await pipeline.settle()
        pipeline.wake("coordinator")
        try await pipeline.settle()
        for number in 0..<3 { try check(pipeline, session: "s\(number)", ["completed success success"], copies: 0...1) }
    }

    @Test("an acknowledgement without an offset is looked up in the log before any effect is sent")
    func lostAcknowledgements() async throws {
        let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
        try pipeline.startAll()
        try await pipeline.settle()
        pipeline.log.loseAcknowledgements(5, in: pipeline.topics.sessions)
        for number in 0..<4 { try pipeline.send(Booking.request("r", Self.plain), session: "s\(number)", id: "r") }
        try await pipeline.settle()
        for number in 0..<4 { try check(pipeline, session: "s\(number)", ["completed success success"]) }
        #expect(pipeline.coordinators["coordinator"]?.counters.gaps != 0)
        #expect(pipeline.coordinators["coordinator"]?.isSettled == true)
    }

    @Test("many rebalances lose and repeat nothing")
    func rebalanceStorm() async throws {
        let pipeline = try await TestPipeline(partitions: 4, perform: Booking.perform)
        try pipeline.startAll()
        try await pipeline.settle()
        for round in 0..<10 {
            for number in 0..<8 {
                try pipeline.send(Booking.request("r\(round)", Self.plain), session: "s\(number)", id: "r\(round)")
            }
            for _ in 0..<(round % 5) {
                try pipeline.coordinators["coordinator"]?.step(timeout: .zero)
                for worker in pipeline.workers.values { try worker.step(timeout: .zero) }
            }
            for group in ["coordinator", "resolver", "handler"] { pipeline.log.rebalance(group: "intents.\(group)") }
            if round % 3 == 0 { try pipeline.startCoordinator("visitor") }
            if round % 3 == 1 { pipeline.kill("visitor") }
        }
        try await pipeline.settle()
        for number in 0..<8 {
            try check(pipeline, session: "s\(number)", Array(repeating: "completed success success", count: 10))
        }
    }

    @Test("compaction of the journal changes nothing, whenever the owner crashes", arguments: [false, true])
    func compaction(droppingTombstones: Bool) async throws {
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
            for number in 0..<3 { try pipeline.send(Booking.request("r"), session: "s\(number)", id: "r") }
            for number in 0..<3 {
                try await pipeline.play(["dropOff": "Airport"], session: "s\(number)", settling: settle)
            }
            for number in 0..<3 {
                try check(
                    pipeline, session: "s\(number)",
                    ["prompt value dropOff", "prompt confirmIntent -", "completed success success"])
            }
        }
    }
}
