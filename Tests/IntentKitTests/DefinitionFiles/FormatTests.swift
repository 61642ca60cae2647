import IntentFiles
import IntentKit
import IntentRuntime
import PipelineTestKit
import Testing

@Suite("A definition file") struct FormatTests {
    private func registry(_ file: String) throws -> IntentRegistry {
        try IntentRegistry(
            [], declared: try Golden.definitions(file).declarations, dependencies: AppDependencyManager())
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

    @Test("can declare an intent's policy, effect, authentication and choice; omitted members have the file's values")
    func policy() throws {
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
        #expect(reserve.policy == policy)
        #expect(reserve.authenticationPolicy == .requiresAuthentication && reserve.signIn.title == "Restaurants")
        #expect(reserve.continueInAppAtConfirm == .isFailure && reserve.source == "restaurant.intents.yaml")
        #expect(reserve.choice?.remembers == ["restaurant": "restaurant_name"])
        #expect(reserve.choice?.dialog?.text(in: "nl") == "Welke?")
        #expect(reserve.parameters[8].isResolvedByFulfilment)
        #expect(reserve.parameters[8].after == ["restaurant", "seats"])
        #expect(intents[1].title == "Find restaurants" && intents[1].choice == .init())
        let find = IntentPolicy(answerTimeout: .seconds(120), asks: AskPolicy(finally: .handToApp))
        #expect(intents[1].policy == find)
    }

    @Test("says where a person signs in, by an absolute URL, and which intents a service may open: none by default")
    func signIn() throws {
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
        #expect(cities.map(\.id) == ["AMS", "NYC", "LON"])
        #expect(cities[1].title.original == "New York, NY")
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
    fileprivate var cases: EnumerationDeclaration? {
        if case .enumeration(let declaration) = self { declaration } else { nil }
    }
    fileprivate var entities: [EntityCatalogue.Entity]? {
        if case .entity(let catalogue) = self { catalogue.entities } else { nil }
    }
}
