import IntentKit
import IntentRuntime
import PipelineTestKit
import Testing

@Suite("A test can call a single phase of registered intents")
struct PhaseCallTests {
    private let registry: IntentRegistry

    init() throws { registry = try Teahouse().registry() }

    private func message(_ call: () async throws -> some Sendable) async -> String? {
        let error = await #expect(throws: UnexpectedOutcome.self) { _ = try await call() }
        return error?.description
    }

    @Test("resolve returns all parameters, or the one that is asked for")
    func resolve() async throws {
        let said: [ParameterState] = .said(["leaf": "green tea", "pots": "two"])
        #expect(try await registry.resolve("OrderTea", said).map(\.name) == ["leaf", "pots", "cup", "guest", "note"])
        #expect(try await registry.resolve("pots", of: "OrderTea", said).resolution.value == .number(2))
        let cup = try await registry.resolve("cup", of: "OrderTea", said).resolution
        #expect(cup.dialog == "Which cup?" && cup.options.map(\.id) == ["c1", "c2", "c3"])
    }

    @Test("respond returns the response, and perform the confirmation too")
    func respond() async throws {
        #expect(try await registry.respond(.handle, "Nod").dialog == "Nodded")
        let many = order + .resolved(["pots": .number(3)])
        #expect(await registry.perform(.confirm, "OrderTea", many).confirmation?.summary == "3 pots of Assam; [Note]")
    }

    @Test("an unexpected outcome is an error that says what came instead")
    func unexpected() async {
        #expect(
            await message { try await registry.resolve("leef", of: "OrderTea") }
                == "'OrderTea' has no parameter 'leef'; it has leaf, pots, cup, guest, note")
        #expect(
            await message { try await registry.resolve("OrderTea", [.said("milk", "yes")]) }
                == "resolve of 'OrderTea' failed (invalid): OrderTea has no parameter 'milk'; it has leaf, pots, cup, guest, note "
                + "(at parameters.milk)")
        #expect(
            await message { try await registry.respond(.resolve, "Nod") }
                == "resolve of 'Nod' has no response, only resolutions: call resolve(_:_:) instead")
    }

    @Test("a question is an unexpected outcome that names the question")
    func asked() async throws {
        let improvised = try SelfPerformingExtension(Improvised.self).registry()
        await Improvised.$script.withValue({
            _ = try await $0.$leaf.requestValue("Which?"); return .result(dialog: "")
        }) {
            let text = await message { try await improvised.respond(.handle, "Improvised", [.said("table", "7")]) }
            #expect(text?.hasPrefix("handle of 'Improvised' asks the person (question '") == true)
            #expect(text?.hasSuffix("', “Which?”); pass a value, or test it with a TestConversation") == true)
        }
    }
}
