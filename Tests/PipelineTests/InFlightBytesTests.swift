import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("A coordinator with large sessions whose records are not acknowledged")
struct InFlightBytesTests {
    private static let note = String(repeating: "x", count: 50_000)

    private func pipeline(
        partitions: Int32 = 1, _ configure: @escaping (inout CoordinatorConfiguration) -> Void
    ) async throws -> TestPipeline {
        let pipeline = try await TestPipeline(partitions: partitions, perform: Booking.perform)
        pipeline.configureCoordinator = configure
        try pipeline.startAll()
        try await pipeline.settle()
        return pipeline
    }

    private func ask(_ pipeline: TestPipeline, _ session: Identifier, _ id: Identifier = "r") throws {
        let event = Booking.request(id, ["dropOff": "Airport", "confirm": "none", "note": Self.note])
        try pipeline.send(event, session: session, id: id)
    }

    private func coordinator(_ pipeline: TestPipeline) throws -> Coordinator {
        try #require(pipeline.coordinators["coordinator"])
    }

    @Test(
        "takes input for a bounded number of bytes, keeps what it has read beyond that, and goes on when half is acknowledged"
    )
    func partition() async throws {
        let pipeline = try await pipeline { $0.maximumInFlightBytes = 400_000 }
        pipeline.log.setLeaders(of: pipeline.topics.sessions, areAway: true)
        for number in 1...40 { try ask(pipeline, "s\(number)") }
        try await pipeline.settle()
        #expect(try 400_000...460_000 ~= coordinator(pipeline).inFlightBytes)
        #expect(try coordinator(pipeline).counters.decisions < 10)
        pipeline.log.setLeaders(of: pipeline.topics.sessions, areAway: false)
        try await pipeline.settle()
        #expect(try coordinator(pipeline).inFlightBytes == 0)
        for number in 1...40 {
            #expect(try pipeline.results(session: "s\(number)").map(\.line) == ["completed success success"])
        }
    }

    @Test("counts a decision until its effects are acknowledged, not only its record")
    func effects() async throws {
        let pipeline = try await pipeline { $0.maximumInFlightBytes = 400_000 }
        pipeline.log.setLeaders(of: pipeline.topics.resolve, areAway: true)
        for number in 1...40 { try ask(pipeline, "s\(number)") }
        try await pipeline.settle()
        #expect(try 400_000...460_000 ~= coordinator(pipeline).inFlightBytes)
        pipeline.log.setLeaders(of: pipeline.topics.resolve, areAway: false)
        try await pipeline.settle()
        #expect(try coordinator(pipeline).inFlightBytes == 0)
        for number in 1...40 {
            #expect(try pipeline.results(session: "s\(number)").map(\.line) == ["completed success success"])
        }
    }

    @Test(
        "has a bound for all of its partitions together, of which each has its share: no partition waits for another one's"
    )
    func process() async throws {
        let pipeline = try await pipeline(partitions: 4) { $0.maximumInFlightBytesOfAll = 500_000 }
        for number in 0..<3 {
            pipeline.log.setLeader(of: TopicPartition(pipeline.topics.sessions, Int32(number)), isAway: true)
        }
        for number in 1...60 { try ask(pipeline, "s\(number)") }
        try await pipeline.settle()
        #expect(try 375_000...640_000 ~= coordinator(pipeline).inFlightBytes)
        let isThere = { (session: String) in Murmur2.partition(of: Array(session.utf8), count: 4) == 3 }
        for session in (1...60).map({ "s\($0)" }) where isThere(session) {
            #expect(try pipeline.results(session: Identifier(session)).map(\.line) == ["completed success success"])
        }
        pipeline.log.setLeaders(of: pipeline.topics.sessions, areAway: false)
        try await pipeline.settle()
        for number in 1...60 {
            #expect(try pipeline.results(session: "s\(number)").map(\.line) == ["completed success success"])
        }
    }

    @Test("decides on small events of one large session in their order, and never holds much more than the bound")
    func oneSession() async throws {
        let pipeline = try await pipeline { $0.maximumInFlightBytes = 1_000_000 }
        try pipeline.send(Booking.request("open"), session: "s", id: "open")
        for number in 1...4 { try ask(pipeline, "s", "r\(number)") }
        try await pipeline.settle()
        pipeline.log.setLeaders(of: pipeline.topics.sessions, areAway: true)
        for number in 1...60 {
            let correction = Correction(request: "r1", parameter: "party", value: .string("\(number)"))
            try pipeline.send(.corrected(correction), session: "s", id: "c\(number)")
        }
        try await pipeline.settle()
        #expect(try 1_000_000...1_250_000 ~= coordinator(pipeline).inFlightBytes)
        pipeline.log.setLeaders(of: pipeline.topics.sessions, areAway: false)
        try await pipeline.settle()
        #expect(try coordinator(pipeline).inFlightBytes == 0)
        let newest = try #require(pipeline.log.records(in: pipeline.topics.sessions).last { $0.key == Array("s".utf8) })
        guard case .session(_, let journaled?) = try JournalRecord(newest).content else { return }
        #expect(journaled.session.queued.first?.parameters.last == ParameterState(name: "party", value: .string("60")))
    }

    @Test("fires no timers meanwhile, does not wake for them either, and fires them later")
    func timers() async throws {
        let pipeline = try await pipeline { $0.maximumInFlightBytes = 100_000 }
        try pipeline.send(Booking.request("r"), session: "asked", id: "r")
        try await pipeline.settle()
        pipeline.log.setLeaders(of: pipeline.topics.sessions, areAway: true)
        for number in 1...4 { try ask(pipeline, "s\(number)") }
        try await pipeline.settle()
        let decisions = try coordinator(pipeline).counters.decisions
        try await pipeline.advance(by: pipeline.policy.answerTimeout)
        #expect(try coordinator(pipeline).counters.decisions == decisions)
        #expect(try coordinator(pipeline).nextTimer > pipeline.clock.now)
        pipeline.log.setLeaders(of: pipeline.topics.sessions, areAway: false)
        try await pipeline.settle()
        #expect(try pipeline.results(session: "asked").last?.line == "completed timedOut requestTimedOut")
    }
}
