import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("The token of a handoff")
struct HandoffTokenTests {
    private static let secret = Array("a secret of the coordinators".utf8)
    private static let older = Array("the secret they had before it".utf8)

    private static func handoff(_ id: Identifier = "r.3.handoff", type: String = "book") -> Handoff {
        Handoff(
            id: id, request: "r", mode: .foreground, activity: UserActivity(activityType: type),
            interaction: Interaction(intent: "Book", parameters: [], code: .continueInApp),
            expires: Instant(milliseconds: 1_000))
    }

    @Test("is valid for one session, one handoff, one activity type, one offer and one expiration")
    func bound() throws {
        let tokens = try #require(HandoffTokens(secrets: [Self.secret]))
        let handoff = Self.handoff()
        let token = tokens.token(for: handoff, session: "s")
        #expect(token.utf8.count == 64 && token == tokens.token(for: handoff, session: "s"))
        #expect(tokens.isValid(token, for: handoff, session: "s"))
        #expect(!tokens.isValid(token, for: handoff, session: "t"))
        #expect(
            !tokens.isValid(tokens.token(for: handoff, session: "K"), for: handoff, session: "\u{212A}"),
            "a key that only looks equal")
        #expect(!tokens.isValid(token, for: Self.handoff("r.4.handoff"), session: "s"))
        #expect(!tokens.isValid(token, for: Self.handoff(type: "pay"), session: "s"))
        var other = handoff
        other.returns = 1
        #expect(!tokens.isValid(token, for: other, session: "s"))
        other = handoff
        other.expires = Instant(milliseconds: 1_001)
        #expect(!tokens.isValid(token, for: other, session: "s"))
    }

    @Test(
        "is invalid if it is anything else",
        arguments: ["", "0", "zz", String(repeating: "0", count: 64), String(repeating: "é", count: 32)])
    func wrong(_ token: String) throws {
        #expect(
            try #require(HandoffTokens(secrets: [Self.secret])).isValid(token, for: Self.handoff(), session: "s")
                == false)
    }

    @Test("from an older secret is valid while that secret is configured, and a secret has a minimum length")
    func rotation() throws {
        let before = try #require(HandoffTokens(secrets: [Self.older]))
        let after = try #require(HandoffTokens(secrets: [Self.secret, Self.older]))
        let token = before.token(for: Self.handoff(), session: "s")
        #expect(after.isValid(token, for: Self.handoff(), session: "s"))
        #expect(after.token(for: Self.handoff(), session: "s") != token)
        #expect(
            try #require(HandoffTokens(secrets: [Self.secret])).isValid(token, for: Self.handoff(), session: "s")
                == false)
        #expect(HandoffTokens(secrets: []) == nil && HandoffTokens(secrets: [Array("short".utf8)]) == nil)
    }

    private func offer(_ secrets: [[UInt8]]) async throws -> (TestPipeline, handoff: Identifier, token: String?) {
        let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
        pipeline.handoffTokens = HandoffTokens(secrets: secrets)
        try pipeline.startAll()
        try pipeline.send(Booking.request("r", ["dropOff": "Airport", "confirm": "app"]), session: "s", id: "r")
        try await pipeline.settle()
        let offer = try #require(try pipeline.results(session: "s").last)
        return (pipeline, try #require(offer.offeredHandoff), offer.data["token"]?.string)
    }

    private func claim(_ pipeline: TestPipeline, _ handoff: Identifier, by claimant: Identifier, token: String?)
        async throws -> String?
    {
        try pipeline.send(
            .handoffClaimed(handoff: handoff, claimant: Claimant(claimant)), session: "s",
            id: "claim-\(claimant)-\(token ?? "")",
            token: token)
        try await pipeline.settle()
        return try pipeline.results(session: "s").last?.line
    }

    @Test("is required with a claim, and later claimants are rejected")
    func claimed() async throws {
        let (pipeline, handoff, token) = try await offer([Self.secret])
        #expect(try await claim(pipeline, handoff, by: "thief", token: nil) == "rejected unauthorized")
        #expect(
            try await claim(pipeline, handoff, by: "thief", token: String(repeating: "0", count: 64))
                == "rejected unauthorized")
        #expect(try await claim(pipeline, handoff, by: "phone", token: token) == "claimed phone")
        #expect(try await claim(pipeline, handoff, by: "watch", token: token) == "rejected unexpected")
    }

    @Test("is invalid once the handoff is returned: the new offer has its own")
    func returned() async throws {
        let (pipeline, handoff, token) = try await offer([Self.secret])
        #expect(try await claim(pipeline, handoff, by: "phone", token: token) == "claimed phone")
        try pipeline.send(.handoffReturned(handoff: handoff, claimant: "phone"), session: "s", id: "back")
        try await pipeline.settle()
        let again = try #require(try pipeline.results(session: "s").last)
        #expect(again.line == "offer foreground" && again.data["token"]?.string != token)
        #expect(try await claim(pipeline, handoff, by: "watch", token: token) == "rejected unauthorized")
        #expect(try await claim(pipeline, handoff, by: "watch", token: again.data["token"]?.string) == "claimed watch")
    }

    @Test("from an earlier owner is valid for its successor")
    func afterCrash() async throws {
        let (pipeline, handoff, token) = try await offer([Self.secret])
        pipeline.kill("coordinator")
        try pipeline.startCoordinator("successor")
        try await pipeline.settle()
        #expect(try await claim(pipeline, handoff, by: "phone", token: token) == "claimed phone")
    }

    @Test("is absent and not required if no secret is configured")
    func absent() async throws {
        let (pipeline, handoff, token) = try await offer([])
        #expect(token == nil)
        #expect(try await claim(pipeline, handoff, by: "phone", token: nil) == "claimed phone")
    }
}
