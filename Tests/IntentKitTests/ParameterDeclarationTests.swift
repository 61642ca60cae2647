import IntentKit
import PipelineTestKit
import Testing

private struct Book: Intent {
    static let title: LocalizedText = "Book"

    @Parameter(
        title: "Seats", description: "How many seats are booked",
        default: .first(.attribute("seats"), .remembered, .constant(2)),
        requestValueDialog: "How many seats?", .inclusiveRange(1...8), .memory(.session))
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

private struct BookHandler: IntentHandling {
    var carriage: @Sendable (String?) -> ResolutionResult<String> = { $0.map { .success($0) } ?? .notRequired() }
    var resolution: some Resolution<Book> {
        Resolve(\.$carriage) { value, _ in carriage(value) }
    }
    func handle(_ book: Book, context: Context) async throws -> HandleResponse { .continueInApp() }
}

@Suite("A parameter's declaration")
struct ParameterDeclarationTests {
    private let server = SingleHandlerExtension(handler: BookHandler())

    @Test("the first available default is used")
    func firstDefault() async throws {
        #expect(try await server.resolve("seats", []).resolution == .success(.number(2)))
        #expect(
            try await server.resolve("seats", [], memory: ["seats": JSON(unchecked: "4")]).resolution
                == .success(.number(4)))
        let both = try await server.resolve(
            "seats", [], attributes: ["seats": JSON(unchecked: "\"three\"")], memory: ["seats": JSON(unchecked: "4")])
        #expect(both.resolution == .success(.number(3)))
    }

    @Test(
        "a default that the parameter can't have is skipped", arguments: ["9", "0", "true", "\"lots\"", "[2]", "null"])
    func unsuitableDefault(json: String) async throws {
        let found = try await server.resolve(
            "seats", [], attributes: ["seats": JSON(unchecked: json)], memory: ["seats": JSON(unchecked: "4")])
        #expect(found.resolution == .success(.number(4)))
    }

    @Test("a remembered value is only used while it is one of the options")
    func rememberedOption() async throws {
        #expect(
            try await server.resolve("meal", [], memory: ["Book.meal": .string("rice")]).resolution
                == .success(.string("rice")))
        #expect(try await server.resolve("meal", [], memory: ["Book.meal": .string("fish")]).resolution == .notRequired)
    }

    @Test("a given value takes precedence over every default")
    func givenValue() async throws {
        let said = try await server.resolve(
            "seats", [.given("seats", "5")], attributes: ["seats": JSON(unchecked: "3")],
            memory: ["seats": JSON(unchecked: "4")])
        #expect(said.resolution == .success(.number(5)))
    }

    @Test("defaults also apply if handle runs without an earlier resolve")
    func handledDirectly() async throws {
        let outcome = try await SingleHandlerExtension(handler: BookHandler()).perform(
            .handle, [], attributes: ["seats": JSON(unchecked: "3")])
        let response = try #require(outcome.response)
        #expect(response.userActivity?.userInfo["seats"] == .number(3))
    }

    @Test("the scope of the memory determines its key")
    func memoryKey() async throws {
        let keys = try await server.resolve([]).map(\.memoryKey)
        #expect(keys == ["seats", nil, nil, "Book.city", "city", nil, "Book.meal"])
    }

    @Test("a range can be declared with App Intents' inclusiveRange")
    func inclusiveRange() async throws {
        let found = try await server.resolve("seats", [.given("seats", "9")])
        #expect(found.resolution == .unsupported(reason: "aboveMaximum", dialog: "Seats can be 1 to 8, not 9."))
    }

    @Test("each kind of question has its own prompt")
    func prompts() async throws {
        let choice = SingleHandlerExtension(handler: BookHandler { _ in .disambiguation(["first", "second"]) })
        #expect(
            try await choice.resolve("carriage", [.given("carriage", "first")]).resolution.dialog == "First or second?")
        let one = SingleHandlerExtension(handler: BookHandler { _ in .confirmationRequired("second") })
        #expect(
            try await one.resolve("carriage", [.given("carriage", "first")]).resolution.dialog == "Is that the class?")
        let none = SingleHandlerExtension(handler: BookHandler { _ in .needsValue() })
        #expect(try await none.resolve("carriage", [.given("carriage", "first")]).resolution.dialog == "Which class?")
        let other = try await server.resolve("carriage", [.given("carriage", "third")])
        #expect(
            other.resolution.dialog == "Class can't be 'third'. First or second?"
                && other.resolution.options.map(\.id) == ["first", "second"])
    }

    @Test("options from sections have the title of their section")
    func sections() async throws {
        let found = try await server.resolve("meal", [.given("meal", "cake")])
        #expect(found.resolution.options.map(\.id) == ["soup", "rice", "salad", "soup#2"])
        #expect(found.resolution.options.map(\.section) == ["Warm", "Warm", "Cold", "Warm"])
    }

    @Test("a secret is marked as one and never quoted")
    func secret() async throws {
        let good = try await server.resolve("pin", [.given("pin", "1234")])
        #expect(good.isSecret && good.resolution == .success(.number(1234)))
        for words in ["123", "my birthday"] {
            let bad = try await server.resolve("pin", [.given("pin", words)])
            #expect(bad.isSecret && bad.resolution.reason != nil && bad.resolution.dialog?.contains(words) == false)
        }
        #expect(try await server.resolve([]).map(\.isSecret) == [false, false, true, false, false, false, false])
    }

    @Test("a secret appears in no summary and no activity")
    func secretOmitted() async throws {
        let pin = ParameterState.given("pin", "1234", .resolved)
        let outcome = try await server.perform(.confirm, [pin])
        #expect(outcome.confirmation?.summary == "2 seats with Pin")
        let handled = try await server.perform(.handle, [pin])
        let response = try #require(handled.response)
        #expect(response.userActivity != nil && response.userActivity?.userInfo["pin"] == nil)
    }

    @Test("notRequired is final even if there is a value")
    func notRequired() async throws {
        let server = SingleHandlerExtension(handler: BookHandler { _ in .needsValue() })
        let excluded = ParameterState(name: "carriage", value: .string("first"), origin: .notRequired)
        #expect(try await server.resolve("carriage", [excluded]).resolution == .notRequired)
    }
}
