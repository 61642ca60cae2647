import IntentKit
import PipelineTestKit
import Testing

private struct Book: Intent {
    static let title: LocalizedText = "Book"

    @Parameter(
        title: "Seats", description: "How many seats are booked",
        default: .first(.attribute("seats"), .remembered, .constant(2)), requestValueDialog: "How many seats?",
        .inclusiveRange(1...8), .memory(.session))
    var seats: Int
    @Parameter(
        title: "Class", requestValueDialog: "Which class?", requestDisambiguationDialog: "First or second?",
        requestConfirmationDialog: "Is that the class?", optionsProvider: StaticOptions("first", "second"))
    var carriage: String?
    @Parameter(
        title: "Pin", requestValueDialog: "Your pin?", .inclusiveRange(1000...9999), .sensitivity(.secret),
        .memory(.session))
    var pin: Int?
    @Parameter(title: "City", default: .remembered) var city: String?
    @Parameter(title: "Town", default: .attribute("home"), .memory(.session(as: "city"))) var town: String?
    @Parameter(
        title: "Name", inputOptions: String.IntentInputOptions(keyboardType: .namePhonePad, capitalizationType: .words))
    var passenger: String?
    @Parameter(title: "Meal", default: .remembered, optionsProvider: Meals()) var meal: String?

    static let parameters = Parameters<Self>(\.$seats, \.$carriage, \.$pin, \.$city, \.$town, \.$passenger, \.$meal)
    static var parameterSummary: some ParameterSummary { Summary("\(\.$seats) seats with \(\.$pin)") }
    static let confirmation: ConfirmationPolicy = .always
}

private struct Meals: DynamicOptionsProvider {
    func results() async throws -> ItemCollection<String> {
        ItemCollection(sections: [
            IntentItemSection("Warm", items: ["soup", "rice"]), IntentItemSection("Cold", items: ["salad", "soup"]),
        ])
    }
}

/// An extension whose rule for the class is this closure.
private func booking(
    _ rule: @escaping @Sendable (String?) -> ResolutionResult<String> = { $0.map { .success($0) } ?? .notRequired() }
) -> SingleHandlerExtension<PartsHandler<Book>> {
    serving(
        Book.self, handle: { .success(dialog: "\($0.seats) seats") },
        resolution: { Resolve(\.$carriage) { value, _ in rule(value) } })
}

@Suite("A parameter's declaration") struct ParameterDeclarationTests {
    private let server = booking()

    @Test(
        arguments: [
            (nil, [:], [:], 2), (nil, [:], ["seats": 4], 4), (nil, ["seats": "three"], ["seats": 4], 3),
            ("5", ["seats": 3], ["seats": 4], 5),
        ] as [(JSON?, [String: JSON], [String: JSON], JSON)])
    func `the first suitable default is used, unless a value is given`(
        _ said: JSON?, _ attributes: [String: JSON], _ memory: [String: JSON], _ seats: JSON
    ) async throws {
        let found = try await server.resolve("seats", said: said, attributes: attributes, memory: memory)
        #expect(found == .success(seats))
    }

    @Test(arguments: [9, 0, true, "lots", [2], .null] as [JSON])
    func `a default that the parameter can't have is skipped`(_ value: JSON) async throws {
        let found = try await server.resolve("seats", said: nil, attributes: ["seats": value], memory: ["seats": 4])
        #expect(found == .success(4))
    }

    @Test func `a remembered value is only used while it is one of the options`() async throws {
        #expect(try await server.resolve("meal", said: nil, memory: ["Book.meal": "rice"]) == .success("rice"))
        #expect(try await server.resolve("meal", said: nil, memory: ["Book.meal": "fish"]) == .notRequired)
    }

    @Test func `defaults also apply if handle runs without an earlier resolve`() async throws {
        let outcome = try await server.perform(.handle, attributes: ["seats": 3])
        #expect(outcome.response?.dialog == "3 seats")
    }

    @Test func `the scope of the memory determines its key`() async throws {
        let keys = try await server.resolve().map(\.memoryKey)
        #expect(keys == ["seats", nil, nil, "Book.city", "city", nil, "Book.meal"])
    }

    @Test func `each kind of question has its own prompt`() async throws {
        func dialog(_ result: ResolutionResult<String>) async throws -> String? {
            try await booking { _ in result }.resolve("carriage", said: "first").dialog
        }
        #expect(try await dialog(.disambiguation(["first", "second"])) == "First or second?")
        #expect(try await dialog(.confirmationRequired("second")) == "Is that the class?")
        #expect(try await dialog(.needsValue()) == "Which class?")
        let other = try await server.resolve("carriage", [.said("carriage", "third")])
        #expect(other.resolution.dialog == "Class can't be 'third'. First or second?")
        #expect(other.options.map(\.id) == ["first", "second"])
    }

    @Test func `options from sections have the title of their section`() async throws {
        let found = try await server.resolve("meal", [.said("meal", "cake")])
        #expect(found.options.map(\.id) == ["soup", "rice", "salad", "soup#2"])
        #expect(found.options.map(\.section) == ["Warm", "Warm", "Cold", "Warm"])
    }

    @Test func `a secret is marked as one and never quoted`() async throws {
        let good = try await server.resolve("pin", [.given("pin", "1234")])
        #expect(good.isSecret && good.resolution == .success(1234))
        for words in ["123", "my birthday"] {
            let bad = try await server.resolve("pin", [.said("pin", words)])
            #expect(bad.isSecret && bad.resolution.reason != nil && bad.resolution.dialog?.contains(words) == false)
        }
        #expect(try await server.resolve().map(\.isSecret) == [false, false, true, false, false, false, false])
    }

    @Test func `a secret appears in no summary`() async throws {
        let pin = ParameterState.given("pin", "1234", .resolved)
        #expect(try await server.perform(.confirm, [pin]).confirmation?.summary == "2 seats with Pin")
    }

    @Test func `notRequired is final even if there is a value`() async throws {
        let server = booking { _ in .needsValue() }
        #expect(try await server.resolve("carriage", said: "first", .notRequired) == .notRequired)
    }
}

private struct Brew: Intent {
    static let title: LocalizedText = "Brew"
    @Parameter(title: "Pots") var pots: Int = 1
    @Parameter(title: "Cup", default: .first(.attribute("cup"), .remembered, .constant("glass")), .memory(.session))
    var cup: String
    @Parameter(title: "Table") var table: String
    @Parameter(title: "PIN", default: .constant("0000"), .sensitivity(.secret)) var pin: String
    @Parameter(title: "Leaf") var leaf: Leaf?
    static let parameters = Parameters<Self>(\.$pots, \.$cup, \.$table, \.$pin, \.$leaf)
}

@Suite("A resolver says where a value comes from that was not given") struct ValueSourceTests {
    private let server = serving(
        Brew.self, resolution: { Resolve(\.$table) { table, _ in .success(table ?? "by the window") } })

    private func sources(
        _ said: KeyValuePairs<String, JSON> = [:], attributes: [String: JSON] = [:], memory: [String: JSON] = [:]
    ) async throws -> [String: ParameterState.Provenance] {
        try await server.resolve(.given(said), attributes: attributes, memory: memory)
            .reduce(into: [:]) { $0[$1.name] = $1.provenance }
    }

    @Test func `defaults and resolved values have a source, and secrets and absent values have none`() async throws {
        let expected: [String: ParameterState.Provenance] = [
            "pots": .init(source: .default), "cup": .init(source: .default), "table": .init(source: .resolver),
        ]
        #expect(try await sources() == expected)
    }

    @Test func `attributes and remembered values have a source`() async throws {
        let (mug, bowl): ([String: JSON], [String: JSON]) = (["cup": "mug"], ["cup": "bowl"])
        #expect(try await sources(attributes: mug)["cup"]?.source == .attribute)
        #expect(try await sources(memory: mug)["cup"]?.source == .remembered)
        #expect(try await sources(attributes: mug, memory: bowl)["cup"]?.source == .attribute)
    }

    @Test func `given values have no source`() async throws {
        #expect(try await sources(["cup": "glass", "table": "3", "pots": "1"]).isEmpty)
    }

    @Test func `a conditional confirmation is requested only for a doubtful value that is not settled`() async throws {
        struct Careful: AppIntent {
            static let title: LocalizedText = "Careful"
            @Parameter(title: "To") var to: String
            static let parameters = Parameters<Self>(\.$to)
            func perform() async throws -> some IntentResult {
                try await requestConfirmation(conditions: .lowConfidenceSource, dialog: "To \(to)?")
                return .result()
            }
        }
        func asks(_ confidence: Double?, _ origin: ParameterState.Origin) async throws -> Bool {
            var to = ParameterState.given("to", "home", origin)
            to.provenance = confidence.map { ParameterState.Provenance(confidence: $0) }
            let outcome = try await SelfPerformingExtension(Careful.self).perform(.handle, [to])
            return outcome.question?.dialog == "To home?"
        }
        #expect(try await asks(0.4, .resolved))
        let settled: [(Double?, ParameterState.Origin)] = [
            (nil, .resolved), (0.7, .resolved), (0.4, .confirmed), (0.4, .chosen),
        ]
        for (confidence, origin) in settled { #expect(try await !asks(confidence, origin)) }
    }

    @Test(
        arguments: [(0.69, .confirmationRequired("mug", dialog: "Cup: mug?")), (0.7, .success("mug"))]
            as [(Double, ParameterResolution)])
    func `a given doubtful value is confirmed`(_ confidence: Double, _ resolution: ParameterResolution) async throws {
        var cup = ParameterState.given("cup", "mug")
        cup.provenance = ParameterState.Provenance(confidence: confidence)
        #expect(try await server.resolve("cup", [cup]).resolution == resolution)
        cup.origin = .confirmed
        #expect(try await server.resolve("cup", [cup]).resolution == .success("mug"))
    }
}

private struct Sweeten: Intent {
    @Parameter(title: "Milk", .noneWords(["no preference", "dontcare"])) var milk: String? = "oat"
    @Parameter(title: "Cups", .inclusiveRange(1...6), .noneWords(["dontcare"])) var cups: Int?
    @Parameter(title: "Tea", .noneWords(["dontcare"])) var tea: String
    @Parameter(title: "Sugar", default: .first(.remembered, .constant("brown")), .noneWords(["dontcare"]))
    var sugar: String?
    static let title: LocalizedText = "Sweeten"
    static let parameters = Parameters<Self>(\.$milk, \.$cups, \.$tea, \.$sugar)
}

@Suite("A person can decline an optional value in words") struct NoneWordsTests {
    private let server = serving(
        Sweeten.self, handle: { .success(values: ["milk": $0.milk ?? "none", "cups": $0.cups ?? 0, "tea": $0.tea]) })

    @Test func `a declined value is remembered as none, and then no default applies`() async throws {
        let said = try await server.resolve("sugar", [.given("sugar", "dontcare")])
        #expect(said.isNone && said.resolution == .notRequired && said.memoryKey == "Sweeten.sugar")
        let without = try await server.resolve("sugar", [])
        #expect(!without.isNone && without.resolution == .success("brown"))
        let later = try await server.resolve("sugar", [], memory: ["Sweeten.sugar": .null])
        #expect(!later.isNone && later.resolution == .notRequired)
        #expect(try await server.resolve("sugar", said: nil, memory: ["Sweeten.sugar": "white"]) == .success("white"))
    }

    @Test func `an optional parameter has no value, whatever its default, type and range`() async throws {
        let all = try await server.resolve(.given(["milk": "No Preference", "cups": "DONTCARE", "tea": "mint"]))
        #expect(all["milk"] == .notRequired && all["cups"] == .notRequired)
    }

    @Test func `a required parameter reads the words as text, and a missing value has its default`() async throws {
        let all = try await server.resolve([.given("tea", "dontcare")])
        #expect(all["milk"] == .success("oat") && all["tea"] == .success("dontcare"))
    }

    @Test func `the handler gets no value, even though the words are sent with the intent`() async throws {
        let states: [ParameterState] = [
            .given("milk", "dontcare", .notRequired), .given("cups", "dontcare", .notRequired),
            .given("tea", "mint", .resolved),
        ]
        #expect(try await server.respond(.handle, states).values == ["milk": "none", "cups": 0, "tea": "mint"])
    }
}
