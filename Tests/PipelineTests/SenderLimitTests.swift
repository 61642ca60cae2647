import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("A sender that writes too much")
struct SenderLimitTests {
    private static let ann = Principal(.appUser, "ann")

    private func pipeline(_ change: (TestPipeline) -> Void) async throws -> TestPipeline {
        let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
        change(pipeline)
        try pipeline.startAll()
        return pipeline
    }

    /// The session's rejections as busy, each with the wait in milliseconds.
    private func busy(_ pipeline: TestPipeline, _ session: Identifier) async throws -> [(wait: Int?, hasSequence: Bool)]
    {
        try await pipeline.settle()
        return try pipeline.results(session: session).filter { $0.data["reason"]?.string == "busy" }.map {
            ($0.data["retryAfter"]?.int, $0.sequence != nil)
        }
    }

    @Test(
        "is rejected as busy and told when to try again; its session goes on, others too, and it may go on after that time"
    )
    func rate() async throws {
        let pipeline = try await pipeline { ($0.maximumRate, $0.maximumBurst) = (2, 3) }
        for number in 0..<6 {
            try pipeline.send(.updatesStopped(request: "none"), session: "s", id: "e\(number)")
            if number == 0 {
                try pipeline.send(
                    Booking.request("r", ["dropOff": "Airport", "confirm": "none"]), session: "s", id: "r")
            }
        }
        try pipeline.send(Booking.request("q", ["dropOff": "Airport", "confirm": "none"]), session: "t", id: "q")
        let refused = try await busy(pipeline, "s")
        // The event before the request opens no session, so it is not counted. The request opens the session.
        #expect(refused.count == 2 && refused.allSatisfy { $0.wait == 500 && !$0.hasSequence })
        #expect(try pipeline.results(session: "s").last { $0.sequence != nil }?.line == "completed success success")
        #expect(try pipeline.results(session: "t").last?.line == "completed success success")
        pipeline.clock.advance(by: .milliseconds(500))
        try pipeline.send(.updatesStopped(request: "none"), session: "s", id: "later")
        #expect(try await busy(pipeline, "s").count == 2)
        #expect(try #require(pipeline.coordinators.values.first).counters.overloads == 2)
    }

    @Test("is not told that a request is refused that was accepted before")
    func repeats() async throws {
        let pipeline = try await pipeline { ($0.maximumRate, $0.maximumBurst) = (1, 2) }
        for _ in 0..<8 {
            try pipeline.send(
                Booking.request("r", ["dropOff": "Airport", "confirm": "none"]), session: "s", id: "r", from: Self.ann)
        }
        #expect(try await busy(pipeline, "s").isEmpty)
        try pipeline.send(.ended(reason: nil), session: "s", id: "end", from: Principal(.system, ""))
        try await pipeline.settle()
        try pipeline.send(
            Booking.request("r", ["dropOff": "Airport", "confirm": "none"]), session: "s", id: "r", from: Self.ann)
        #expect(try await busy(pipeline, "s").isEmpty, "also when its session is forgotten")
    }

    @Test(
        "is not told so of a forgotten session's request either, when the principal or the partition has no room for another session"
    )
    func repeatsWithoutRoom() async throws {
        for change in [{ $0.maximumSessionsOfPrincipal = 1 }, { $0.maximumSessions = 1 }] as [(TestPipeline) -> Void] {
            let pipeline = try await pipeline(change)
            func request(_ id: Identifier) throws {
                try pipeline.send(
                    Booking.request(id, ["dropOff": "Airport", "confirm": "none"]), session: id, id: id, from: Self.ann)
            }
            try request("a")
            try await pipeline.settle()
            try pipeline.send(
                .ended(reason: nil), session: "a", id: "end", to: pipeline.topics.answers, from: Principal(.system, ""))
            try await pipeline.settle()
            for id in ["b", "c", "a"] { try request(Identifier(id)) }
            #expect(try await busy(pipeline, "c").count == 1)
            #expect(try await busy(pipeline, "a").isEmpty)
        }
    }

    @Test("is one principal in all of its sessions")
    func principal() async throws {
        let pipeline = try await pipeline { ($0.maximumRate, $0.maximumBurst) = (1, 2) }
        for session in ["a", "b", "c"] {
            try pipeline.send(
                Booking.request(Identifier(session), ["dropOff": "Airport"]), session: Identifier(session),
                id: Identifier(session),
                from: Self.ann)
            try pipeline.send(
                Booking.request(Identifier(session), ["dropOff": "Airport"]), session: "\(session)2",
                id: Identifier(session))
        }
        #expect(try await busy(pipeline, "a").isEmpty)
        #expect(try await busy(pipeline, "b").isEmpty)
        #expect(try await busy(pipeline, "c").map(\.wait) == [1_000])
        #expect(try await busy(pipeline, "c2").isEmpty)
    }

    @Test("can't open more sessions than a principal may have, until one of its own is forgotten")
    func sessions() async throws {
        let pipeline = try await pipeline { $0.maximumSessionsOfPrincipal = 2 }
        func open(_ session: Identifier) async throws -> [Int?] {
            try pipeline.send(
                Booking.request(session, ["dropOff": "Airport", "confirm": "none"]), session: session, id: session,
                from: Self.ann)
            return try await busy(pipeline, session).map(\.wait)
        }
        #expect(try await open("a").isEmpty)
        #expect(try await open("b").isEmpty)
        #expect(try await open("c") == [1_800_000])
        pipeline.kill("coordinator")
        try pipeline.startCoordinator("successor")
        #expect(try await open("d") == [1_800_000], "its successor counts them too")
        try pipeline.send(
            .ended(reason: nil), session: "a", id: "end", to: pipeline.topics.answers, from: Principal(.system, ""))
        try await pipeline.settle()
        #expect(try await open("e").isEmpty)
    }

    @Test("does not use up what a principal may write, if it only names that principal and is not believed")
    func named() async throws {
        let pipeline = try await pipeline {
            $0.trust = .separate
            ($0.maximumRate, $0.maximumBurst, $0.maximumSessionsOfPrincipal) = (1, 3, 1)
        }
        func request(_ id: Identifier, in session: Identifier, to topic: String) throws {
            try pipeline.send(
                Booking.request(id, ["dropOff": "Airport"]), session: session, id: id, to: topic, from: Self.ann)
        }
        for number in 0..<6 { try request("agent\(number)", in: "agent", to: pipeline.topics.requests) }
        #expect(try await busy(pipeline, "agent").count == 2)
        pipeline.kill("coordinator")
        try pipeline.startCoordinator("successor")
        try request("r", in: "mine", to: pipeline.topics.answers)
        #expect(try await busy(pipeline, "mine").isEmpty, "the agent's session is not counted as hers")
        try request("q", in: "other", to: pipeline.topics.answers)
        #expect(try await busy(pipeline, "other").count == 1)
        try pipeline.send(
            .cancelled(request: nil), session: "agent", id: "c", to: pipeline.topics.answers, from: Self.ann)
        try await pipeline.settle()
        #expect(try pipeline.results(session: "agent").contains { $0.line == "completed cancelled cancelled" })
    }

    @Test("is told again by the next owner what the log may not have")
    func afterCrash() async throws {
        let pipeline = try await pipeline { ($0.maximumRate, $0.maximumBurst) = (1, 1) }
        for id in ["r", "q"] {
            try pipeline.send(Booking.request(Identifier(id), ["dropOff": "Airport"]), session: "s", id: Identifier(id))
        }
        let refused = try await busy(pipeline, "s")
        #expect(refused.isEmpty, "the request that opens a session is not counted")
        try pipeline.send(Booking.request("p", ["dropOff": "Airport"]), session: "s", id: "p")
        #expect(try await busy(pipeline, "s").count == 1)
        pipeline.kill("coordinator")
        try pipeline.startCoordinator("successor")
        #expect(try await busy(pipeline, "s").count == 1)
    }
}
