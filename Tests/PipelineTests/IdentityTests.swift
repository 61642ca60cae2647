import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("Names that only look equal are different")
struct IdentityTests {
    private static let keys = ["K-0", "\u{212A}-0"]
    private let calls = Recorder<String>()

    private func pipeline() async throws -> TestPipeline {
        let pipeline = try await TestPipeline(partitions: 1) { [calls] invocation, report in
            let context = invocation.context
            if invocation.phase == .handle { calls.record(Self.shown("\(context.session)/\(context.request)")) }
            return await Booking.perform(invocation, report)
        }
        try pipeline.startAll()
        return pipeline
    }

    /// The name with escapes for all characters beyond ASCII, so that lines can be compared as texts.
    private static func shown(_ name: String) -> String {
        name.unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
    }

    private func lines(_ pipeline: TestPipeline, _ session: Identifier) throws -> [String] {
        try pipeline.results(session: session).map(\.line)
    }

    @Test("two sessions are two for the coordinator, in its journal, and for its successor")
    func sessions() async throws {
        let pipeline = try await pipeline()
        for key in Self.keys { try pipeline.send(Booking.request("r"), session: Identifier(key), id: "r") }
        try await pipeline.settle()
        #expect(try #require(pipeline.coordinators["coordinator"]).openSessions == 2)
        pipeline.kill("coordinator")
        try pipeline.startCoordinator("successor")
        try await pipeline.settle()
        #expect(try #require(pipeline.coordinators["successor"]).openSessions == 2)
        for key in Self.keys {
            let prompt = try #require(try pipeline.results(session: Identifier(key)).last?.prompt)
            let answer = Answer(prompt: prompt, action: .cancel)
            try pipeline.send(.answered(answer), session: Identifier(key), id: "a")
            try await pipeline.settle()
            #expect(try lines(pipeline, Identifier(key)).last == "completed cancelled cancelled", "\(Self.shown(key))")
        }
    }

    @Test("a session is not known by the requests of a forgotten one, and two requests are two")
    func forgotten() async throws {
        let pipeline = try await pipeline()
        func ask(_ session: Identifier, _ id: Identifier) async throws {
            try pipeline.send(Booking.request(id, ["dropOff": "Airport", "confirm": "none"]), session: session, id: id)
            try await pipeline.settle()
        }
        try await ask("K-0", "\u{E9}")
        try await pipeline.advance(by: pipeline.policy.idleTimeout)
        let coordinator = try #require(pipeline.coordinators["coordinator"])
        #expect(coordinator.openSessions == 0 && coordinator.forgottenSessions == 1)
        try await ask("K-0", "\u{E9}")
        #expect(coordinator.counters.ignored[.duplicateRequest] == 1)
        try await ask("K-0", "e\u{301}")
        try await ask("\u{212A}-0", "\u{E9}")
        #expect(calls.all == ["K-0/\\u{00E9}", "K-0/e\\u{0301}", "\\u{212A}-0/\\u{00E9}"])
    }

    @Test("a principal reads, answers and confirms nothing in the session of one that it looks like")
    func principals() async throws {
        let pipeline = try await pipeline()
        let (owner, other) = (Principal(.appUser, "jos\u{E9}"), Principal(.appUser, "jose\u{301}"))
        try pipeline.send(
            Booking.request("r", ["dropOff": "Airport", "confirm": "ask"]), session: "s", id: "r", from: owner)
        try await pipeline.settle()
        let prompted = try #require(try pipeline.results(session: "s").last)
        #expect(prompted.principal == owner && prompted.principal != other)
        let yes = SessionEvent.answered(Answer(prompt: try #require(prompted.prompt), action: .accept))
        try pipeline.send(yes, session: "s", id: "a", from: other)
        try await pipeline.settle()
        #expect(try lines(pipeline, "s").last == "rejected unauthorized")
        #expect(calls.all == [])
        try pipeline.send(yes, session: "s", id: "b", from: owner)
        try await pipeline.settle()
        #expect(calls.all == ["s/r"])
    }
}
