import IntentKit
import IntentModel
import IntentRuntime
import PipelineTestKit
import Testing

@Suite("An intent declared as a value")
struct DeclaredIntentTests {
    @Test("is resolved by its declaration: prompts, defaults, ranges, options and entities")
    func resolves() async throws {
        let fixture = try DeclarationFixture(.reserve())
        let empty = try await fixture.resolve([:])
        #expect(empty == ["restaurant": .needsValue(dialog: "Which restaurant?"), "seats": .success(.number(2))])
        let full = try await fixture.resolve([
            "restaurant": .string("Chez Nous"), "seats": .string("four"), "size": .string("BIG"),
            "city": .string("mokum"),
            "dishes": .string("soup, bread and cheese"),
        ])
        #expect(full["seats"] == .success(.number(4)))
        #expect(full["size"] == .success(.string("l")))
        let city = #"{"id":"AMS","title":"Amsterdam","country":"NL","people":900000}"#
        #expect(full["city"] == .success(try JSON(parsing: Array(city.utf8))))
        #expect(full["dishes"] == .success(.array([.string("soup"), .string("bread"), .string("cheese")])))
        let wrong = try await fixture.resolve(["seats": .number(9), "size": .string("tiny"), "city": .string("york")])
        #expect(wrong["seats"] == .unsupported(reason: "aboveMaximum", dialog: "Seats can be 1 to 6, not 9."))
        guard case .disambiguation(let options, _) = wrong["size"] else { return #expect(Bool(false), "\(wrong)") }
        #expect(options.map(\.title) == ["Small", "Large"])
        // An exact title takes precedence.
        guard case .success(let york) = wrong["city"] else { return #expect(Bool(false), "\(wrong)") }
        #expect(york.view["id"]?.string == "YRK")
    }

    @Test("asks which entity is meant if several names match, and finds one by its id or by a property")
    func entities() async throws {
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
        guard case .disambiguation(let options, _) = try await fixture.resolve(["to": .string("york")])["to"] else {
            return #expect(Bool(false))
        }
        #expect(options.map(\.id) == ["NYC", "YRK"])
        #expect(
            try await fixture.resolve(["to": .string("AMS")])["to"]
                == .success(.object(["id": .string("AMS"), "title": .string("Amsterdam")])))
        let filter = #"{"where":[{"property":"title","is":"contains","value":"york"}]}"#
        guard case .success(let via) = try await fixture.resolve(["via": try JSON(parsing: Array(filter.utf8))])["via"]
        else {
            return #expect(Bool(false))
        }
        #expect(via.view.elements.compactMap { $0["id"]?.string } == ["NYC", "YRK"])
        #expect(try await fixture.resolve(["to": .string("Rome")])["to"]?.reason == "noMatch")
        // Without a value, a few entities are offered.
        guard case .disambiguation(let few, _) = try await fixture.resolve([:])["to"] else {
            return #expect(Bool(false))
        }
        #expect(few.count == 3)
    }

    @Test("passes the fulfilment the values in wire form, with defaults, and the summary in the person's language")
    func handles() async throws {
        let bistro = Bistro()
        let fixture = try DeclarationFixture(.reserve(bistro))
        let (response, _) = try await fixture.respond(
            .handle, ["restaurant": .string("Nous"), "size": .string("l")], locale: "nl-BE")
        #expect(response.code == .success)
        let call = try #require(bistro.calls.first)
        #expect(call.phase == .handle)
        #expect(call.intent == "Reserve")
        #expect(call.parameters == ["restaurant": .string("Nous"), "seats": .number(2), "size": .string("l")])
        #expect(call.summary == "Tafel bij Nous")
        #expect(call.context.idempotencyKey == "k")
    }

    @Test("is ready without a call if its fulfilment has no confirm phase")
    func confirms() async throws {
        let bistro = Bistro(confirm: { _ in .ready(dialog: "It costs 5 EUR.") })
        var declaration = IntentDeclaration.reserve(bistro)
        var answer = try await DeclarationFixture(declaration).respond(.confirm, ["restaurant": .string("Nous")])
        #expect(answer.response == .ready)
        #expect(answer.confirmation == nil)
        #expect(bistro.calls.isEmpty)
        declaration.confirmation = .always
        answer = try await DeclarationFixture(declaration).respond(.confirm, ["restaurant": .string("Nous")])
        #expect(answer.confirmation?.summary == "Table for 2 at Nous" && answer.confirmation?.dialog == nil)
        declaration.phases = [.confirm, .handle]
        answer = try await DeclarationFixture(declaration).respond(.confirm, ["restaurant": .string("Nous")])
        #expect(
            answer.confirmation?.summary == "Table for 2 at Nous" && answer.confirmation?.dialog == "It costs 5 EUR.")
        declaration.confirmation = .when(DeclaredCondition("seats", .greaterThan, .number(4)))
        let fixture = try DeclarationFixture(declaration)
        #expect(
            try await fixture.respond(.confirm, ["restaurant": .string("N"), "seats": .number(4)]).confirmation == nil)
        #expect(
            try await fixture.respond(.confirm, ["restaurant": .string("N"), "seats": .number(5)]).confirmation != nil)
    }

    @Test("adds its choice to items that have none")
    func chooses() async throws {
        let item = ParameterOption(id: "1", title: "Chez Nous", value: .object(["name": .string("Chez Nous")]))
        var own = IntentResponse(.success)
        own.items = [item]
        own.choice = ItemChoice(dialog: "This one?")
        let answers = [own, IntentResponse(.success)]
        let bistro = Bistro(handle: { call in
            switch call.parameters["seats"]?.view.int {
            case 1: return answers[0]
            case 2: return answers[1]
            default:
                var response = IntentResponse(.success)
                response.items = answers[0].items
                return response
            }
        })
        var declaration = IntentDeclaration.reserve(bistro)
        let dialog = LocalizedText(verbatim: "Which one?", translations: ["nl": "Welke?"])
        declaration.choice = .init(dialog: dialog, remembers: ["restaurant": "name"])
        let fixture = try DeclarationFixture(declaration)
        func choice(_ seats: Int) async throws -> ItemChoice? {
            try await fixture.respond(.handle, ["restaurant": .string("N"), "seats": .number(seats)], locale: "nl")
                .response.choice
        }
        #expect(try await choice(1) == ItemChoice(dialog: "This one?"))
        #expect(try await choice(2) == nil)
        #expect(try await choice(3) == ItemChoice(dialog: "Welke?", remembers: ["restaurant": "name"]))
    }

    @Test("can be resolved without a fulfilment, but neither confirmed nor handled")
    func unfulfilled() async throws {
        var declaration = IntentDeclaration.reserve()
        declaration.source = "bistro.intents.yaml"
        let failure = await #expect(throws: IntentFailure.self) {
            _ = try await DeclarationFixture(declaration).respond(.handle, ["restaurant": .string("N")])
        }
        #expect(
            failure?.message
                == "'Reserve' is declared in bistro.intents.yaml without a fulfilment, so it can't be handled")
        #expect(failure?.disposition == .reject)
    }

    @Test("fails if confirm proposes a value for an unknown parameter")
    func proposes() async throws {
        let bistro = Bistro(confirm: { _ in
            var response = IntentResponse.ready
            response.proposed = ["chairs": .number(1)]
            return response
        })
        var declaration = IntentDeclaration.reserve(bistro)
        declaration.phases = [.confirm, .handle]
        let failure = await #expect(throws: IntentFailure.self) {
            _ = try await DeclarationFixture(declaration).respond(.confirm, ["restaurant": .string("N")])
        }
        #expect(
            failure?.message
                == "confirm of Reserve proposed a value for 'chairs', which is none of its parameters: restaurant, seats, size, city, dishes"
        )
    }

    @Test("opens only the intents that it declares, promptly or later", arguments: [false, true])
    func opens(_ isDeferred: Bool) async throws {
        var response = IntentResponse.success
        response.opensIntent = OpenedIntent(intent: "PayDeposit")
        let bistro = Bistro(handle: { [response] _ in response })
        func outcome(_ opens: [String]) async throws -> IntentResponse {
            var declaration = IntentDeclaration.reserve(bistro)
            declaration.opens = opens
            let fixture = try DeclarationFixture(declaration)
            if isDeferred { return try fixture.deferred(response).response }
            return try await fixture.respond(.handle, ["restaurant": .string("N")]).response
        }
        let opened = try await outcome(["Rate", "PayDeposit"])
        #expect(opened.opensIntent == response.opensIntent)
        for opens in [[], ["Rate"], ["paydeposit"]] {
            let failure = await #expect(throws: IntentFailure.self) { try await outcome(opens) }
            #expect(
                failure?.message
                    == "handle of Reserve opens 'PayDeposit', which its declaration does not allow: add it to 'opens'"
                    && failure?.reason == .unauthorized && failure?.field == "opens"
                    && failure?.disposition == .failure(.failure))
        }
        var declaration = IntentDeclaration.reserve()
        declaration.opens = ["Pay me"] + (1...100).map { "A\($0)" }
        #expect(declaration.problems.map(\.path) == [["opens"], ["opens"]])
    }

    @Test("opens no intent whose name only looks like one that it declares")
    func opensLookalike() async throws {
        var response = IntentResponse.success
        response.opensIntent = OpenedIntent(intent: "\u{212A}eep")
        var declaration = IntentDeclaration.reserve(Bistro(handle: { [response] _ in response }))
        declaration.opens = ["Keep"]
        let fixture = try DeclarationFixture(declaration)
        let failure = await #expect(throws: IntentFailure.self) {
            try await fixture.respond(.handle, ["restaurant": .string("N")])
        }
        #expect(failure?.reason == .unauthorized && failure?.field == "opens")
    }

    @Test("has an unknown outcome if it may be handled only once and its fulfilment succeeds with what it may not say")
    func once() async throws {
        var response = IntentResponse.success
        response.opensIntent = OpenedIntent(intent: "PayDeposit")
        for (code, reason) in [(ResponseCode.success, RejectionReason.outcomeUnknown), ("failureFull", .unauthorized)] {
            response.code = code
            var declaration = IntentDeclaration.reserve(Bistro(handle: { [response] _ in response }))
            declaration.policy.effect = .atMostOnce
            let fixture = try DeclarationFixture(declaration)
            let failure = await #expect(throws: IntentFailure.self) {
                try await fixture.respond(.handle, ["restaurant": .string("N")])
            }
            #expect(
                failure?.reason == reason && failure?.disposition == .failure(.failure) && failure?.field == "opens")
        }
    }

    @Test("has a deferred outcome checked like a prompt one")
    func deferred() async throws {
        var declaration = IntentDeclaration.reserve(Bistro())
        declaration.choice = .init(dialog: "Which one?")
        let fixture = try DeclarationFixture(declaration)
        func failure(_ code: ResponseCode, _ change: (inout IntentResponse) -> Void) async throws -> (
            prompt: IntentFailure?, later: IntentFailure?
        ) {
            var response = IntentResponse(code)
            change(&response)
            var prompt = IntentDeclaration.reserve(Bistro(handle: { [response] _ in response }))
            prompt.choice = declaration.choice
            let promptFixture = try DeclarationFixture(prompt)
            let first = await #expect(throws: IntentFailure.self) {
                try await promptFixture.respond(.handle, ["restaurant": .string("N")])
            }
            let second = #expect(throws: IntentFailure.self) { try fixture.deferred(response) }
            return (first, second)
        }
        let failures = [
            try await failure("failureFull") { $0.proposed = ["chairs": .number(1)] },
            try await failure("failureFull") { $0.proposed = ["seats": .string("many")] },
            try await failure(.success) { $0.validFor = .zero },
            try await failure(.ready) { _ in },
            try await failure(.success) {
                $0.userActivity = UserActivity(activityType: String(repeating: "a", count: 10_000))
            },
        ]
        for (prompt, later) in failures { #expect(prompt != nil && prompt == later) }

        // A valid response passes, and is completed like a prompt response.
        var proposal = IntentResponse("failureFull", dialog: "At six?")
        proposal.proposed = ["seats": .number(4)]
        #expect(try fixture.deferred(proposal).confirmation == ConfirmationRequest(dialog: "At six?"))
        var found = IntentResponse.success
        found.items = [ParameterOption(id: "1", title: "A", value: .string("a"))]
        #expect(try fixture.deferred(found).response.choice == ItemChoice(dialog: "Which one?"))
        #expect(
            try fixture.deferred(IntentResponse(.failureRequiringAppLaunch)).response.userActivity?.activityType
                == "Reserve")
        let elsewhere = #expect(throws: IntentFailure.self) {
            try fixture.registry.deferred(.success, of: "Other", in: InvocationContext(session: "s", request: "r"))
        }
        #expect(elsewhere?.disposition == .reject)
        let inApp = #expect(throws: IntentFailure.self) {
            try fixture.deferred(IntentResponse(.handleInApp), isInApp: true)
        }
        #expect(inApp?.message.contains("already being handled in the app") == true)
    }

    @Test("is served beside intents in Swift, and must not be served twice")
    func together() async throws {
        let registry = try IntentRegistry([], declared: [.reserve(), IntentDeclaration("Other", title: "Other")])
        #expect(registry.intents == ["Reserve", "Other"])
        var second = IntentDeclaration.reserve()
        second.source = "b.intents.yaml"
        let error = #expect(throws: IntentRegistryError.self) {
            _ = try IntentRegistry([], declared: [.reserve(), second])
        }
        #expect(
            error
                == IntentRegistryError(
                    .intentServedTwice, "'Reserve' is served twice, by a declaration and b.intents.yaml"))
    }

    @Test("is compared by its declaration, not by its fulfilment")
    func compares() {
        #expect(IntentDeclaration.reserve(Bistro()) == .reserve())
        var other = IntentDeclaration.reserve()
        other.parameters[1].range = nil
        #expect(other != .reserve())
    }
}
