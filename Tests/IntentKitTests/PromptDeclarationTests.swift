import IntentKit
import IntentModel
import IntentRuntime
import PipelineTestKit
import Testing

@Suite("What a resolution says for the prompt") struct PromptDeclarationTests {
    private func resolved(
        _ said: KeyValuePairs<String, JSON>
    ) async throws -> (summary: String?, parameters: [String: ResolvedParameter]) {
        let outcome = try await Teahouse().perform(.resolve, .given(said))
        guard case .resolved(let all, nil, let summary, _) = outcome else {
            throw UnexpectedOutcome(outcome, of: .resolve, "OrderTea")
        }
        return (summary, Dictionary(all.map { ($0.name, $0) }) { first, _ in first })
    }

    private func registry(_ declaration: IntentDeclaration) throws -> IntentRegistry {
        try IntentRegistry([], declared: [declaration], dependencies: AppDependencyManager())
    }

    @Test
    func `an open parameter says its type with a schema, its range, and whether a value is required`() async throws {
        let parameters = try await resolved(["leaf": "assam", "pots": 9]).parameters
        let pots = try #require(parameters["pots"]?.declaration?.view)
        #expect(pots["type"]?["name"]?.string == "Int" && pots["type"]?["description"]?.string == "a whole number")
        #expect(pots["type"]?["schema"]?["type"]?.string == "integer")
        #expect(pots["range"]?["maximum"]?.int != nil && pots["required"]?.bool != nil)
        #expect(pots["sensitivity"]?.string == "private")
        #expect(parameters["leaf"]?.declaration == nil, "nothing is asked about it")
    }

    @Test func `while the person is asked something, the others are in words, and so is the intent`() async throws {
        let (summary, parameters) = try await resolved(["leaf": "assam", "pots": 9])
        #expect(parameters["leaf"]?.text == "Assam" && parameters["pots"]?.text == nil)
        #expect(summary?.contains("Assam") == true)
        let (none, all) = try await resolved(["leaf": "assam", "cup": "c1", "pots": 1])
        #expect(none == nil && all.values.allSatisfy { $0.text == nil && $0.declaration == nil })
    }

    @Test func `of many known values the declaration names none: they are the options`() async throws {
        var board = IntentDeclaration("Board", title: "Board")
        let stops = (1...200).map { JSON.string("Stop \($0)") }
        board.parameters = [ParameterDeclaration("stop", .string, title: "Stop", options: stops)]
        let many = try await registry(board).resolve("stop", of: "Board")
        #expect(many.declaration?.view["type"]?["schema"]?.json == ["type": "string"])
        #expect(many.declaration?.view["type"]?["description"] == nil && many.resolution.options.count == 200)
        let few = try await resolved([:]).parameters["leaf"]
        #expect(few?.declaration?.view["type"]?["schema"]?["oneOf"]?.elements.count == 3)
    }

    @Test func `a confirmation says what its answers are called, in the language of the request`() async throws {
        var board = IntentDeclaration("Board", title: "Board")
        board.confirmation = .always
        board.confirmationActionName = .book
        func action(_ locale: String?) async throws -> ConfirmationAction? {
            try await registry(board).perform(.confirm, "Board", locale: locale).confirmation?.action
        }
        #expect(try await action(nil) == ConfirmationAction(name: "book", acceptLabel: "Book", denyLabel: "Cancel"))
        let german = ConfirmationAction(name: "book", acceptLabel: "Buchen", denyLabel: "Abbrechen")
        #expect(try await action("de-AT") == german)
        board.confirmationActionName = .custom(acceptLabel: "Release", denyLabel: "Keep", destructive: true)
        let custom = ConfirmationAction(name: "custom", acceptLabel: "Release", denyLabel: "Keep", isDestructive: true)
        #expect(try await action("nl") == custom)
    }

    @Test func `each action has a label in every built-in language`() {
        for name in ConfirmationActionName.all {
            let english = name.action(in: nil)
            #expect(!english.acceptLabel.isEmpty && name.name != "custom")
            for locale in ["nl", "de", "fr", "es"] {
                #expect(name.action(in: locale).denyLabel != english.denyLabel, "\(locale)")
            }
        }
        #expect(Set(ConfirmationActionName.all.map(\.name)).count == 32)
    }
}

@Suite("Values proposed by confirm, and items to choose from") struct ProposalTests {
    struct BookTable: Intent {
        @Parameter(title: "Time") var time: String
        @Parameter(title: "Seats", .inclusiveRange(1...6)) var seats: Int = 2
        static let title: LocalizedText = "Book a table"
        static let parameters = Parameters<Self>(\.$time, \.$seats)
        static var parameterSummary: some ParameterSummary { Summary("Table for \(\.$seats) at \(\.$time)") }
    }

    struct Other: Intent {
        @Parameter(title: "Hour") var hour: Int
        static let title: LocalizedText = "Other"
        static let parameters = Parameters<Self>(\.$hour)
    }

    struct Handler: IntentHandling {
        let confirmation: ConfirmResponse

        func confirm(_ intent: BookTable, context: Context) async throws -> ConfirmResponse { confirmation }

        func handle(_ intent: BookTable, context: Context) async throws -> HandleResponse {
            .success(items: ["Window", "Terrace"]).askingWhichItem(remembers: ["table": "name"]).remembering(
                intent.seats, as: "seats")
        }
    }

    private func perform(
        _ phase: Phase = .confirm, _ confirmation: ConfirmResponse = .ready(dialog: "That late?")
    ) async throws -> PhaseOutcome {
        try await SingleHandlerExtension(handler: Handler(confirmation: confirmation)).perform(
            phase, .resolved(["time": "18:45"]))
    }

    @Test(
        "a proposed value is confirmed by the person, even without a confirmation policy, with the value in the summary"
    )
    func proposed() async throws {
        let outcome = try await perform(.confirm, .ready(dialog: "That late?").proposing(\BookTable.$time, "18:30"))
        #expect(outcome.response?.proposed == ["time": "18:30"])
        #expect(outcome.confirmation?.summary == "Table for 2 at 18:30")
        #expect(outcome.confirmation?.dialog == "That late?")
        #expect(try await perform().response != nil)
        #expect(try await perform().confirmation == nil, "without a proposal the person is not asked")
    }

    @Test func `a proposal for a parameter of another intent fails with a message that says so`() async throws {
        let failure = try await perform(.confirm, .ready.proposing(\Other.$hour, 7)).failure
        let message = "a response of BookTable proposes a value for something that is not one of its parameters"
        #expect(failure?.message == message)
    }

    @Test(
        "a service's proposal for an unknown parameter, or of an unsuitable value, fails with its name",
        arguments: [
            ("hour", "confirm of BookTable proposes 'hour', which is not one of its parameters"),
            ("seats", "confirm of BookTable proposes a value that 'seats' can't have"),
        ])
    func wrong(_ parameter: String, _ message: String) async throws {
        var response = IntentResponse(.ready)
        response.proposed = [parameter: "many"]
        #expect(try await perform(.confirm, ConfirmResponse(response)).failure?.message == message)
    }

    @Test func `handle returns items to choose from and values to remember`() async throws {
        let response = try await perform(.handle).response
        #expect(response?.items.map(\.title) == ["Window", "Terrace"])
        #expect(response?.choice == ItemChoice(remembers: ["table": "name"]))
        #expect(response?.remembered == ["seats": 2])
    }
}
