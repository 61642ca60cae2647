import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("Who is trusted to speak for the person")
struct TrustTests {
    private static let ann = Principal(.appUser, "ann")

    private func pipeline(_ trust: InputTrust) async throws -> TestPipeline {
        let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
        pipeline.trust = trust
        try pipeline.startAll()
        return pipeline
    }

    private func lines(_ pipeline: TestPipeline, _ session: String = "s") async throws -> [String] {
        try await pipeline.settle()
        return try pipeline.results(session: session).map(\.line)
    }

    @Test("with separate trust, who may only write requests can ask for an intent, and can neither agree, correct, cancel nor end")
    func separate() async throws {
        let pipeline = try await pipeline(.separate)
        let topics = pipeline.topics
        try pipeline.send(Booking.request("r", ["dropOff": "Airport", "confirm": "ask"]), session: "s", id: "r")
        try await pipeline.settle()
        let prompt = try #require(try pipeline.results(session: "s").last?.prompt)
        let events: [(String, SessionEvent)] = [
            ("yes", .answered(Answer(prompt: prompt, action: .accept))),
            ("correct", .corrected(Correction(request: nil, parameter: "dropOff", value: .string("Harbour")))),
            ("cancel", .cancelled(request: nil)), ("end", .ended(reason: nil)), ("forget", .forgotten(Forgetting(keys: nil))),
            ("claim", .handoffClaimed(handoff: "h", claimant: "phone")),
        ]
        for (id, event) in events {
            try pipeline.send(event, session: "s", id: id, to: topics.requests, from: Self.ann)
            let last = try await lines(pipeline).last
            #expect(last == "rejected unauthorized", "\(id)")
        }
        #expect(pipeline.log.records(in: topics.handle).isEmpty)
        try pipeline.send(.answered(Answer(prompt: prompt, action: .accept)), session: "s", id: "a", to: topics.answers)
        #expect(try await lines(pipeline).last == "completed success success")
    }

    @Test("with open trust, both topics take every event")
    func open() async throws {
        let pipeline = try await pipeline(.open)
        try pipeline.send(
            Booking.request("r", ["dropOff": "Airport", "confirm": "ask"]), session: "s", id: "r", to: pipeline.topics.answers)
        try await pipeline.settle()
        let prompt = try #require(try pipeline.results(session: "s").last?.prompt)
        try pipeline.send(.answered(Answer(prompt: prompt, action: .accept)), session: "s", id: "a", to: pipeline.topics.requests)
        #expect(try await lines(pipeline).last == "completed success success")
    }

    @Test("a request's principal counts as authenticated, unless trust is separate and it came by intents.requests")
    func principals() async throws {
        for (trust, isAnswer, expected) in [
            (InputTrust.open, false, Self.ann), (.open, true, Self.ann), (.separate, true, Self.ann), (.separate, false, nil),
        ] as [(InputTrust, Bool, Principal?)] {
            let pipeline = try await pipeline(trust)
            let topic = isAnswer ? pipeline.topics.answers : pipeline.topics.requests
            try pipeline.send(Booking.request("r", ["dropOff": "Airport"]), session: "s", id: "r", to: topic, from: Self.ann)
            try await pipeline.settle()
            let work = try #require(try pipeline.log.records(in: pipeline.topics.resolve).first.map(WorkEvent.init))
            #expect(work.work.item?.principal == expected, "\(trust), \(topic)")
        }
    }

    @Test("what a principal has named as its session is refused to others by name, also after a crash of the coordinator")
    func owner() async throws {
        let pipeline = try await pipeline(.separate)
        let answers = pipeline.topics.answers
        try pipeline.send(
            Booking.request("r", ["dropOff": "Airport", "confirm": "ask"]), session: "s", id: "r", from: Self.ann)
        try await pipeline.settle()
        pipeline.kill("coordinator")
        try pipeline.startCoordinator("successor")
        try await pipeline.settle()
        let prompt = try #require(try pipeline.results(session: "s").last?.prompt)
        for (id, principal) in [("none", nil), ("bob", Principal(.appUser, "bob"))] as [(String, Principal?)] {
            try pipeline.send(.answered(Answer(prompt: prompt, action: .accept)), session: "s", id: id, to: answers, from: principal)
            #expect(try await lines(pipeline).last == "rejected unauthorized")
        }
        try pipeline.send(.answered(Answer(prompt: prompt, action: .accept)), session: "s", id: "a", to: answers, from: Self.ann)
        #expect(try await lines(pipeline).last == "completed success success")
    }

    @Test("a forbidden event that finds no session opens none, and is rejected")
    func noSession() async throws {
        let pipeline = try await pipeline(.separate)
        try pipeline.send(.cancelled(request: nil), session: "s", id: "c")
        #expect(try await lines(pipeline) == ["rejected unauthorized"])
        #expect(pipeline.coordinators.values.first?.openSessions == 0)
    }

    @Test("what intents.answers holds is decided on once, also after a crash")
    func answersOnce() async throws {
        let pipeline = try await pipeline(.open)
        try pipeline.send(
            Booking.request("r", ["dropOff": "Airport", "confirm": "ask"]), session: "s", id: "r", to: pipeline.topics.answers)
        try await pipeline.settle()
        let before = try await lines(pipeline)
        pipeline.kill("coordinator")
        try pipeline.startCoordinator("successor")
        #expect(try await lines(pipeline) == before)
        let stamp = try #require(pipeline.log.records(in: pipeline.topics.sessions).last.map(JournalOutline.init)?.stamp)
        #expect(stamp.answers == 1 && stamp.requests == 0 && JournalStamp(stamp.description) == stamp)
    }
}
