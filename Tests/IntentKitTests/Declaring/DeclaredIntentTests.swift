import IntentKit
import IntentModel
import IntentRuntime
import PipelineTestKit
import Testing

extension IntentResponse {
    /// A response that opens an intent.
    fileprivate static func opening(_ intent: Identifier, _ code: ResponseCode = .success) -> IntentResponse {
        var response = IntentResponse(code)
        response.opensIntent = OpenedIntent(intent: intent)
        return response
    }

    /// A response that proposes other values.
    fileprivate static func proposing(
        _ values: [String: JSON], _ code: ResponseCode = "failureFull", dialog: String? = nil
    ) -> IntentResponse {
        var response = IntentResponse(code, dialog: dialog)
        response.proposed = values
        return response
    }

    fileprivate static func found(_ items: ParameterOption...) -> IntentResponse {
        var response = IntentResponse.success
        response.items = items
        return response
    }
}

@Suite("An intent declared as a value") struct DeclaredIntentTests {
    @Test func `is resolved by its declaration: prompts, defaults, ranges, options and entities`() async throws {
        let fixture = try DeclarationFixture(.reserve())
        let empty = try await fixture.resolve([:])
        #expect(empty == ["restaurant": .needsValue(dialog: "Which restaurant?"), "seats": .success(2)])
        let full = try await fixture.resolve([
            "restaurant": "Chez Nous", "seats": "four", "size": "BIG", "city": "mokum",
            "dishes": "soup, bread and cheese",
        ])
        let city: JSON = ["id": "AMS", "title": "Amsterdam", "country": "NL", "people": 900_000]
        #expect(
            full == [
                "restaurant": .success("Chez Nous"), "seats": .success(4), "size": .success("l"),
                "city": .success(city), "dishes": .success(["soup", "bread", "cheese"]),
            ])
        let wrong = try await fixture.resolve(["seats": 9, "size": "tiny", "city": "york"])
        #expect(wrong["seats"] == .unsupported(reason: "aboveMaximum", dialog: "Seats can be 1 to 6, not 9."))
        #expect(wrong["size"]?.reason == "noMatch")
        #expect(wrong["city"]?.value?.view["id"]?.string == "YRK", "an exact title takes precedence")
    }

    @Test func `asks which of several matching entities is meant, and finds one by id or property`() async throws {
        let cities = EntityCatalogue(
            "City",
            entities: [
                .init("NYC", title: "New York"), .init("YRK", title: "York (UK)"), .init("AMS", title: "Amsterdam"),
            ])
        var declaration = IntentDeclaration("Go", title: "Go")
        declaration.parameters = [
            ParameterDeclaration("to", .entity(cities), title: "To"),
            ParameterDeclaration("via", .list(.entity(cities)), title: "Via", isRequired: false),
        ]
        let fixture = try DeclarationFixture(declaration)
        func to(_ said: JSON) async throws -> ParameterResolution? { try await fixture.resolve(["to": said])["to"] }
        #expect(try await to("york")?.options.map(\.id) == ["NYC", "YRK"])
        #expect(try await to("AMS") == .success(["id": "AMS", "title": "Amsterdam"]))
        #expect(try await to("Rome")?.reason == "noMatch")
        let filter: JSON = ["where": [["property": "title", "is": "contains", "value": "york"]]]
        let via = try await fixture.resolve(["via": filter])["via"]?.value
        #expect(via?.view.elements.compactMap { $0["id"]?.string } == ["NYC", "YRK"])
        // Without a value, a few entities are offered.
        #expect(try await fixture.resolve([:])["to"]?.options.count == 3)
    }

    @Test func `passes values in wire form, defaults, and the localized summary to the fulfilment`() async throws {
        let bistro = Bistro()
        let answer = try await DeclarationFixture(.reserve(bistro)).respond(
            .handle, ["restaurant": "Nous", "size": "l"], locale: "nl-BE")
        #expect(answer.response.code == .success)
        let call = try #require(bistro.calls.first)
        #expect(call.phase == .handle && call.intent == "Reserve" && call.context.idempotencyKey == "k")
        #expect(call.parameters == ["restaurant": "Nous", "seats": 2, "size": "l"] && call.summary == "Tafel bij Nous")
    }

    @Test func `is ready without a call if its fulfilment has no confirm phase`() async throws {
        let bistro = Bistro(confirm: { _ in .ready(dialog: "It costs 5 EUR.") })
        var declaration = IntentDeclaration.reserve(bistro)
        func confirm(_ seats: JSON = 2) async throws -> Answer {
            try await DeclarationFixture(declaration).respond(.confirm, ["restaurant": "Nous", "seats": seats])
        }
        var answer = try await confirm()
        #expect(answer.response == .ready && answer.confirmation == nil && bistro.calls.isEmpty)
        declaration.confirmation = .always
        answer = try await confirm()
        #expect(answer.confirmation?.summary == "Table for 2 at Nous" && answer.confirmation?.dialog == nil)
        declaration.phases = [.confirm, .handle]
        let request = try await confirm().confirmation
        #expect(request?.summary == "Table for 2 at Nous" && request?.dialog == "It costs 5 EUR.")
        declaration.confirmation = .when(DeclaredCondition("seats", .greaterThan, 4))
        #expect(try await confirm(4).confirmation == nil)
        #expect(try await confirm(5).confirmation != nil)
    }

    @Test func `adds its choice to items that have none`() async throws {
        let item = ParameterOption(id: "1", title: "Chez Nous", value: ["name": "Chez Nous"])
        var own = IntentResponse.found(item)
        own.choice = ItemChoice(dialog: "This one?")
        let answers: [JSON: IntentResponse] = [1: own, 2: .success, 3: .found(item)]
        let fixture = try DeclarationFixture(Bistro(handle: { answers[$0.parameters["seats"]!]! })) {
            let dialog = LocalizedText(verbatim: "Which one?", translations: ["nl": "Welke?"])
            $0.choice = .init(dialog: dialog, remembers: ["restaurant": "name"])
        }
        func choice(_ seats: JSON) async throws -> ItemChoice? {
            try await fixture.respond(.handle, ["restaurant": "N", "seats": seats], locale: "nl").response.choice
        }
        #expect(try await choice(1) == ItemChoice(dialog: "This one?"))
        #expect(try await choice(2) == nil)
        #expect(try await choice(3) == ItemChoice(dialog: "Welke?", remembers: ["restaurant": "name"]))
    }

    @Test func `can be resolved without a fulfilment, but neither confirmed nor handled`() async throws {
        let failure = try await DeclarationFixture { $0.source = "bistro.intents.yaml" }.failure()
        let message = "'Reserve' is declared in bistro.intents.yaml without a fulfilment, so it can't be handled"
        #expect(failure.message == message && failure.disposition == .reject)
    }

    @Test func `fails if confirm proposes a value for an unknown parameter`() async throws {
        let bistro = Bistro(confirm: { _ in .proposing(["chairs": 1], .ready) })
        let failure = try await DeclarationFixture(bistro) { $0.phases = [.confirm, .handle] }.failure(.confirm)
        let message =
            "confirm of Reserve proposed a value for 'chairs', which is none of its parameters: "
            + "restaurant, seats, size, city, dishes"
        #expect(failure.message == message)
    }

    @Test(arguments: [false, true])
    func `opens only the intents that it declares, immediately or deferred`(_ isDeferred: Bool) async throws {
        func outcome(_ opens: [String], _ intent: Identifier = "PayDeposit") async throws -> IntentResponse {
            let response = IntentResponse.opening(intent)
            let fixture = try DeclarationFixture(Bistro(response)) { $0.opens = opens }
            if isDeferred { return try fixture.deferred(response).response }
            return try await fixture.respond(.handle).response
        }
        #expect(try await outcome(["Rate", "PayDeposit"]).opensIntent == OpenedIntent(intent: "PayDeposit"))
        for opens in [[], ["Rate"], ["paydeposit"]] {
            let failure = await #expect(throws: IntentFailure.self) { try await outcome(opens) }
            let message =
                "handle of Reserve opens 'PayDeposit', which its declaration does not allow: add it to 'opens'"
            #expect(failure?.message == message && failure?.kind == "failure unauthorized at opens")
        }
        // A name that only looks like a declared one is another name.
        let lookalike = await #expect(throws: IntentFailure.self) { try await outcome(["Keep"], "\u{212A}eep") }
        #expect(lookalike?.kind == "failure unauthorized at opens")
        var declaration = IntentDeclaration.reserve()
        declaration.opens = ["Pay me"] + (1...100).map { "A\($0)" }
        #expect(declaration.problems.map(\.path) == [["opens"], ["opens"]])
    }

    @Test(arguments: [(ResponseCode.success, "outcomeUnknown"), ("failureFull", "unauthorized")])
    func `has an unknown outcome after a forbidden success`(_ code: ResponseCode, _ reason: String) async throws {
        let fixture = try DeclarationFixture(Bistro(.opening("PayDeposit", code))) { $0.policy.effect = .atMostOnce }
        #expect(try await fixture.failure().kind == "failure \(reason) at opens")
    }

    @Test func `has a deferred outcome validated like an immediate outcome`() async throws {
        func fixture(_ response: IntentResponse = .success) throws -> DeclarationFixture {
            try DeclarationFixture(Bistro(response)) { $0.choice = .init(dialog: "Which one?") }
        }
        var expired = IntentResponse.success
        expired.validFor = .zero
        let large = UserActivity(activityType: String(repeating: "a", count: 10_000))
        for wrong in [
            .proposing(["chairs": 1]), .proposing(["seats": "many"]), expired, .ready,
            IntentResponse(.success, userActivity: large),
        ] as [IntentResponse] {
            let prompt = try await fixture(wrong).failure()
            let later = #expect(throws: IntentFailure.self) { try fixture().deferred(wrong) }
            #expect(prompt == later)
        }
    }

    @Test func `has a valid deferred outcome completed like an immediate outcome`() throws {
        let fixture = try DeclarationFixture(Bistro()) { $0.choice = .init(dialog: "Which one?") }
        let proposal = IntentResponse.proposing(["seats": 4], dialog: "At six?")
        #expect(try fixture.deferred(proposal).confirmation == ConfirmationRequest(dialog: "At six?"))
        let found = IntentResponse.found(ParameterOption(id: "1", title: "A", value: "a"))
        #expect(try fixture.deferred(found).response.choice == ItemChoice(dialog: "Which one?"))
        let launch = try fixture.deferred(IntentResponse(.failureRequiringAppLaunch)).response
        #expect(launch == IntentResponse(.failureRequiringAppLaunch))
        let elsewhere = #expect(throws: IntentFailure.self) {
            try fixture.registry.deferred(.success, of: "Other", in: InvocationContext(session: "s", request: "r"))
        }
        #expect(elsewhere?.disposition == .reject)
        let inApp = #expect(throws: IntentFailure.self) { try fixture.deferred(.handleInApp, isInApp: true) }
        #expect(inApp?.message.contains("already being handled in the app") == true)
    }

    @Test func `is served beside intents in Swift, and must not be served twice`() async throws {
        let registry = try IntentRegistry([], declared: [.reserve(), IntentDeclaration("Other", title: "Other")])
        #expect(registry.intents == ["Reserve", "Other"])
        var second = IntentDeclaration.reserve()
        second.source = "b.intents.yaml"
        let error = #expect(throws: IntentRegistryError.self) {
            try IntentRegistry([], declared: [.reserve(), second])
        }
        let message = "'Reserve' is served twice, by a declaration and b.intents.yaml"
        #expect(error == IntentRegistryError(.intentServedTwice, message))
    }

    @Test func `is compared by its declaration, not by its fulfilment`() {
        #expect(IntentDeclaration.reserve(Bistro()) == .reserve())
        var other = IntentDeclaration.reserve()
        other.parameters[1].range = nil
        #expect(other != .reserve())
    }
}

@Suite("A parameter resolved by the fulfilment") struct FulfilmentResolveTests {
    private func fixture(
        isRequired: Bool = true, after: [String] = [],
        _ answer: @escaping @Sendable (FulfilmentCall) throws -> ParameterResolution
    ) throws -> (DeclarationFixture, Bistro) {
        let bistro = Bistro(resolve: answer)
        let fixture = try DeclarationFixture(bistro) { declaration in
            declaration.parameters[1].defaults = []
            declaration.parameters[1].isRequired = isRequired
            declaration.parameters[1].prompt = "How many?"
            declaration.parameters[1].isResolvedByFulfilment = true
            declaration.parameters[1].after = after
        }
        return (fixture, bistro)
    }

    private static func option(_ id: String, _ title: String, _ value: JSON) -> ParameterOption {
        ParameterOption(id: id, title: title, value: value)
    }

    private static let five = option("b", "Five", 5)

    @Test(
        arguments: [
            (.success("4"), .success(4)), (.needsValue(dialog: nil), .needsValue(dialog: "How many?")),
            (.needsValue(dialog: "Say it"), .needsValue(dialog: "Say it")),
            (.confirmationRequired("three", dialog: "Three?"), .confirmationRequired(3, dialog: "Three?")),
            (
                .disambiguation([option("a", "Three", "three")], dialog: nil),
                .confirmationRequired(3, dialog: "Seats: 3?")
            ),
            (
                .disambiguation([option("a", "Three", "three"), five], dialog: nil),
                .disambiguation([option("a", "Three", 3), five], dialog: "How many?")
            ), (.disambiguation([], dialog: "None"), .unsupported(reason: "noMatch", dialog: "None")),
            (.unsupported(reason: "small", dialog: "No."), .unsupported(reason: "small", dialog: "No.")),
        ] as [(ParameterResolution, ParameterResolution)])
    func `gets any of the six results, with the declaration's prompts if there is no dialog`(
        _ answer: ParameterResolution, _ expected: ParameterResolution
    ) async throws {
        let (fixture, bistro) = try fixture { _ in answer }
        #expect(try await fixture.resolve(["seats": "two"])["seats"] == expected)
        #expect(bistro.calls.first?.parameters == ["seats": 2])
    }

    @Test func `is passed to the fulfilment unless its value violates the declaration`() async throws {
        let (fixture, bistro) = try fixture { .success($0.parameters["seats"] ?? 5) }
        #expect(try await fixture.resolve(["seats": 9])["seats"]?.reason == "aboveMaximum" && bistro.calls.isEmpty)
        #expect(try await fixture.resolve([:])["seats"] == .success(5) && bistro.calls.count == 1)
        let (optional, _) = try self.fixture(isRequired: false) { _ in .notRequired }
        #expect(try await optional.resolve(["seats": 2])["seats"] == nil)
    }

    @Test func `is resolved again only if a parameter that it depends on has changed`() async throws {
        let (fixture, bistro) = try fixture(after: ["restaurant"]) { _ in .success(3) }
        let seats = ParameterState.given("seats", 2, .resolved)
        _ = try await fixture.resolve(states: [.given("restaurant", "N", .resolved), seats])
        #expect(bistro.calls.isEmpty)
        let answer = try await fixture.resolve(states: [.given("restaurant", "M"), seats])
        #expect(answer["seats"] == .success(3))
        // The parameter is not resolved before the parameter that it depends on.
        #expect(try await fixture.resolve([:])["seats"] == .needsValue(dialog: nil) && bistro.calls.count == 1)
    }

    @Test func `keeps a chosen or confirmed value even if the fulfilment asks again`() async throws {
        let (confirming, _) = try fixture { .confirmationRequired($0.parameters["seats"] ?? 1, dialog: nil) }
        #expect(try await confirming.resolve(states: [.given("seats", 2, .confirmed)])["seats"] == .success(2))
        let options = [Self.option("2", "2", 2), Self.option("3", "3", 3)]
        let (choosing, _) = try fixture { _ in .disambiguation(options, dialog: nil) }
        #expect(try await choosing.resolve(states: [.given("seats", 3, .chosen)])["seats"] == .success(3))
    }

    @Test(
        arguments: [
            (.success(9), "a value that its declaration does not allow"),
            (.success([:]), "a value that its declaration does not allow"),
            (.notRequired, "'notRequired', but it is required: declare it with 'required: false'"),
            (
                .disambiguation([option("2", "2", 2), option("2", "3", 3)], dialog: nil),
                "options of which two have the same id"
            ),
        ] as [(ParameterResolution, String)])
    func `fails the request if the fulfilment returns a result that the declaration does not allow`(
        _ answer: ParameterResolution, _ message: String
    ) async throws {
        let (fixture, _) = try fixture { _ in answer }
        let failure = await #expect(throws: IntentFailure.self) { _ = try await fixture.resolve(["seats": 2]) }
        #expect(failure?.message == "the fulfilment of Reserve resolved 'seats' to \(message)")
        #expect(failure?.disposition == .failure(.failure) && failure?.field == "parameters.seats")
    }
}
