import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("A rebalance of coordinators")
struct HandoverTests {
    private static let plain: KeyValuePairs<String, String> = ["dropOff": "Airport", "confirm": "none"]
    private let reads = Recorder<StartOffset>()

    /// A pipeline that records the offsets at which coordinators start to read journals.
    private func pipeline(partitions: Int32) async throws -> TestPipeline {
        let pipeline = try await TestPipeline(partitions: partitions, perform: Booking.perform)
        let topic = pipeline.topics.sessions
        pipeline.interposer = { [reads] _, client in ReadingClient(client) { if $0.topic == topic { reads.record($1) } }
        }
        try pipeline.startAll()
        try await pipeline.settle()
        return pipeline
    }

    private func session(in partition: Int32, of count: Int32) throws -> String {
        try #require(
            (0..<100).map { "s\($0)" }.first { Murmur2.partition(of: Array($0.utf8), count: count) == partition })
    }

    @Test("a partition takes input as soon as it is taken over, whatever others wait for")
    func independent() async throws {
        let pipeline = try await TestPipeline(partitions: 2, perform: Booking.perform)
        let late = TopicPartition(pipeline.topics.sessions, 0)
        pipeline.log.setLeader(of: late, isAway: true)
        try pipeline.startAll()
        let (slow, quick) = (try session(in: 0, of: 2), try session(in: 1, of: 2))
        for session in [slow, quick] {
            try pipeline.send(Booking.request("r", Self.plain), session: Identifier(session), id: "r")
        }
        try await pipeline.settle()
        #expect(try pipeline.results(session: Identifier(quick)).map(\.line) == ["completed success success"])
        #expect(
            try pipeline.results(session: Identifier(slow)).isEmpty
                && pipeline.coordinators["coordinator"]?.isSteady == false)
        pipeline.log.setLeader(of: late, isAway: false)
        try await pipeline.settle()
        #expect(try pipeline.results(session: Identifier(slow)).map(\.line) == ["completed success success"])
        #expect(pipeline.coordinators["coordinator"]?.isSteady == true)
    }

    @Test("a partition that is being taken over does not keep the group waiting")
    func group() async throws {
        let pipeline = try await TestPipeline(partitions: 2, perform: Booking.perform)
        for number: Int32 in 0..<2 {
            pipeline.log.setLeader(of: TopicPartition(pipeline.topics.sessions, number), isAway: true)
        }
        try pipeline.startAll()
        try await pipeline.settle()
        try pipeline.startCoordinator("second")
        try await pipeline.settle()
        #expect(
            pipeline.coordinators["coordinator"]?.ownedPartitions == [0]
                && pipeline.coordinators["second"]?.ownedPartitions == [1])
    }

    @Test("partitions that come back are not read again, and their sessions go on")
    func kept() async throws {
        let pipeline = try await pipeline(partitions: 2)
        for number in 0..<8 { try pipeline.send(Booking.request("r"), session: "s\(number)", id: "r") }
        try await pipeline.settle()
        let before = reads.all.count
        pipeline.log.rebalance(group: "intents.coordinator")
        try await pipeline.settle()
        let ends = (0..<2).map { Int64(pipeline.log.records(in: TopicPartition(pipeline.topics.sessions, $0)).count) }
        // The last two records of each journal are the new fence and the tombstone of the previous fence.
        #expect(reads.all[before...].map { $0 } == ends.map { .offset($0 - 2) })
        #expect(pipeline.coordinators["coordinator"]?.openSessions == 8)
        for number in 0..<8 {
            try await pipeline.play(["dropOff": "Airport"], session: "s\(number)")
            #expect(
                try pipeline.results(session: "s\(number)").map(\.line) == [
                    "prompt value dropOff", "prompt confirmIntent -", "completed success success",
                ])
        }
        // A successor finds the same sessions.
        pipeline.kill("coordinator")
        try pipeline.startCoordinator("successor")
        try await pipeline.settle()
        #expect(pipeline.coordinators["successor"]?.openSessions == 8)
        #expect(try pipeline.results().count == 24)
    }

    @Test("input that came in between is decided on, once")
    func meanwhile() async throws {
        let pipeline = try await pipeline(partitions: 1)
        try pipeline.send(Booking.request("r"), session: "s", id: "r")
        try await pipeline.settle()
        pipeline.log.rebalance(group: "intents.coordinator")
        for number in 0..<4 {
            try pipeline.send(Booking.request("r", Self.plain), session: "t\(number)", id: "r")
            try pipeline.coordinators["coordinator"]?.step(timeout: .zero)
        }
        try await pipeline.settle()
        for number in 0..<4 {
            #expect(try pipeline.results(session: "t\(number)").map(\.line) == ["completed success success"])
        }
    }

    @Test(
        "a partition that another coordinator has owned meanwhile is read from the beginning", arguments: [false, true])
    func owned(hasDecided: Bool) async throws {
        let pipeline = try await pipeline(partitions: 1)
        try pipeline.send(Booking.request("r"), session: "s", id: "r")
        try await pipeline.settle()
        pipeline.pause("coordinator")
        pipeline.log.client(named: "coordinator")?.evict()
        try pipeline.startCoordinator("visitor")
        try await pipeline.settle()
        if hasDecided {
            let prompt = try #require(try pipeline.results(session: "s").last?.prompt)
            try pipeline.send(
                .answered(Answer(prompt: prompt, action: .accept, value: .string("Airport"))), session: "s", id: "a")
            try await pipeline.settle()
        }
        // The first coordinator learns that its partition was lost, and is assigned the partition again at once.
        try pipeline.closeCoordinator("visitor")
        let before = reads.all.count
        pipeline.wake("coordinator")
        try await pipeline.settle()
        #expect(reads.all[before...].contains(.beginning))
        try await pipeline.play(["dropOff": "Airport"], session: "s")
        #expect(
            try pipeline.results(session: "s").map(\.line) == [
                "prompt value dropOff", "prompt confirmIntent -", "completed success success",
            ])
    }

    @Test("a takeover that a rebalance interrupts goes on where it was")
    func interrupted() async throws {
        let pipeline = try await pipeline(partitions: 1)
        for number in 0..<300 { try pipeline.send(Booking.request("r"), session: "s\(number)", id: "r") }
        try await pipeline.settle()
        pipeline.kill("coordinator")
        try pipeline.startCoordinator("successor")
        let successor = try #require(pipeline.coordinators["successor"])
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
        try await pipeline.play(["dropOff": "Airport"], session: "s7")
        #expect(try pipeline.results(session: "s7").count == 3)
    }

    @Test("sessions whose time came in between are looked at when the partition is back")
    func timers() async throws {
        let pipeline = try await pipeline(partitions: 1)
        try pipeline.send(Booking.request("r"), session: "s", id: "r")
        try await pipeline.settle()
        let coordinator = try #require(pipeline.coordinators["coordinator"])
        pipeline.log.rebalance(group: "intents.coordinator")
        try coordinator.step(timeout: .zero)
        pipeline.clock.advance(by: .seconds(100_000))
        #expect(coordinator.nextTimer > pipeline.clock.now || coordinator.isSteady == false)
        try await pipeline.settle()
        #expect(coordinator.isSteady)
        #expect(try pipeline.results(session: "s").count > 1)
    }
}
