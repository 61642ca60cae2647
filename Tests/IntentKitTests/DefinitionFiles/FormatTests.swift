import IntentFiles
import IntentKit
import IntentRuntime
import PipelineTestKit
import Testing

@Suite("A definition file")
struct FormatTests {
    private func registry(_ file: String) throws -> IntentRegistry {
        try IntentRegistry(
            [], declared: try Golden.definitions(file).declarations, dependencies: AppDependencyManager())
    }

    @Test("can declare everything about a parameter, and the catalogue shows it")
    func catalogue() throws {
        let registry = try registry("restaurant.intents.yaml")
        #expect(registry.intents == ["ReserveRestaurant", "FindRestaurants", "Forecast"])
        try Golden.expect(registry.catalog.map(\.text).joined(separator: "\n"), in: "restaurant.catalog.txt")
        try Golden.expect(
            JSON.array(registry.catalog(in: "nl").map(\.json)).indented + "\n", in: "restaurant.catalog.nl.json")
    }

    @Test("can declare an intent's policy, effect, authentication and choice; omitted members have the file's values")
    func policy() throws {
        let intents = try Golden.definitions("restaurant.intents.yaml").intents
        let reserve = intents[0].declaration
        var policy = IntentPolicy(
            effect: .atMostOnce, resolve: PhasePolicy(timeout: .seconds(10)),
            confirm: PhasePolicy(timeout: .seconds(20), announceAfter: .seconds(2)),
            handle: PhasePolicy(
                timeout: .seconds(30),
                retry: RetryPolicy(
                    firstDelay: .seconds(1), factor: 3, maximumDelay: .seconds(60), maximumAttempts: 3,
                    neverRetried: [.busy, .invalid])),
            answerTimeout: .seconds(120), handoffTimeout: .seconds(300), inProgressTimeout: .seconds(3_600),
            cleanupTimeout: .milliseconds(500))
        policy.asks = AskPolicy(
            maximum: 4, noAnswer: 1, noMatch: 2, unsupported: 3, offersOptions: false,
            finally: .fail("failureNobodyThere"))
        #expect(reserve.policy == policy)
        #expect(reserve.authenticationPolicy == .requiresAuthentication && reserve.signIn.title == "Restaurants")
        #expect(reserve.continueInAppAtConfirm == .isFailure)
        #expect(reserve.choice?.remembers == ["restaurant": "restaurant_name"])
        #expect(reserve.choice?.dialog?.text(in: "nl") == "Welke?")
        #expect(reserve.source == "restaurant.intents.yaml")
        #expect(reserve.parameters[8].isResolvedByFulfilment)
        #expect(reserve.parameters[8].after == ["restaurant", "seats"])
        let find = intents[1].declaration
        #expect(find.title == "Find restaurants")
        #expect(find.policy == IntentPolicy(answerTimeout: .seconds(120), asks: AskPolicy(finally: .handToApp)))
        #expect(find.choice == .init())
    }

    @Test("says where a person signs in, by an absolute URL")
    func signIn() throws {
        let signIn = "signIn: {url: 'https://tables.example/sign-in', title: Tables}"
        let intent = try definitions("version: 1\nintents: {A: {authentication: requiresAuthentication, \(signIn)}}")
            .intents[0]
        #expect(intent.declaration.signIn == SignIn(url: "https://tables.example/sign-in", title: "Tables"))
        for wrong in ["{url: /sign-in}", "{url: 'javascript:x'}", "{code: A}", "here"] {
            #expect(throws: DefinitionError.self, "\(wrong)") {
                try definitions("version: 1\nintents: {A: {signIn: \(wrong)}}")
            }
        }
    }

    @Test("names the intents that a service may open; without a word, it may open none")
    func opens() throws {
        let intents = try Golden.definitions("restaurant.intents.yaml").intents
        #expect(intents.map(\.declaration.opens) == [["PayDeposit", "Forecast"], ["ReserveRestaurant"], []])
        for wrong in ["{a: b}", "[Pay me]", "[[Pay]]", "''"] {
            #expect(throws: DefinitionError.self, "\(wrong)") {
                try definitions("version: 1\nintents: {A: {opens: \(wrong)}}")
            }
        }
    }

    @Test("can declare the fulfilment of its intents; an intent's own block overrides single members")
    func fulfilment() throws {
        let intents = try Golden.definitions("restaurant.intents.yaml").intents
        var expected = FulfilmentDeclaration(
            url: "https://restaurants.example.com/intents", phases: [.confirm, .handle], timeout: .seconds(5),
            retries: RetryPolicy(
                firstDelay: .milliseconds(100), factor: 1.5, maximumDelay: .seconds(2), maximumAttempts: 4),
            secretVariable: "RESTAURANTS_SECRET", maximumResponseBytes: 65_536, redirects: 1,
            headers: ["X-Tenant": "demo"])
        #expect(intents[1].fulfilment == expected)
        #expect(intents[1].declaration.phases == [.confirm, .handle])
        expected.phases = [.handle]
        expected.timeout = .seconds(10)
        expected.headers = ["X-Tenant": "demo", "X-Kind": "table"]
        #expect(intents[0].fulfilment == expected)
        #expect(intents[0].declaration.phases == [.handle])
        #expect(try definitions("version: 1\nintents: {A: {}}").intents[0].fulfilment == nil)
        let plain = try definitions("version: 1\nfulfilment: {url: 'http://127.0.0.1:8080'}\nintents: {A: {}}").intents[
            0
        ].fulfilment
        #expect(plain == FulfilmentDeclaration(url: "http://127.0.0.1:8080"))
    }

    @Test("reads yes and no as text, and true and false as Bool")
    func truth() throws {
        let read = try definitions(
            "version: 1\nintents: {A: {parameters: {x: {type: string, options: [yes, no, on]}, y: {type: bool, default: true}}}}"
        )
        guard case .enumeration(let options) = read.intents[0].declaration.parameters[0].type else {
            return #expect(Bool(false))
        }
        #expect(options.cases.map(\.id) == ["yes", "no", "on"])
        #expect(read.intents[0].declaration.parameters[1].defaults == [.constant(.bool(true))])
    }

    @Test("reads catalogues from comma-separated files and from JSON")
    func entities() throws {
        let reserve = try Golden.definitions("restaurant.intents.yaml").intents[0].declaration
        guard case .entity(let cities) = reserve.parameters[5].type else { return #expect(Bool(false)) }
        #expect(cities.entities.map(\.id) == ["AMS", "NYC", "LON"])
        #expect(cities.entities[1].title.original == "New York, NY")
        #expect(cities.entities[1].synonyms.map(\.original) == ["Big Apple", "NYC"])
        #expect(cities.entities[0].subtitle?.original == "Netherlands")
        #expect(cities.entities[2].subtitle == nil)
        #expect(cities.entities[0].properties == ["people": .number(900_000), "zone": .string("CET")])
        let json = #"[{"code":7,"name":"Seven","other":["7th"],"odd":true,"deep":{}},{"code":"x"}]"#
        let text =
            "version: 1\nentities: {N: {file: n.json, id: code, synonyms: other}}\nintents: {A: {parameters: {n: N}}}"
        let read = try DefinitionFiles([("a.intents.yaml", Array(text.utf8))]) { _, path in
            path == "n.json" ? Array(json.utf8) : []
        }
        guard case .entity(let numbers) = read.intents[0].declaration.parameters[0].type else {
            return #expect(Bool(false))
        }
        #expect(numbers.entities[0] == .init("7", title: "Seven", synonyms: ["7th"], properties: ["odd": .bool(true)]))
        #expect(numbers.entities[1].title.original == "x")
    }

    @Test("can use every type: a person's words become its wire form")
    func types() async throws {
        let said: KeyValuePairs<String, (String, String)> = [
            "yes": ("yes", "true"), "count": ("twelve", "12"), "weight": ("1.5", "1.5"),
            "amount": ("12.50", "\"12.5\""),
            "words": ("hello", "\"hello\""), "span": ("1 hour", "\"PT1H\""),
            "page": ("https://a.example/x", "\"https://a.example/x\""),
            "when": ("2026-03-02T10:00:00Z", "\"2026-03-02T10:00:00Z\""),
            "price": ("20 EUR", #"{"amount":"20.00","currencyCode":"EUR"}"#),
            "far": ("3 km", #"{"value":3,"unit":"km"}"#), "heavy": ("2 kg", #"{"value":2,"unit":"kg"}"#),
            "names": ("Ann and Bob", #"["Ann","Bob"]"#), "hours": ("1 hour, 2 hours", #"["PT1H","PT2H"]"#),
            "airports": ("Schiphol", #"[{"id":"AMS","title":"Schiphol","country":"NL"}]"#),
        ]
        let registry = try registry("restaurant.intents.yaml")
        let resolved = try await registry.resolve("Forecast", said.map { .said($0.key, $0.value.0) })
        for (name, value) in said {
            #expect(resolved.first { $0.name == name }?.resolution == .success(JSON(unchecked: value.1)), "\(name)")
        }
        // A parameter without a value has its default.
        let defaults = try await registry.resolve("Forecast")
        #expect(defaults.first { $0.name == "words" }?.resolution == .success(.string("remembered")))
        #expect(
            defaults.first { $0.name == "names" }?.resolution == .success(.array([.string("Ann"), .string("Bob")])))
    }

    @Test("has a summary with conditions, in the reader's language")
    func summary() async throws {
        let declared = try Golden.definitions("restaurant.intents.yaml").declarations { _, _ in Echo() }
        let registry = try IntentRegistry([], declared: declared, dependencies: AppDependencyManager())
        func summary(_ parameters: KeyValuePairs<String, JSON>, _ locale: String? = nil) async -> String? {
            let outcome = await registry.perform(
                .handle, "ReserveRestaurant", .resolved(parameters), locale: locale,
                principal: Principal(.user, "ann"))
            return outcome.response?.dialog ?? "\(outcome)"
        }
        #expect(await summary(["restaurant": .string("Nous"), "size": .string("l")]) == "Large table for 2 at Nous")
        #expect(await summary(["restaurant": .string("Nous"), "seats": .number(3)]) == "Table for 3 at Nous")
    }

    @Test("is compared with its earlier version intent by intent")
    func changes() throws {
        let before = try definitions("version: 1\nintents: {A: {}, B: {}, C: {}}")
        let after = try definitions("version: 1\nintents: {B: {}, C: {parameters: {x: int}}, D: {}}")
        let changes = after.changes(since: before)
        #expect(changes.added == ["D"])
        #expect(changes.changed == ["C"])
        #expect(changes.removed == ["A"])
        #expect(before.changes(since: before).isEmpty)
    }
}

/// A fulfilment that responds with the summary of its call.
struct Echo: IntentFulfilment {
    func resolve(_ parameter: String, of call: FulfilmentCall) async throws -> ParameterResolution { .notRequired }
    func confirm(_ call: FulfilmentCall) async throws -> IntentResponse { .ready(dialog: call.summary) }
    func handle(_ call: FulfilmentCall) async throws -> IntentResponse { .success(dialog: call.summary) }
}
