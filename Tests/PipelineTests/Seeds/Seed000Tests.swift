import Conversation
import IntentEvents
import IntentKit
import PipelineTestKit
import Testing

/// An intent with a value of any type.
private struct Anything<Value: ParameterValue>: Intent {
    static var name: String { "Anything" }
    static var title: LocalizedText { "Anything" }
    @Parameter(title: "Value") var value: Value?
    static var parameters: Parameters<Self> { Parameters(\.$value) }
}

/// A handler that resolves any value in the same way.
private struct Deciding<Value: ParameterValue>: IntentHandling {
    let result: ResolutionResult<Value>
    var resolution: some Resolution<Anything<Value>> { Resolve(\.$value) { _, _ in result } }
    func handle(_ intent: Anything<Value>, context: Context) async throws -> HandleResponse { .success }
}

@Suite("Seed 000, 002: the parameters of an intent are resolved") struct Seed000ResolvingTests {
    private let johns = SendPaymentHandler.johns

    @Test("the person's words become data of the parameters' types, each verified by its Resolve, in declaration order")
    func wordsBecomeData() async throws {
        let handler = SendPaymentHandler(contacts: [johns[1]])
        let talk = try await TestConversation(about: handler, ["currencyAmount": "14.50 euros", "payee": "John"])
        #expect(
            handler.notebook.all == ["payee", "search John", "amount €14.50", "confirm j2 €14.50", "handle j2 €14.50"])
        let amount = CurrencyAmount(minorUnits: 1_450, currencyCode: "EUR")
        #expect(
            try talk.work(.handle) == [["currencyAmount": JSON(amount), "payee": JSON(johns[1])]],
            "no words are left in what is handled")
    }

    @Test func `the ride is only requested after the person has given a valid drop-off`() async throws {
        let handler = RequestRideHandler()
        var talk = try await TestConversation(about: handler)
        try await talk.answer("Moon")
        #expect(try talk.steps == ["prompt value dropOffLocation", "prompt value dropOffLocation"])
        #expect(try talk.lines[0] == "asks dropOffLocation: Where are you going?")
        #expect(try talk.prompt?.data["unsupported"]?["reason"]?.string == "unsupported")
        #expect(try talk.dispatched(.confirm).isEmpty && talk.dispatched(.handle).isEmpty)
        try await talk.answer("Airport")
        #expect(
            handler.notebook.all == [
                "resolve nothing", "resolve Moon", "resolve Airport", "confirm Airport", "handle Airport",
            ])
        #expect(try talk.steps.last == "completed success success")
    }

    @Test("after each round the intent has the handler's result for the value, also after a round that came to nothing")
    func intentIsUpdated() async throws {
        var talk = try await TestConversation(about: SendPaymentHandler(contacts: [johns[1]]), ["payee": "John"])
        try await talk.answer("20 CAD")
        #expect(try talk.steps.last == "prompt value currencyAmount", "this round came to nothing")
        #expect(try talk.work(.resolve).last?["payee"] == JSON(johns[1]))
        try await talk.answer("20 EUR")
        for phase in Phase.allCases { #expect(try talk.work(phase).last?["payee"] == JSON(johns[1])) }
    }

    @Test func `what a handler found out in an unsuccessful attempt is there when it is called again`() async throws {
        struct Remembering: IntentHandling {
            let notebook = Recorder<String>()
            var resolution: some Resolution<RequestRide> {
                Resolve(\.$dropOffLocation) { place, _, context in
                    let near = try await context.once("near") {
                        notebook.record("search")
                        return ["Airport", "Harbour"]
                    }
                    guard let place, near.contains(place.name) else {
                        return .unsupported(reason: "tooFar", dialog: "Only \(near.joined(separator: ", ")).")
                    }
                    return .success(place)
                }
            }
            func handle(_ ride: RequestRide, context: Context) async throws -> HandleResponse { .success }
        }
        let handler = Remembering()
        var talk = try await TestConversation(about: handler, ["dropOffLocation": "Moon"])
        try await talk.answer("Mars")
        try await talk.answer("Harbour")
        let asks = "asks dropOffLocation: Only Airport, Harbour."
        #expect(try talk.lines == [asks, asks, "success success"] && handler.notebook.count("search") == 1)
    }
}

/// An intent of a workout service that has no goals.
private struct LogWorkout: Intent {
    static let title: LocalizedText = "Log a workout"
    @Parameter(title: "Goal") var goal: Int?
    @Parameter(title: "Kind", default: .remembered, requestValueDialog: "What kind?") var kind: String
    static let parameters = Parameters<Self>(\.$goal, \.$kind)
}

private struct LogWorkoutHandler: IntentHandling {
    var resolution: some Resolution<LogWorkout> {
        Resolve(\.$goal) { _, _ in .notRequired() }
    }
    func handle(_ workout: LogWorkout, context: Context) async throws -> HandleResponse {
        .success(dialog: "\(workout.kind) with \(workout.goal.map { "the goal \($0)" } ?? "no goal")")
    }
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

@Suite("Seed 000, 002: the resolution result determines the interaction with the person") struct Seed000ResultsTests {
    private let johns = SendPaymentHandler.johns

    private func payment(_ handler: SendPaymentHandler, _ amount: String = "20 EUR") async throws -> TestConversation {
        try await TestConversation(about: handler, ["payee": "John", "currencyAmount": amount])
    }

    @Test func `success: the only John is used without asking`() async throws {
        let handler = SendPaymentHandler(contacts: [johns[0]])
        #expect(try await payment(handler).steps == ["completed success success"])
        #expect(handler.notebook.count("payee") == 1 && handler.notebook.all.last == "handle j1 €20.00")
    }

    @Test func `not required: a workout goal that the service does not use needs no prompt`() async throws {
        let talk = try await TestConversation(about: LogWorkoutHandler(), ["goal": "5", "kind": "run"])
        #expect(
            try talk.lines == ["success success: run with no goal"],
            "the service is handled without the goal, although one was said")
        #expect(try talk.last?.data["parameters"]?["goal"] == nil, "and the completion does not say otherwise")
        let goal = try talk.dispatched(.handle).last?.item?.parameters.first { $0.name == "goal" }
        #expect(goal?.origin == .notRequired)
    }

    @Test(
        "needs disambiguation: of two equally likely Johns the person selects one, whose identifier spares another search"
    )
    func disambiguation() async throws {
        let handler = SendPaymentHandler()
        var talk = try await payment(handler)
        #expect(try talk.steps == ["prompt choice payee"] && talk.prompt?.options == ["j1", "j2"])
        try await talk.answer("j2")
        #expect(handler.notebook.count("payee") == 2 && handler.notebook.count("search") == 1)
        #expect(try talk.steps.last == "completed success success" && handler.notebook.all.last == "handle j2 €20.00")
    }

    @Test func `needs confirmation: the favourite John is proposed, and the person confirms`() async throws {
        let handler = SendPaymentHandler(favorites: ["j2"])
        var talk = try await payment(handler)
        #expect(try talk.steps == ["prompt confirmValue payee"])
        #expect(try talk.prompt?.data["value"]?.json == JSON(johns[1]))
        try await talk.answer("yes")
        #expect(handler.notebook.all.last == "handle j2 €20.00" && handler.notebook.count("search") == 1)
    }

    @Test func `value required: a payment without an amount asks for it before it is confirmed`() async throws {
        var talk = try await TestConversation(about: SendPaymentHandler(contacts: [johns[0]]), ["payee": "John"])
        #expect(try talk.dispatched(.confirm).isEmpty)
        try await talk.answer("€20")
        #expect(try talk.lines == ["asks currencyAmount: How much?", "success success"])
        #expect(try talk.dispatched(.confirm).count == 1)
    }

    @Test
    func `unsupported: the person is told that Canadian dollars are not supported, and asked again`() async throws {
        let handler = SendPaymentHandler(contacts: [johns[0]])
        var talk = try await payment(handler, "20 CAD")
        #expect(try talk.lines == ["asks currencyAmount: Only euros or US dollars."])
        #expect(try talk.prompt?.data["unsupported"]?["reason"]?.string == "currencyUnsupported")
        try await talk.answer("20 EUR")
        #expect(handler.notebook.all.suffix(2) == ["confirm j1 €20.00", "handle j1 €20.00"])
    }

    @Test func `unsupported: a value may conflict with the value of another parameter`() async throws {
        let talk = try await payment(SendPaymentHandler(contacts: [johns[0]]), "80 EUR")
        #expect(try talk.prompt?.data["unsupported"]?["reason"]?.string == "amountAboveMaximum")
        let other = try await payment(SendPaymentHandler(contacts: [johns[1]]), "80 EUR")
        #expect(try other.steps == ["completed success success"])
    }

    private func expect<Value>(
        _ step: String, of result: ResolutionResult<Value>, _ words: String, with value: Value? = nil
    ) async throws {
        let talk = try await TestConversation(about: Deciding(result: result), ["value": words])
        #expect(try talk.steps == [step], "\(Value.self)")
        let work = try talk.work(.handle)
        #expect(work.isEmpty == (step != "completed success success"), "nothing is handled before the person answers")
        if let value { #expect(work.first?["value"] == JSON(value)) }
    }

    @Test(
        "success, even an educated guess, and not required need no interaction; all other results do, for values of any type"
    )
    func interactions() async throws {
        let (a, b) = (Place(name: "A"), Place(name: "B"))
        try await expect("completed success success", of: .success(b), "A", with: b)
        try await expect("prompt choice value", of: .disambiguation([a, b]), "A")
        try await expect("prompt confirmValue value", of: .confirmationRequired(b), "A")
        func expectCommonResults<Value: ParameterValue>(_ type: Value.Type, _ words: String) async throws {
            try await expect("completed success success", of: ResolutionResult<Value>.notRequired(), words)
            try await expect("prompt value value", of: ResolutionResult<Value>.needsValue(), words)
            try await expect("prompt value value", of: ResolutionResult<Value>.unsupported(), words)
        }
        try await expectCommonResults(Place.self, "A")
        try await expectCommonResults(Bool.self, "yes")
        try await expectCommonResults([Person].self, "Ann and Ben")
    }

    @Test func `the number of prompts for one parameter is limited`() async throws {
        var talk = try await payment(SendPaymentHandler(contacts: [johns[0]]), "20 CAD")
        for _ in 0..<20 where try talk.completions.isEmpty { try await talk.answer("20 CAD") }
        #expect(try talk.steps.count { $0 == "prompt value currencyAmount" } == talk.pipeline.policy.limits.maximumAsks)
        #expect(try talk.steps.last?.hasPrefix("completed failure") == true)
    }

    @Test
    func `a value may come from the person's habits instead of a question, and the latest habit counts`() async throws {
        var talk = try await TestConversation(about: LogWorkoutHandler())
        try await talk.answer("run")
        try await talk.request(LogWorkout.self)
        try await talk.request(LogWorkout.self, ["kind": "swim"])
        try await talk.request(LogWorkout.self)
        let (run, swim) = ("success success: run with no goal", "success success: swim with no goal")
        #expect(try talk.lines == ["asks kind: What kind?", run, run, swim, swim])
        talk.session = "other"
        try await talk.request(LogWorkout.self)
        #expect(try talk.steps == ["prompt value kind"], "habits are those of one conversation")
    }

    @Test("the habits of a person are known in their other conversations, until they have them forgotten")
    func habitsOfPerson() async throws {
        var talk = try await TestConversation(with: [SingleHandlerExtension(handler: LogSwimHandler())])
        talk.principal = Principal(.appUser, "ann")
        try await talk.request(LogSwim.self)
        try await talk.answer("crawl")
        #expect(try talk.last?.dialog == "crawl")
        try await talk.pipeline.advance(by: talk.pipeline.policy.idleTimeout + .seconds(5))
        talk.session = "tomorrow"
        try await talk.request(LogSwim.self)
        #expect(try talk.lines == ["success success: crawl"])
        let source = try talk.last?.data["provenance"]?["stroke"]
        #expect(source?["source"]?.string == "remembered" && source?["intent"]?.string == "LogSwim")
        talk.pipeline.clock.advance(by: .seconds(60))
        try await talk.send(.forgotten(Forgetting(scope: .person)))
        talk.session = "last"
        try await talk.request(LogSwim.self)
        #expect(try talk.steps == ["prompt value stroke"])
        (talk.session, talk.principal) = ("bob's", Principal(.appUser, "bob"))
        try await talk.request(LogSwim.self)
        #expect(try talk.steps == ["prompt value stroke"], "habits are those of one person")
    }
}
