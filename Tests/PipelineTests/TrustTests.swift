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

    private func lines(_ pipeline: TestPipeline, _ session: Identifier = "s") async throws -> [String] {
        try await pipeline.settle()
        return try pipeline.results(session: session).map(\.line)
    }

    @Test(
        "with separate trust, who may only write requests can ask for an intent, and can neither agree, correct, cancel nor end"
    )
    func separate() async throws {
        let pipeline = try await pipeline(.separate)
        let topics = pipeline.topics
        try pipeline.send(Booking.request("r", ["dropOff": "Airport", "confirm": "ask"]), session: "s", id: "r")
        try await pipeline.settle()
        let prompt = try #require(try pipeline.results(session: "s").last?.prompt)
        let events: [(String, SessionEvent)] = [
            ("yes", .answered(Answer(prompt: prompt, action: .accept))),
            ("correct", .corrected(Correction(request: nil, parameter: "dropOff", value: .string("Harbour")))),
            ("cancel", .cancelled(request: nil)), ("end", .ended(reason: nil)),
            ("forget", .forgotten(Forgetting(keys: nil))),
            ("claim", .handoffClaimed(handoff: "h", claimant: "phone")),
        ]
        for (id, event) in events {
            try pipeline.send(event, session: "s", id: Identifier(id), to: topics.requests, from: Self.ann)
            let last = try await lines(pipeline).last
            #expect(last == "rejected unauthorized", "\(id)")
        }
        #expect(pipeline.log.records(in: topics.handle).isEmpty)
        try pipeline.send(.answered(Answer(prompt: prompt, action: .accept)), session: "s", id: "a", to: topics.answers)
        #expect(try await lines(pipeline).last == "completed success success")
    }

    @Test("with separate trust, an agent may fill in what is asked, and say no")
    func fillingIn() async throws {
        let pipeline = try await pipeline(.separate)
        let requests = pipeline.topics.requests
        func answer(_ id: Identifier, _ answer: (Identifier) -> Answer) async throws -> String? {
            let prompt = try #require(try pipeline.results(session: "s").last?.prompt)
            try pipeline.send(.answered(answer(prompt)), session: "s", id: id, to: requests, from: Self.ann)
            return try await lines(pipeline).last
        }
        try pipeline.send(Booking.request("r", ["confirm": "ask"]), session: "s", id: "r", to: requests, from: Self.ann)
        #expect(try await lines(pipeline).last?.hasPrefix("prompt value") == true)
        #expect(
            try await answer("a1") { Answer(prompt: $0, action: .accept, value: .string("Station")) }?.hasPrefix(
                "prompt choice") == true)
        #expect(
            try await answer("a2") { Answer(prompt: $0, action: .accept, option: "n") }?.hasPrefix(
                "prompt confirmIntent")
                == true)
        #expect(try await answer("a3") { Answer(prompt: $0, action: .decline) } == "completed cancelled cancelled")
        #expect(pipeline.log.records(in: pipeline.topics.handle).isEmpty)
    }

    /// A request, and an answer to its prompt that does more than fill in a value.
    private struct Agreement: Sendable {
        var parameters: KeyValuePairs<String, String>
        var answer: Answer

        init(
            _ parameters: KeyValuePairs<String, String>, option: String? = nil, value: JSON? = nil,
            changed: [ParameterState] = []
        ) {
            self.parameters = parameters
            answer = Answer(prompt: "", action: .accept, value: value, option: option, parameters: changed)
        }
    }

    private static let agreements = [
        Agreement(["dropOff": "Stat"]), Agreement(["dropOff": "Airport", "confirm": "asks"], option: "n"),
        Agreement(["dropOff": "Airport", "confirm": "none", "handle": "asks"], value: .string("100")),
        Agreement(["dropOff": "Airport", "pin": "1234"]),
        Agreement(
            ["dropOff": "Station", "party": "2"], option: "n",
            changed: [ParameterState(name: "party", value: .string("9"))]),
    ]

    @Test(
        "with separate trust, an agent confirms no value, answers nothing that confirm or handle asks, and changes no value that is there",
        arguments: agreements)
    private func notFillingIn(_ agreement: Agreement) async throws {
        let parameters = agreement.parameters
        let pipeline = try await pipeline(.separate)
        try pipeline.send(Booking.request("r", parameters), session: "s", id: "r")
        try await pipeline.settle()
        var answer = agreement.answer
        answer.prompt = try #require(try pipeline.results(session: "s").last { $0.prompt != nil }?.prompt)
        try pipeline.send(.answered(answer), session: "s", id: "a", to: pipeline.topics.requests)
        #expect(try await lines(pipeline).last == "rejected unauthorized")
        try pipeline.send(.answered(answer), session: "s", id: "b", to: pipeline.topics.answers)
        #expect(try await lines(pipeline).last != "rejected unauthorized")
    }

    @Test(
        "an answer that says of itself that it is an agent's agrees to nothing, whatever coordinators trust",
        arguments: agreements)
    private func ofAgent(_ agreement: Agreement) async throws {
        let pipeline = try await pipeline(.open)
        try pipeline.send(Booking.request("r", agreement.parameters), session: "s", id: "r")
        try await pipeline.settle()
        var answer = agreement.answer
        answer.prompt = try #require(try pipeline.results(session: "s").last { $0.prompt != nil }?.prompt)
        answer.isFromAgent = true
        for topic in [pipeline.topics.requests, pipeline.topics.answers] {
            try pipeline.send(.answered(answer), session: "s", id: "a-\(topic)", to: topic)
            #expect(try await lines(pipeline).last == "rejected unauthorized")
        }
        answer.isFromAgent = false
        try pipeline.send(.answered(answer), session: "s", id: "b", to: pipeline.topics.requests)
        #expect(try await lines(pipeline).last != "rejected unauthorized")
    }

    @Test(
        "a producer that names the platform controls no session of another, and the person's channel does",
        arguments: InputTrust.allCases)
    func system(_ trust: InputTrust) async throws {
        let pipeline = try await pipeline(trust)
        let (requests, answers) = (pipeline.topics.requests, pipeline.topics.answers)
        let request = Booking.request("r", ["dropOff": "Airport", "confirm": "ask"])
        try pipeline.send(request, session: "s", id: "r", to: answers, from: Self.ann)
        try await pipeline.settle()
        let events: [SessionEvent] = [.cancelled(request: nil), .forgotten(Forgetting(keys: nil)), .ended(reason: nil)]
        for (number, event) in events.enumerated() {
            try pipeline.send(event, session: "s", id: "x\(number)", to: requests, from: Principal(.system, "evil"))
            #expect(try await lines(pipeline).last == "rejected unauthorized")
        }
        try pipeline.send(.ended(reason: nil), session: "s", id: "e", to: answers, from: Principal(.system, "operator"))
        #expect(try await lines(pipeline).last == "completed cancelled cancelled")
    }

    @Test("with open trust, both topics take every event")
    func open() async throws {
        let pipeline = try await pipeline(.open)
        try pipeline.send(
            Booking.request("r", ["dropOff": "Airport", "confirm": "ask"]), session: "s", id: "r",
            to: pipeline.topics.answers)
        try await pipeline.settle()
        let prompt = try #require(try pipeline.results(session: "s").last?.prompt)
        try pipeline.send(
            .answered(Answer(prompt: prompt, action: .accept)), session: "s", id: "a", to: pipeline.topics.requests)
        #expect(try await lines(pipeline).last == "completed success success")
    }

    @Test("a request's principal counts as authenticated, unless trust is separate and it came by intents.requests")
    func principals() async throws {
        for (trust, isAnswer, expected) in [
            (InputTrust.open, false, Self.ann), (.open, true, Self.ann), (.separate, true, Self.ann),
            (.separate, false, nil),
        ] as [(InputTrust, Bool, Principal?)] {
            let pipeline = try await pipeline(trust)
            let topic = isAnswer ? pipeline.topics.answers : pipeline.topics.requests
            try pipeline.send(
                Booking.request("r", ["dropOff": "Airport"]), session: "s", id: "r", to: topic, from: Self.ann)
            try await pipeline.settle()
            let work = try #require(try pipeline.log.records(in: pipeline.topics.resolve).first.map(WorkEvent.init))
            #expect(work.work.item?.principal == expected, "\(trust), \(topic)")
        }
    }

    @Test(
        "what a principal has named as its session is refused to others by name, also after a crash of the coordinator")
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
            try pipeline.send(
                .answered(Answer(prompt: prompt, action: .accept)), session: "s", id: Identifier(id), to: answers,
                from: principal)
            #expect(try await lines(pipeline).last == "rejected unauthorized")
        }
        try pipeline.send(
            .answered(Answer(prompt: prompt, action: .accept)), session: "s", id: "a", to: answers, from: Self.ann)
        #expect(try await lines(pipeline).last == "completed success success")
    }

    @Test("results say whose session it is, and a rejection outside of any session who has sent the event")
    func tellsOwner() async throws {
        let pipeline = try await pipeline(.separate)
        try pipeline.send(
            Booking.request("r", ["dropOff": "Airport", "confirm": "none"]), session: "s", id: "r", from: Self.ann)
        try pipeline.send(Booking.request("q", ["dropOff": "Airport", "confirm": "none"]), session: "t", id: "q")
        try pipeline.send(
            .answered(Answer(prompt: "none", action: .accept)), session: "u", id: "a", to: pipeline.topics.answers,
            from: Self.ann)
        try await pipeline.settle()
        #expect(try pipeline.results(session: "s").allSatisfy { $0.principal == Self.ann })
        #expect(try pipeline.results(session: "t").allSatisfy { $0.principal == nil })
        #expect(try pipeline.results(session: "u").map(\.principal) == [Self.ann])
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
            Booking.request("r", ["dropOff": "Airport", "confirm": "ask"]), session: "s", id: "r",
            to: pipeline.topics.answers)
        try await pipeline.settle()
        let before = try await lines(pipeline)
        pipeline.kill("coordinator")
        try pipeline.startCoordinator("successor")
        #expect(try await lines(pipeline) == before)
        let stamp = try #require(
            pipeline.log.records(in: pipeline.topics.sessions).last.map(JournalOutline.init)?.stamp)
        #expect(stamp.answers == 1 && stamp.requests == 0 && JournalStamp(stamp.description) == stamp)
    }
}
