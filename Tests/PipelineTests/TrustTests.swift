import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("Trust to speak for the person") struct TrustTests {
    private func pipeline(_ trust: InputTrust) async throws -> TestPipeline {
        try await TestPipeline.prepared { $0.configuration.trust = trust }
    }

    @Test func `with separate trust, the writer of requests can't agree, correct, cancel or end`() async throws {
        let pipeline = try await pipeline(.separate)
        try await pipeline.book("s", "r", ["dropOff": "Airport"])
        let events: [SessionEvent] = [
            .answered(Answer(prompt: try pipeline.prompt("s"), action: .accept)),
            .corrected(Correction(request: nil, parameter: "dropOff", value: .string("Harbour"))),
            .cancelled(request: nil), .ended(reason: nil), .forgotten(Forgetting(keys: nil)),
            .handoffClaimed(handoff: "h", claimant: "phone"),
        ]
        for event in events {
            try await pipeline.deliver(event, from: .ann)
            #expect(try pipeline.last().line == "rejected unauthorized", "\(event)")
        }
        #expect(pipeline.records(\.handle).isEmpty)
        try await pipeline.answer(to: \.answers)
        #expect(try pipeline.last().line == "completed success success")
    }

    @Test func `with separate trust, an agent may fill in what is asked, and say no`() async throws {
        let pipeline = try await pipeline(.separate)
        try await pipeline.book("s", "r", [:], from: .ann)
        try await pipeline.answer("s", .accept, "Station", from: .ann)
        let option = Answer(prompt: try pipeline.prompt("s"), action: .accept, option: "n")
        try await pipeline.deliver(.answered(option), from: .ann)
        try await pipeline.answer("s", .decline, from: .ann)
        let lines = ["prompt value dropOff", "prompt choice dropOff", "prompt confirmIntent -"]
        #expect(try await pipeline.lines("s") == lines + ["completed cancelled cancelled"])
        #expect(pipeline.records(\.handle).isEmpty)
    }

    /// The parameters of a request, and an answer to its prompt that does more than fill in a value.
    private static let agreements: [(parameters: KeyValuePairs<String, String>, answer: Answer)] = [
        (["dropOff": "Stat"], Answer(prompt: "", action: .accept)),
        (["dropOff": "Airport", "confirm": "asks"], Answer(prompt: "", action: .accept, option: "n")),
        (
            ["dropOff": "Airport", "confirm": "none", "handle": "asks"],
            Answer(prompt: "", action: .accept, value: .string("100"))
        ),
        (["dropOff": "Airport", "pin": "1234"], Answer(prompt: "", action: .accept)),
        (
            ["dropOff": "Station", "party": "2"],
            Answer(prompt: "", action: .accept, option: "n", parameters: [.said("party", "9")])
        ),
    ]

    @Test(arguments: agreements, [true, false])
    func `an agent confirms and changes no value, and answers no confirmer`(
        _ agreement: (parameters: KeyValuePairs<String, String>, answer: Answer), saysItIsAgent: Bool
    ) async throws {
        // With open trust, only an answer that says so itself is an agent's, in whichever topic.
        let pipeline = try await pipeline(saysItIsAgent ? .open : .separate)
        try await pipeline.book("s", "r", agreement.parameters)
        var answer = agreement.answer
        (answer.prompt, answer.isFromAgent) = (try pipeline.prompt("s"), saysItIsAgent)
        for topic in saysItIsAgent ? [\Topics.requests, \.answers] : [\.requests] {
            try await pipeline.deliver(.answered(answer), to: topic)
            #expect(try pipeline.last().line == "rejected unauthorized")
        }
        answer.isFromAgent = false
        try await pipeline.deliver(.answered(answer), to: saysItIsAgent ? \.requests : \.answers)
        #expect(try pipeline.last().line != "rejected unauthorized")
    }

    @Test(arguments: InputTrust.allCases)
    func `a producer in the platform's name controls no other session`(_ trust: InputTrust) async throws {
        let pipeline = try await pipeline(trust)
        try await pipeline.book("s", "r", ["dropOff": "Airport"], to: \.answers, from: .ann)
        for event in [.cancelled(request: nil), .forgotten(Forgetting(keys: nil)), .ended(reason: nil)]
            as [SessionEvent]
        {
            try await pipeline.deliver(event, from: Principal(.system, "evil"))
            #expect(try pipeline.last().line == "rejected unauthorized")
        }
        try await pipeline.deliver(.ended(reason: nil), to: \.answers, from: Principal(.system, "operator"))
        #expect(try pipeline.last().line == "completed cancelled cancelled")
    }

    @Test func `a principal's session is refused to others by name, also after a takeover`() async throws {
        let pipeline = try await pipeline(.separate)
        try await pipeline.book("s", "r", ["dropOff": "Airport"], from: .ann)
        try await pipeline.replaceCoordinator()
        for principal in [nil, Principal(.appUser, "bob")] {
            try await pipeline.answer(to: \.answers, from: principal)
            #expect(try pipeline.last().line == "rejected unauthorized")
        }
        try await pipeline.answer(to: \.answers, from: .ann)
        #expect(try pipeline.last().line == "completed success success")
    }

    @Test func `results name the session's principal, and rejections without a session the sender`() async throws {
        let pipeline = try await pipeline(.separate)
        try await pipeline.book(from: .ann)
        try await pipeline.book("t")
        try await pipeline.deliver(.answered(Answer(prompt: "none", action: .accept)), "u", to: \.answers, from: .ann)
        #expect(try ["s", "t", "u"].map { try pipeline.last($0).principal } == [.ann, nil, .ann])
    }

    @Test func `a forbidden event that finds no session opens none, and is rejected`() async throws {
        let pipeline = try await pipeline(.separate)
        try await pipeline.deliver(.cancelled(request: nil))
        #expect(try await pipeline.lines("s") == ["rejected unauthorized"] && pipeline.coordinator().openSessions == 0)
    }

    @Test func `an event of intents.answers is decided on once, also after a crash`() async throws {
        let pipeline = try await pipeline(.open)
        try await pipeline.book("s", "r", ["dropOff": "Airport"], to: \.answers)
        let before = try await pipeline.lines("s")
        try await pipeline.replaceCoordinator()
        #expect(try await pipeline.lines("s") == before)
        let stamp = try #require(pipeline.records(\.sessions).last.map(JournalOutline.init)?.stamp)
        #expect(stamp.answers == 1 && stamp.requests == 0 && JournalStamp(stamp.description) == stamp)
    }
}

@Suite("The token of a handoff") struct HandoffTokenTests {
    private static let secret = Array("a secret of the coordinators".utf8)
    private static let older = Array("the secret they had before it".utf8)

    private static func handoff(_ id: Identifier = "r.3.handoff", type: String = "book", expires: Int64 = 1_000)
        -> Handoff
    {
        Handoff(
            id: id, request: "r", mode: .foreground, activity: UserActivity(activityType: type),
            interaction: Interaction(intent: "Book", parameters: [], code: .continueInApp),
            expires: Instant(milliseconds: expires))
    }

    private func tokens(_ secrets: [UInt8]...) throws -> HandoffTokens { try #require(HandoffTokens(secrets: secrets)) }

    @Test func `is valid for one session, one handoff, one activity type, one offer and one expiration`() throws {
        let (tokens, handoff) = (try tokens(Self.secret), Self.handoff())
        let token = tokens.token(for: handoff, session: "s")
        #expect(token.utf8.count == 64 && token == tokens.token(for: handoff, session: "s"))
        #expect(tokens.isValid(token, for: handoff, session: "s") && !tokens.isValid(token, for: handoff, session: "t"))
        let lookalike = tokens.token(for: handoff, session: "K")
        #expect(!tokens.isValid(lookalike, for: handoff, session: "\u{212A}"), "a key that only looks equal")
        var returned = handoff
        returned.returns = 1
        for other in [Self.handoff("r.4.handoff"), Self.handoff(type: "pay"), returned, Self.handoff(expires: 1_001)] {
            #expect(!tokens.isValid(token, for: other, session: "s"))
        }
    }

    @Test(arguments: ["", "0", "zz", String(repeating: "0", count: 64), String(repeating: "é", count: 32)])
    func `is invalid if it is anything else`(_ token: String) throws {
        #expect(try !tokens(Self.secret).isValid(token, for: Self.handoff(), session: "s"))
    }

    @Test func `from an older secret is valid while it is configured, and secrets have a minimum length`() throws {
        let (before, after) = (try tokens(Self.older), try tokens(Self.secret, Self.older))
        let token = before.token(for: Self.handoff(), session: "s")
        #expect(after.isValid(token, for: Self.handoff(), session: "s"))
        #expect(after.token(for: Self.handoff(), session: "s") != token)
        #expect(try !tokens(Self.secret).isValid(token, for: Self.handoff(), session: "s"))
        #expect(HandoffTokens(secrets: []) == nil && HandoffTokens(secrets: [Array("short".utf8)]) == nil)
    }

    /// A pipeline that has offered a handoff.
    private func offer(_ secrets: [UInt8]...) async throws -> (TestPipeline, token: String?) {
        let pipeline = try await TestPipeline.prepared {
            $0.configuration.handoffTokens = HandoffTokens(secrets: secrets)
        }
        try await pipeline.book("s", "r", ["dropOff": "Airport", "confirm": "app"])
        return (pipeline, try pipeline.last().data["token"]?.string)
    }

    /// Claims the newest handoff, and returns the newest result as a line.
    private func claim(_ pipeline: TestPipeline, by claimant: Identifier = "phone", token: String?) async throws
        -> String?
    {
        let handoff = try #require(try pipeline.results(session: "s").compactMap(\.offeredHandoff).last)
        try pipeline.send(
            .handoffClaimed(handoff: handoff, claimant: Claimant(claimant)), session: "s",
            id: "claim-\(claimant)-\(token ?? "")", token: token)
        return try await pipeline.lines("s").last
    }

    @Test func `is required with a claim, also after a takeover, and later claimants are rejected`() async throws {
        let (pipeline, token) = try await offer(Self.secret)
        for wrong in [nil, String(repeating: "0", count: 64)] {
            #expect(try await claim(pipeline, by: "thief", token: wrong) == "rejected unauthorized")
        }
        try await pipeline.replaceCoordinator()
        #expect(try await claim(pipeline, token: token) == "claimed phone")
        #expect(try await claim(pipeline, by: "watch", token: token) == "rejected unexpected")
    }

    @Test func `is invalid once the handoff is returned: the new offer has its own`() async throws {
        let (pipeline, token) = try await offer(Self.secret)
        #expect(try await claim(pipeline, token: token) == "claimed phone")
        let handoff = try #require(try pipeline.results(session: "s").compactMap(\.offeredHandoff).last)
        try await pipeline.deliver(.handoffReturned(handoff: handoff, claimant: "phone"))
        let again = try pipeline.last()
        #expect(again.line == "offer foreground" && again.data["token"]?.string != token)
        #expect(try await claim(pipeline, by: "watch", token: token) == "rejected unauthorized")
        #expect(try await claim(pipeline, by: "watch", token: again.data["token"]?.string) == "claimed watch")
    }
}
