import Conversation
import IntentEvents
import IntentKit
import PipelineTestKit
import Testing

/// An intent of a workout service that has no goals.
private struct LogWorkout: Intent {
    static let title: LocalizedText = "Log a workout"
    @Parameter(title: "Goal") var goal: Int?
    @Parameter(title: "Kind", default: .remembered, requestValueDialog: "What kind?") var kind: String
    static let parameters = Parameters<Self>(\.$goal, \.$kind)
}

/// A ride that may have no destination, so that every result is possible.
private struct OptionalRide: Intent {
    static let title: LocalizedText = "Request a ride"
    @Parameter(title: "Drop-off") var dropOffLocation: Place?
    static let parameters = Parameters<Self>(\.$dropOffLocation)
}

/// A swim whose stroke is remembered for the person.
private struct LogSwim: Intent {
    static let title: LocalizedText = "Log a swim"
    @Parameter(title: "Stroke", default: .remembered, requestValueDialog: "Which stroke?", .memory(.person)) var stroke:
        String
    static let parameters = Parameters<Self>(\.$stroke)
}

private struct LogSwimHandler: IntentHandling {
    func handle(_ swim: LogSwim, context: Context) async throws -> HandleResponse { .success(dialog: "\(swim.stroke)") }
}

private struct LogWorkoutHandler: IntentHandling {
    var resolution: some Resolution<LogWorkout> {
        Resolve(\.$goal) { _, _ in .notRequired() }
    }
    func handle(_ workout: LogWorkout, context: Context) async throws -> HandleResponse {
        .success(dialog: "\(workout.kind) with \(workout.goal.map { "the goal \($0)" } ?? "no goal")")
    }
}

@Suite("Seed 000, 002: the resolution result determines the interaction with the person")
struct Seed000ResultsTests {
    private let johns = SendPaymentHandler.johns

    private func payment(_ handler: SendPaymentHandler, _ amount: String? = "20 EUR") async throws -> Dialogue {
        let talk = try await Dialogue(SingleHandlerExtension(handler: handler))
        if let amount {
            try await talk.request(SendPayment.self, ["payee": "John", "currencyAmount": amount])
        } else {
            try await talk.request(SendPayment.self, ["payee": "John"])
        }
        return talk
    }

    @Test("all parameters must be successful or not required before confirm and handle")
    func allOfThem() async throws {
        let talk = try await payment(SendPaymentHandler(contacts: [johns[0]]), nil)
        #expect(try talk.work(.confirm).isEmpty)
        try await talk.say("20 EUR")
        #expect(try talk.work(.confirm).count == 1)
    }

    @Test("success: the only John is used without asking")
    func success() async throws {
        let handler = SendPaymentHandler(contacts: [johns[0]])
        #expect(try await payment(handler).lines() == ["completed success success"])
        #expect(handler.notebook.all.last == "handle j1 €20.00")
    }

    @Test("success: an educated guess is enough")
    func educatedGuess() async throws {
        struct Guessing: IntentHandling {
            var resolution: some Resolution<RequestRide> {
                Resolve(\.$dropOffLocation) { _, _ in .success(Place(name: "Airport", locality: "Terminal 2")) }
            }
            func handle(_ ride: RequestRide, context: Context) async throws -> HandleResponse {
                .success(dialog: "\(ride.dropOffLocation.name)")
            }
        }
        let talk = try await Dialogue(SingleHandlerExtension(handler: Guessing()))
        try await talk.request(RequestRide.self, ["dropOffLocation": "the plane"])
        #expect(try talk.lines() == ["completed success success"] && talk.last()?.dialog == "Airport")
    }

    @Test("not required: a workout goal that the service does not use needs no prompt")
    func notRequired() async throws {
        let talk = try await Dialogue(SingleHandlerExtension(handler: LogWorkoutHandler()))
        try await talk.request(LogWorkout.self, ["goal": "5", "kind": "run"])
        #expect(try talk.lines() == ["completed success success"])
        #expect(
            try talk.last()?.dialog == "run with no goal",
            "the service is handled without the goal, although one was said")
        #expect(try talk.last()?.data["parameters"]?["goal"] == nil, "and the completion does not say otherwise")
        #expect(try talk.work(.handle).last?.item?.parameters.first { $0.name == "goal" }?.origin == .notRequired)
    }

    @Test("needs disambiguation: of two equally likely Johns the person selects one")
    func disambiguation() async throws {
        let handler = SendPaymentHandler(contacts: johns)
        let talk = try await payment(handler)
        #expect(try talk.lines() == ["prompt choice payee"])
        try await talk.choose("j2")
        #expect(handler.notebook.all.last == "handle j2 €20.00")
    }

    @Test("needs confirmation: the favourite John is proposed, and the person confirms")
    func confirmation() async throws {
        let handler = SendPaymentHandler(contacts: johns, favorites: ["j2"])
        let talk = try await payment(handler)
        #expect(try talk.lines() == ["prompt confirmValue payee"])
        #expect(try talk.prompt()?.data["value"]?.json == JSON(johns[1]))
        try await talk.yes()
        #expect(handler.notebook.all.last == "handle j2 €20.00" && handler.notebook.count("search") == 1)
    }

    @Test("value required: a payment without an amount asks for it")
    func valueRequired() async throws {
        let talk = try await payment(SendPaymentHandler(contacts: [johns[0]]), nil)
        #expect(try talk.lines() == ["prompt value currencyAmount"] && talk.prompt()?.dialog == "How much?")
        try await talk.say("€20")
        #expect(try talk.lines().last == "completed success success")
    }

    @Test("unsupported: the person is told that Canadian dollars are not supported, and asked again")
    func unsupported() async throws {
        let handler = SendPaymentHandler(contacts: [johns[0]])
        let talk = try await payment(handler, "20 CAD")
        let prompt = try #require(try talk.prompt())
        #expect(prompt.said == "prompt value currencyAmount" && prompt.dialog == "Only euros or US dollars.")
        #expect(prompt.data["unsupported"]?["reason"]?.string == "currencyUnsupported")
        try await talk.say("20 EUR")
        #expect(handler.notebook.all.suffix(2) == ["confirm j1 €20.00", "handle j1 €20.00"])
    }

    @Test("unsupported: a value may conflict with the value of another parameter")
    func conflict() async throws {
        let talk = try await payment(SendPaymentHandler(contacts: [johns[0]]), "80 EUR")
        #expect(try talk.prompt()?.data["unsupported"]?["reason"]?.string == "amountAboveMaximum")
        #expect(
            try await payment(SendPaymentHandler(contacts: [johns[1]]), "80 EUR").lines() == [
                "completed success success"
            ])
    }

    @Test("success and not required need no interaction; every other result needs one")
    func interactions() async throws {
        struct Scripted: IntentHandling {
            let result: ResolutionResult<Place>
            var resolution: some Resolution<OptionalRide> { Resolve(\.$dropOffLocation) { _, _ in result } }
            func handle(_ ride: OptionalRide, context: Context) async throws -> HandleResponse { .success }
        }
        let (a, b) = (Place(name: "A"), Place(name: "B"))
        let expected: [(ResolutionResult<Place>, String)] = [
            (.success(a), "completed success success"), (.notRequired(), "completed success success"),
            (.needsValue(), "prompt value dropOffLocation"),
            (.disambiguation([a, b]), "prompt choice dropOffLocation"),
            (.confirmationRequired(b), "prompt confirmValue dropOffLocation"),
            (.unsupported(), "prompt value dropOffLocation"),
        ]
        for (result, line) in expected {
            let talk = try await Dialogue(SingleHandlerExtension(handler: Scripted(result: result)))
            try await talk.request(OptionalRide.self, ["dropOffLocation": "A"])
            #expect(try talk.lines() == [line])
            #expect(
                try talk.work(.handle).isEmpty == (line != "completed success success"),
                "nothing is handled before the person answers")
        }
    }

    @Test("a parameter that is not resolved at once leads to another call of the handler")
    func additionalCalls() async throws {
        for (contacts, calls) in [([johns[0]], 1), (johns, 2)] {
            let handler = SendPaymentHandler(contacts: contacts)
            let talk = try await payment(handler)
            if calls == 2 { try await talk.choose("j1") }
            #expect(handler.notebook.count("payee") == calls)
        }
    }

    @Test("the number of prompts for one parameter is limited")
    func notRepeatedly() async throws {
        let talk = try await payment(SendPaymentHandler(contacts: [johns[0]]), "20 CAD")
        for _ in 0..<20 where try talk.completions().isEmpty { try await talk.say("20 CAD") }
        #expect(try talk.lines().count { $0 == "prompt value currencyAmount" } == talk.pipeline.policy.maximumAsks)
        #expect(try talk.lines().last?.hasPrefix("completed failure") == true)
    }

    @Test("a value may come from the person's habits instead of a question, and the latest habit counts")
    func habits() async throws {
        let talk = try await Dialogue(SingleHandlerExtension(handler: LogWorkoutHandler()))
        try await talk.request(LogWorkout.self, id: "r0")
        #expect(try talk.lines() == ["prompt value kind"], "a person without habits is asked")
        try await talk.say("run")
        try await talk.request(LogWorkout.self, id: "r1")
        #expect(try talk.lines().count == 3 && talk.last()?.dialog == "run with no goal", "and not asked again")
        try await talk.request(LogWorkout.self, ["kind": "swim"], id: "r2")
        try await talk.request(LogWorkout.self, id: "r3")
        #expect(try talk.last()?.dialog == "swim with no goal")
        let other = try await Dialogue(SingleHandlerExtension(handler: LogWorkoutHandler()), session: "other")
        try await other.request(LogWorkout.self)
        #expect(try other.lines() == ["prompt value kind"], "habits are those of one conversation")
    }

    @Test("the habits of a person are known in their other conversations, until they have them forgotten")
    func habitsOfPerson() async throws {
        let talk = try await Dialogue(SingleHandlerExtension(handler: LogSwimHandler()))
        talk.person = Principal(.appUser, "ann")
        try await talk.request(LogSwim.self)
        try await talk.say("crawl")
        #expect(try talk.last()?.dialog == "crawl")
        talk.pipeline.clock.advance(by: talk.pipeline.policy.idleTimeout + .seconds(5))
        try await talk.pipeline.settle()
        talk.session = "tomorrow"
        try await talk.request(LogSwim.self)
        #expect(try talk.lines().count == 1 && talk.last()?.dialog == "crawl")
        let source = try talk.last()?.data["provenance"]?["stroke"]
        #expect(source?["source"]?.string == "remembered" && source?["intent"]?.string == "LogSwim")
        talk.pipeline.clock.advance(by: .seconds(60))
        try await talk.send(.forgotten(Forgetting(scope: .person)))
        talk.session = "last"
        try await talk.request(LogSwim.self)
        #expect(try talk.lines() == ["prompt value stroke"])
        talk.session = "bob's"
        talk.person = Principal(.appUser, "bob")
        try await talk.request(LogSwim.self)
        #expect(try talk.lines() == ["prompt value stroke"], "habits are those of one person")
    }
}
