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
        let proposed: [String: any ParameterValue]

        func confirm(_ intent: BookTable, context: Context) async throws -> IntentResponse {
            .ready(dialog: "That late?", proposing: proposed)
        }

        func handle(_ intent: BookTable, context: Context) async throws -> IntentResponse {
            .success(items: ["Window", "Terrace"], choice: ItemChoice(remembers: ["table": "name"]), remembering: ["seats": intent.seats])
        }
    }

    struct Tables: IntentExtension {
        let proposed: [String: any ParameterValue]
        var intents: [any Intent.Type] { [BookTable.self] }
        func handler(for intent: any Intent) -> (any IntentHandler)? { Handler(proposed: proposed) }
    }

    private func answer(_ phase: Phase, proposing proposed: [String: any ParameterValue] = [:]) async throws -> PhaseOutcome {
        let registry = try IntentRegistry([Tables(proposed: proposed)])
        return await registry.perform(phase, "BookTable", .resolved(["time": .string("18:45")]))
    }

    @Test("a proposed value is confirmed by the person, even without a confirmation policy, with the value in the summary")
    func proposed() async throws {
        guard case .responded(let response, let confirmation) = try await answer(.confirm, proposing: ["time": "18:30"]) else {
            throw Failed()
        }
        #expect(response.proposed == ["time": .string("18:30")])
        #expect(confirmation?.summary == "Table for 2 at 18:30" && confirmation?.dialog == "That late?")
    }

    @Test("without a proposal the person is not asked")
    func asSaid() async throws {
        guard case .responded(_, let confirmation) = try await answer(.confirm) else { throw Failed() }
        #expect(confirmation == nil)
    }

    @Test(
        "a proposal for an unknown parameter, or of an unsuitable value, fails with its name",
        arguments: [
            ("hour", "confirm of BookTable proposes 'hour', which is not one of its parameters"),
            ("seats", "confirm of BookTable proposes a value that 'seats' can't have"),
        ])
    func wrong(_ parameter: String, _ message: String) async throws {
        guard case .failed(let failure) = try await answer(.confirm, proposing: [parameter: "many"]) else { throw Failed() }
        #expect(failure.message == message)
    }

    @Test("handle returns items to choose from and values to remember")
    func choice() async throws {
        guard case .responded(let response, _) = try await answer(.handle) else { throw Failed() }
        #expect(response.items.map(\.title) == ["Window", "Terrace"])
        #expect(response.choice == ItemChoice(remembers: ["table": "name"]) && response.remembered == ["seats": .number(2)])
    }

    struct Failed: Error {}
}
