import IntentKit
import IntentRuntime
import PipelineTestKit
import Testing

@Suite("Values proposed by confirm, and items to choose from")
struct ProposalTests {
    struct BookTable: Intent {
        @Parameter(title: "Time") var time: String
        @Parameter(title: "Seats", .inclusiveRange(1...6)) var seats: Int = 2
        static let title: LocalizedText = "Book a table"
        static let parameters = Parameters<Self>(\.$time, \.$seats)
        static var parameterSummary: some ParameterSummary { Summary("Table for \(\.$seats) at \(\.$time)") }
    }

    struct Handler: IntentHandling {
        let confirms: @Sendable () -> ConfirmResponse

        func confirm(_ intent: BookTable, context: Context) async throws -> ConfirmResponse { confirms() }

        func handle(_ intent: BookTable, context: Context) async throws -> HandleResponse {
            .success(items: ["Window", "Terrace"]).askingWhichItem(remembers: ["table": "name"]).remembering(
                intent.seats, as: "seats")
        }
    }

    struct Tables: IntentExtension {
        let confirms: @Sendable () -> ConfirmResponse
        var intents: [any Intent.Type] { [BookTable.self] }
        func handler(for intent: any Intent) -> (any IntentHandler)? { Handler(confirms: confirms) }
    }

    private func answer(
        _ phase: Phase, _ confirms: @escaping @Sendable () -> ConfirmResponse = { .ready(dialog: "That late?") }
    ) async throws -> PhaseOutcome {
        let registry = try IntentRegistry([Tables(confirms: confirms)])
        return await registry.perform(phase, "BookTable", .resolved(["time": .string("18:45")]))
    }

    @Test(
        "a proposed value is confirmed by the person, even without a confirmation policy, with the value in the summary"
    )
    func proposed() async throws {
        let outcome = try await answer(.confirm) { .ready(dialog: "That late?").proposing(\BookTable.$time, "18:30") }
        guard case .responded(let response, let confirmation) = outcome else { throw Failed() }
        #expect(response.proposed == ["time": .string("18:30")])
        #expect(confirmation?.summary == "Table for 2 at 18:30" && confirmation?.dialog == "That late?")
    }

    @Test("without a proposal the person is not asked")
    func asSaid() async throws {
        guard case .responded(_, let confirmation) = try await answer(.confirm) else { throw Failed() }
        #expect(confirmation == nil)
    }

    @Test("a proposal for a parameter of another intent fails with a message that says so")
    func wrongIntent() async throws {
        let outcome = try await answer(.confirm) { .ready.proposing(\Other.$hour, 7) }
        guard case .failed(let failure) = outcome else { throw Failed() }
        #expect(
            failure.message
                == "a response of BookTable proposes a value for something that is not one of its parameters")
    }

    @Test(
        "a service's proposal for an unknown parameter, or of an unsuitable value, fails with its name",
        arguments: [
            ("hour", "confirm of BookTable proposes 'hour', which is not one of its parameters"),
            ("seats", "confirm of BookTable proposes a value that 'seats' can't have"),
        ])
    func wrong(_ parameter: String, _ message: String) async throws {
        var response = IntentResponse(.ready)
        response.proposed = [parameter: .string("many")]
        guard case .failed(let failure) = try await answer(.confirm, { [response] in ConfirmResponse(response) }) else {
            throw Failed()
        }
        #expect(failure.message == message)
    }

    struct Other: Intent {
        @Parameter(title: "Hour") var hour: Int
        static let title: LocalizedText = "Other"
        static let parameters = Parameters<Self>(\.$hour)
    }

    @Test("handle returns items to choose from and values to remember")
    func choice() async throws {
        guard case .responded(let response, _) = try await answer(.handle) else { throw Failed() }
        #expect(response.items.map(\.title) == ["Window", "Terrace"])
        #expect(
            response.choice == ItemChoice(remembers: ["table": "name"]) && response.remembered == ["seats": .number(2)])
    }

    struct Failed: Error {}
}
