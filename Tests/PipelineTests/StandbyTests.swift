import Conversation
import IntentEvents
import IntentModel
import PipelineTestKit
import RecordLog
import Testing

@testable import Pipeline

@Suite("A standby")
struct StandbyTests {
    private let reads = Recorder<StartOffset>()

    /// A pipeline with two coordinators that follow each other's partitions, and sessions that wait for an answer. The
    /// pipeline records where the coordinators start to read journals; the reads of their standbys are not recorded.
    private func pipeline(partitions: Int32 = 2, sessions: Int = 8) async throws -> TestPipeline {
        let pipeline = try await TestPipeline(partitions: partitions, perform: Booking.perform)
        pipeline.standby = Int(partitions)
        let topic = pipeline.topics.sessions
        pipeline.interposer = { [reads] name, client in
            name.hasSuffix("-standby") ? client : ReadingClient(client) { if $0.topic == topic { reads.record($1) } }
        }
        try pipeline.startAll()
        try await pipeline.settle()
        for number in 0..<sessions { try pipeline.send(Booking.request("r"), session: "s\(number)", id: "r") }
        try await pipeline.settle()
        try pipeline.startCoordinator("second")
        try await pipeline.settle()
        return pipeline
    }

    /// Answers each session to its end, and checks that each result was sent once.
    private func finish(_ pipeline: TestPipeline, sessions: Int = 8) async throws {
        for number in 0..<sessions {
            try await pipeline.play(["dropOff": "Airport"], session: "s\(number)")
            #expect(
                try pipeline.results(session: "s\(number)").map(\.line) == [
                    "prompt value dropOff", "prompt confirmIntent -", "completed success success",
                ])
        }
    }

    @Test("the partitions nearest in number to one's own are followed first")
    func nearest() {
        #expect(Standby.nearest(to: [4, 5], of: 10, atMost: 4) == [3, 6, 2, 7])
        #expect(Standby.nearest(to: [0, 1], of: 6, atMost: 3) == [2, 3, 4])
        #expect(Standby.nearest(to: [], of: 6, atMost: 3) == [0, 1, 2])
        #expect(Standby.nearest(to: [2], of: 4, atMost: 100) == [0, 1, 3])
        #expect(Standby.nearest(to: [2], of: 4, atMost: 0).isEmpty)
    }

    @Test(
        "a new coordinator has read all journals before it joins the group, and reads none of them from the beginning")
    func warm() async throws {
        let pipeline = try await pipeline()
        #expect(reads.all.filter { $0 == .beginning }.count == 2, "those of the first coordinator, which were empty")
        #expect(pipeline.coordinators["second"]?.ownedPartitions == [1])
        #expect(pipeline.standbys["second"]?.partitions == [0] && pipeline.standbys["coordinator"]?.partitions == [1])
        try await finish(pipeline)
    }

    @Test("partitions of a coordinator that has crashed are taken over from where they were followed to")
    func inherited() async throws {
        let pipeline = try await pipeline()
        let before = reads.all.count
        pipeline.kill("coordinator")
        try await pipeline.settle()
        #expect(pipeline.coordinators["second"]?.ownedPartitions == [0, 1])
        #expect(pipeline.coordinators["second"]?.openSessions == 8)
        #expect(!reads.all[before...].contains(.beginning))
        try await finish(pipeline)
    }

    @Test(
        "coordinators that are restarted one after the other never give a partition to one that has to read it from the beginning"
    )
    func rolling() async throws {
        let pipeline = try await pipeline(partitions: 4)
        let before = reads.all.count
        for round in 0..<3 {
            for name in ["coordinator", "second"] {
                try pipeline.closeCoordinator(name)
                try await pipeline.settle()
                try pipeline.startCoordinator(name)
                try await pipeline.settle()
                if name == "second" { try await pipeline.play(["dropOff": "Airport"], session: "s\(round)") }
            }
        }
        #expect(!reads.all[before...].contains(.beginning))
        #expect(pipeline.coordinators.values.map(\.openSessions).reduce(0, +) == 8)
    }

    @Test(
        "a partition that went to another coordinator and comes back has what that one wrote, and is not read from the beginning"
    )
    func cameBack() async throws {
        let pipeline = try await TestPipeline(partitions: 2, perform: Booking.perform)
        pipeline.standby = 2
        let (topic, reads, followed) = (pipeline.topics.sessions, reads, Recorder<StartOffset>())
        pipeline.interposer = { name, client in
            ReadingClient(client) {
                if $0.topic == topic { (name.hasSuffix("-standby") ? followed : reads).record($1) }
            }
        }
        try pipeline.startAll()
        try await pipeline.settle()
        for number in 0..<8 { try pipeline.send(Booking.request("r"), session: "s\(number)", id: "r") }
        try await pipeline.settle()
        let before = (reads.all.count, followed.all.count)
        try pipeline.startCoordinator("second")
        try await pipeline.settle()
        #expect(pipeline.standbys["coordinator"]?.partitions == [1])
        // The second coordinator decides for one session, ends another and opens a third.
        let mine = (0..<40).map { Identifier("s\($0)") }.filter { Murmur2.partition(of: Array($0.utf8), count: 2) == 1 }
        try await pipeline.play(["dropOff": "Airport"], session: mine[0])
        try pipeline.send(.ended(reason: "test"), session: mine[1], id: "end")
        try pipeline.send(Booking.request("r"), session: mine.last!, id: "r")
        try await pipeline.settle()
        try await pipeline.advance(by: .seconds(2))
        let known = try #require(pipeline.coordinators["second"]).inspection[0]
        pipeline.kill("second")
        try await pipeline.settle()
        let coordinator = try #require(pipeline.coordinators["coordinator"])
        #expect(coordinator.ownedPartitions == [0, 1])
        #expect(
            coordinator.inspection[1].sessions == known.sessions
                && coordinator.inspection[1].forgotten == known.forgotten)
        #expect(known.sessions[mine.last!] != nil && known.sessions[mine[1]] == nil)
        #expect(!reads.all[before.0...].contains(.beginning))
        // The second coordinator has read both journals before it joined. The first one has continued from its
        // position.
        #expect(followed.all[before.1...].filter { $0 == .beginning }.count == 2)
        for session in [mine[0], mine.last!] {
            if session != mine[0] { try await pipeline.play(["dropOff": "Airport"], session: session) }
            #expect(
                try pipeline.results(session: session).map(\.line) == [
                    "prompt value dropOff", "prompt confirmIntent -", "completed success success",
                ])
        }
    }

    @Test("sessions that end while they are followed are not known to the next owner")
    func ended() async throws {
        let pipeline = try await pipeline(partitions: 1, sessions: 2)
        try pipeline.send(.ended(reason: "test"), session: "s0", id: "end")
        try await pipeline.settle()
        try await pipeline.advance(by: .seconds(4_000))
        pipeline.kill("coordinator")
        try await pipeline.settle()
        #expect(pipeline.coordinators["second"]?.ownedPartitions == [0])
        let open = try #require(pipeline.coordinators["second"]).inspection[0].sessions.keys.sorted()
        #expect(!open.contains("s0"))
    }
}

/// A client that reports where reads of partitions start.
final class ReadingClient: ForwardingClient, @unchecked Sendable {
    private let tell: (TopicPartition, StartOffset) -> Void

    init(_ inner: any LogClient, _ tell: @escaping (TopicPartition, StartOffset) -> Void) {
        self.tell = tell
        super.init(inner)
    }

    override func read(_ partition: TopicPartition, from start: StartOffset) throws(LogError) {
        tell(partition, start)
        try super.read(partition, from: start)
    }
}
