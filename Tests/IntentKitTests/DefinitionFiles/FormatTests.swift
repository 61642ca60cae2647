import IntentFiles
import IntentKit
import IntentRuntime
import PipelineTestKit
import SampleDomains
import Testing

@Suite("A definition file") struct FormatTests {
    private func registry(_ file: String) throws -> IntentRegistry {
        try IntentRegistry([], declared: Golden.definitions(file).declarations, dependencies: AppDependencyManager())
    }

    private func intents() throws -> [FileIntent] { try Golden.definitions("restaurant.intents.yaml").intents }

    /// The intent A of a file, with these members.
    private func intent(_ members: String, _ more: String = "") throws -> FileIntent {
        try definitions("version: 1\n\(more)intents: {A: {\(members)}}").intents[0]
    }

    @Test func `can declare everything about a parameter, and the catalogue shows it`() throws {
        let registry = try registry("restaurant.intents.yaml")
        #expect(registry.intents == ["ReserveRestaurant", "FindRestaurants", "Forecast"])
        try Golden.expect(registry.catalog.map(\.text).joined(separator: "\n"), in: "restaurant.catalog.txt")
        try Golden.expect(
            JSON.array(registry.catalog(in: "nl").map(\.json)).indented + "\n", in: "restaurant.catalog.nl.json")
    }

    @Test func `can declare an intent's policy, effect, authentication and choice, and defaults for a file`() throws {
        let intents = try intents().map(\.declaration)
        let reserve = intents[0]
        let retry = RetryPolicy(
            firstDelay: .seconds(1), factor: 3, maximumDelay: .seconds(60), maximumAttempts: 3,
            neverRetried: [.busy, .invalid])
        var policy = IntentPolicy(
            effect: .atMostOnce, resolve: PhasePolicy(timeout: .seconds(10)),
            confirm: PhasePolicy(timeout: .seconds(20), announceAfter: .seconds(2)),
            handle: PhasePolicy(timeout: .seconds(30), retry: retry), answerTimeout: .seconds(120),
            handoffTimeout: .seconds(300), inProgressTimeout: .seconds(3_600))
        policy.cleanupTimeout = .milliseconds(500)
        policy.asks = AskPolicy(
            maximum: 4, noAnswer: 1, noMatch: 2, unsupported: 3, offersOptions: false,
            finally: .fail("failureNobodyThere"))
        policy.reminders = [.seconds(60)]
        policy.approval = Approval(
            by: [.role("host"), .principal(Principal(.appUser, "max"))], includesRequester: true,
            timeout: .seconds(172_800), reminders: [.seconds(86_400)],
            escalation: .init(after: .seconds(129_600), to: [.role("owner")]))
        #expect(reserve.policy == policy)
        #expect(reserve.authenticationPolicy == .requiresAuthentication && reserve.signIn.title == "Restaurants")
        #expect(reserve.continueInAppAtConfirm == .isFailure && reserve.source == "restaurant.intents.yaml")
        #expect(reserve.choice?.remembers == ["restaurant": "restaurant_name"])
        #expect(reserve.choice?.dialog?.text(in: "nl") == "Welke?" && reserve.parameters[8].isResolvedByFulfilment)
        #expect(reserve.parameters[8].after == ["restaurant", "seats"])
        #expect(intents[1].title == "Find restaurants" && intents[1].choice == .init())
        let find = IntentPolicy(answerTimeout: .seconds(120), asks: AskPolicy(finally: .handToApp))
        #expect(intents[1].policy == find)
    }

    @Test func `declares an approval, whose problems have their place in the file`() throws {
        let member = """
            policy: {reminders: 1h, approval: {approvers: [role:finance, 'app_user:bob'], count: 2, includesRequester: true, \
            timeout: 10d, reminders: [3d, 6d], escalation: {after: 7d, to: role:board}}}
            """
        let policy = try intent(member).declaration.policy
        #expect(policy.reminders == [.seconds(3_600)])
        let day = Duration.seconds(86_400)
        #expect(
            policy.approval
                == Approval(
                    by: [.role("finance"), .principal(Principal(.appUser, "bob"))], count: 2, includesRequester: true,
                    timeout: day * 10, reminders: [day * 3, day * 6],
                    escalation: .init(after: day * 7, to: [.role("board")])))
        for (wrong, problem) in [
            ("{approvers: finance}", "role:NAME"), ("{approvers: 'admin:bob'}", "role:NAME"),
            ("{approver: role:a}", "did you mean 'approvers'"), ("{approvers: role:a, count: 11}", "from 1 to 10"),
            ("{approvers: role:a, timeout: 31d}", "from 1 second to 720 hours"),
            ("{count: 1}", "nobody else who may agree"),
            ("{approvers: 'user:a', count: 2}", "needs 2 to agree"),
            ("{approvers: role:a, escalation: {after: 8d, to: role:b}}", "escalates at a time"),
            ("{approvers: ':role:a'}", "role:NAME"),
            ("{approvers: role:a, reminders: [31d]}", "reminders.0: '31d'"),
        ] {
            #expect { _ = try intent("policy: {approval: \(wrong)}") } throws: { "\($0)".contains(problem) }
        }
    }

    @Test func `declares an absolute sign-in URL, and the intents that a service may open: none by default`() throws {
        let member = "authentication: requiresAuthentication, signIn: {url: 'https://tables.example/in', title: Tables}"
        #expect(try intent(member).declaration.signIn == SignIn(url: "https://tables.example/in", title: "Tables"))
        let opened = try intents().map(\.declaration.opens)
        #expect(opened == [["PayDeposit", "Forecast"], ["ReserveRestaurant"], []])
        for wrong in [
            "signIn: {url: /sign-in}", "signIn: {url: 'javascript:x'}", "signIn: {code: A}", "signIn: here",
            "opens: {a: b}", "opens: [Pay me]", "opens: [[Pay]]", "opens: ''",
        ] { #expect(throws: DefinitionError.self, "\(wrong)") { try intent(wrong) } }
    }

    @Test func `can declare the fulfilment of its intents; an intent's own block overrides single members`() throws {
        let intents = try intents()
        var expected = FulfilmentDeclaration(
            url: "https://restaurants.example.com/intents", phases: [.confirm, .handle], timeout: .seconds(5),
            retries: RetryPolicy(
                firstDelay: .milliseconds(100), factor: 1.5, maximumDelay: .seconds(2), maximumAttempts: 4),
            secretVariable: "RESTAURANTS_SECRET", maximumResponseBytes: 65_536, redirects: 1,
            headers: ["X-Tenant": "demo"])
        #expect(intents[1].fulfilment == expected && intents[1].declaration.phases == [.confirm, .handle])
        expected.phases = [.handle]
        expected.timeout = .seconds(10)
        expected.headers = ["X-Tenant": "demo", "X-Kind": "table"]
        #expect(intents[0].fulfilment == expected && intents[0].declaration.phases == [.handle])
        #expect(try intent("").fulfilment == nil)
        let plain = try intent("", "fulfilment: {url: 'http://127.0.0.1:8080'}\n").fulfilment
        #expect(plain == FulfilmentDeclaration(url: "http://127.0.0.1:8080"))
    }

    @Test func `reads yes and no as text, and true and false as Bool`() throws {
        let words = "x: {type: string, options: [yes, no, on]}, y: {type: bool, default: true}"
        let parameters = try intent("parameters: {\(words)}").declaration.parameters
        #expect(parameters[0].type.cases?.cases.map(\.id) == ["yes", "no", "on"])
        #expect(parameters[1].defaults == [.constant(true)])
    }

    @Test func `reads catalogues from comma-separated files and from JSON`() throws {
        let cities = try #require(try intents()[0].declaration.parameters[5].type.entities)
        #expect(cities.map(\.id) == ["AMS", "NYC", "LON"] && cities[1].title.original == "New York, NY")
        #expect(cities[1].synonyms.map(\.original) == ["Big Apple", "NYC"])
        #expect(cities[0].subtitle?.original == "Netherlands" && cities[2].subtitle == nil)
        #expect(cities[0].properties == ["people": 900_000, "zone": "CET"])
        let json = #"[{"code":7,"name":"Seven","other":["7th"],"odd":true,"deep":{}},{"code":"x"}]"#
        let text =
            "version: 1\nentities: {N: {file: n.json, id: code, synonyms: other}}\nintents: {A: {parameters: {n: N}}}"
        let read = try DefinitionFiles([("a.intents.yaml", Array(text.utf8))]) { _, path in
            path == "n.json" ? Array(json.utf8) : []
        }
        let numbers = try #require(read.intents[0].declaration.parameters[0].type.entities)
        #expect(numbers[0] == .init("7", title: "Seven", synonyms: ["7th"], properties: ["odd": true]))
        #expect(numbers[1].title.original == "x")
    }

    @Test func `can use every type: a person's words become its wire form`() async throws {
        let said: KeyValuePairs<String, (JSON, JSON)> = [
            "yes": ("yes", true), "count": ("twelve", 12), "weight": ("1.5", 1.5), "amount": ("12.50", "12.5"),
            "words": ("hello", "hello"), "span": ("1 hour", "PT1H"),
            "page": ("https://a.example/x", "https://a.example/x"),
            "when": ("2026-03-02T10:00:00Z", "2026-03-02T10:00:00Z"),
            "price": ("20 EUR", ["amount": "20.00", "currencyCode": "EUR"]),
            "far": ("3 km", ["value": 3, "unit": "km"]), "heavy": ("2 kg", ["value": 2, "unit": "kg"]),
            "names": ("Ann and Bob", ["Ann", "Bob"]), "hours": ("1 hour, 2 hours", ["PT1H", "PT2H"]),
            "airports": ("Schiphol", [["id": "AMS", "title": "Schiphol", "country": "NL"]]),
        ]
        let registry = try registry("restaurant.intents.yaml")
        let resolved = try await registry.resolve("Forecast", said.map { .given($0.key, $0.value.0) })
        for (name, value) in said { #expect(resolved[name] == .success(value.1), "\(name)") }
        // A parameter without a value has its default.
        let defaults = try await registry.resolve("Forecast")
        #expect(defaults["words"] == .success("remembered") && defaults["names"] == .success(["Ann", "Bob"]))
    }

    @Test func `has a summary with conditions, in the reader's language`() async throws {
        let declared = try Golden.definitions("restaurant.intents.yaml").declarations { _, _ in
            Bistro(handle: { .success(dialog: $0.summary) })
        }
        let registry = try IntentRegistry([], declared: declared, dependencies: AppDependencyManager())
        func summary(_ parameters: KeyValuePairs<String, JSON>) async throws -> String? {
            var context = InvocationContext(session: "s", request: "r")
            context.principal = Principal(.user, "ann")
            let handle = IntentInvocation(
                phase: .handle, intent: "ReserveRestaurant", parameters: .resolved(parameters), context: context)
            return await registry.perform(handle) { _ in }.response?.dialog
        }
        #expect(try await summary(["restaurant": "Nous", "size": "l"]) == "Large table for 2 at Nous")
        #expect(try await summary(["restaurant": "Nous", "seats": 3]) == "Table for 3 at Nous")
    }

    @Test func `is compared with its earlier version intent by intent`() throws {
        let before = try definitions("version: 1\nintents: {A: {}, B: {}, C: {}}")
        let after = try definitions("version: 1\nintents: {B: {}, C: {parameters: {x: int}}, D: {}}")
        let changes = after.changes(since: before)
        #expect(changes.added == ["D"] && changes.changed == ["C"] && changes.removed == ["A"])
        #expect(before.changes(since: before).isEmpty)
    }
}

extension DeclaredType {
    fileprivate var cases: EnumerationDeclaration? { if case .enumeration(let found) = self { found } else { nil } }
    fileprivate var entities: [EntityCatalogue.Entity]? {
        if case .entity(let catalogue) = self { catalogue.entities } else { nil }
    }
}

@Suite("A conversation about a defined intent") struct DefinedConversationTests {
    private static let text = """
        version: 1
        entities:
          City: {values: [{id: AMS, title: Amsterdam, synonyms: [Mokum]}, {id: NYC, title: New York}, {id: YRK, title: York (UK)}]}
        fulfilment: {url: "https://tables.example.com", phases: [confirm, handle]}
        intents:
          Reserve:
            title: Reserve a table
            confirmation: always
            parameters:
              city: {type: City, prompt: Where?}
              seats: {type: int, range: [1, 6], prompt: For how many?}
              size: {type: string, options: [small, {id: l, title: Large, synonyms: [big]}], required: false}
              restaurant: {type: string, resolve: fulfilment, after: city}
            summary: [{when: size, text: "{size} table for {seats} at {restaurant}"}, {otherwise: "Table for {seats} at {restaurant}"}]
        """

    /// A fulfilment that knows two restaurants.
    private let kitchen = Bistro(
        resolve: { call in
            if let said = call.parameters["restaurant"] { return .success(said) }
            let options = ["Betty's", "Skosh"].map { ParameterOption(id: $0, title: $0, value: .string($0)) }
            let city = call.parameters["city"]?.view["id"]?.string ?? "?"
            return .disambiguation(options, dialog: "Which one in \(city)?")
        }, confirm: { _ in .ready(dialog: "Shall I?") }, handle: { _ in .success(dialog: "Reserved.") })

    private func pipeline() async throws -> TestPipeline {
        let declared = try definitions(Self.text).declarations { _, _ in kitchen }
        let registry = try IntentRegistry([RideExtension()], declared: declared, dependencies: AppDependencyManager())
        let pipeline = try await TestPipeline { await registry.perform($0, report: $1) }
        pipeline.policies = { registry.policy(of: $0) }
        try pipeline.startAll()
        return pipeline
    }

    @Test func `prompts, offers, confirms and handles as with an intent in Swift`() async throws {
        var talk = TestConversation(try await pipeline())
        try await talk.request("Reserve", ["city": "york", "size": "big"])
        for words in ["York (UK)", "nine", "four", "Betty's", "yes"] { try await talk.answer(words) }
        let expected = [
            "offers city: New York | York (UK)", "asks seats: For how many?", "asks seats: Seats can be 1 to 6, not 9.",
            "offers restaurant: Betty's | Skosh", "confirms: Shall I?", "success success: Reserved.",
        ]
        #expect(try talk.lines == expected)
        // The restaurant is resolved in each round after the city is known, until it is answered, and once more for the
        // answer.
        #expect(kitchen.calls.map(\.phase) == [.resolve, .resolve, .resolve, .resolve, .confirm, .handle])
        #expect(kitchen.calls[4].summary == "Large table for 4 at Betty's")
        let last = try #require(kitchen.calls.last).parameters
        #expect(last["city"]?.view["id"]?.string == "YRK" && last["seats"] == 4 && last["size"] == "l")
        #expect(last["restaurant"] == "Betty's")
    }

    @Test func `runs beside one about an intent in Swift`() async throws {
        let pipeline = try await pipeline()
        var table = TestConversation(pipeline, session: "table")
        var ride = TestConversation(pipeline, session: "ride")
        try await ride.request("GetRideStatus", ["rideIdentifier": "nonsense"])
        try await table.request("Reserve", ["city": "Mokum", "seats": "2", "restaurant": "Nous"])
        try await table.answer("yes")
        #expect(try table.lines.last == "success success: Reserved." && ride.lines.isEmpty == false)
    }
}
