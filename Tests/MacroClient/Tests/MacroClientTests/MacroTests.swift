import Garden
import IntentKit
import IntentModel
import IntentRuntime
import Testing

@Suite("@Intent") struct MacroTests {
    private func perform(_ phase: Phase, _ intent: String, _ parameters: [ParameterState] = []) async throws
        -> PhaseOutcome
    {
        let registry = try IntentRegistry([GardenExtension()], dependencies: AppDependencyManager())
        let context = InvocationContext(session: "s", request: "r")
        return await registry.perform(
            IntentInvocation(phase: phase, intent: intent, parameters: parameters, context: context))
    }

    private func parameters(of intent: String) async throws -> [String] {
        guard case .resolved(let all, _, _, _) = try await perform(.resolve, intent) else { return [] }
        return all.map(\.name)
    }

    @Test func `lists the parameters in the order in which they are declared`() async throws {
        #expect(try await parameters(of: "PlantTree") == ["kind", "count", "note"])
        #expect(try await parameters(of: "CountTrees") == ["most"])
        #expect(try await parameters(of: "Rest").isEmpty)
    }

    @Test func `leaves parameters and an initializer that are declared as they are`() async throws {
        #expect(try await parameters(of: "MoveTree") == ["from", "to"] && MoveTree().to == "the garden")
    }

    @Test func `makes an initializer that is as accessible as the type`() { #expect(PlantTree().count == 1) }

    @Test func `conforms to Intent, and leaves a conformance to AppIntent`() async throws {
        let said = ParameterState(name: "kind", value: .string("oak"))
        #expect(
            try await perform(.handle, "PlantTree", [said]) == .responded(IntentResponse(.success, dialog: "1 × oak")))
        #expect(try await perform(.handle, "CountTrees") == .responded(IntentResponse(.success, dialog: "3 trees")))
    }
}
