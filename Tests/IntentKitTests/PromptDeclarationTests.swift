import IntentKit
import IntentModel
import IntentRuntime
import PipelineTestKit
import Testing

@Suite("What a resolution says for the prompt")
struct PromptDeclarationTests {
    private func resolved(_ said: [ParameterState]) async throws -> (PhaseOutcome, [String: ResolvedParameter]) {
        let outcome = try await Teahouse(order: OrderTeaHandler()).perform(.resolve, said)
        guard case .resolved(let all, _, _, _) = outcome else { return (outcome, [:]) }
        return (outcome, Dictionary(all.map { ($0.name, $0) }) { first, _ in first })
    }

    @Test("an open parameter says its type with a schema, its range, and whether a value is required")
    func declaration() async throws {
        let (_, parameters) = try await resolved([.given("leaf", "assam"), .given("pots", json: "9")])
        let pots = try #require(parameters["pots"]?.declaration?.view)
        #expect(pots["type"]?["name"]?.string == "Int" && pots["type"]?["description"]?.string == "a whole number")
        #expect(pots["type"]?["schema"]?["type"]?.string == "integer")
        #expect(
            pots["range"]?["maximum"]?.int != nil && pots["required"]?.bool != nil
                && pots["sensitivity"]?.string == "private")
        #expect(parameters["leaf"]?.declaration == nil, "nothing is asked about it")
    }

    @Test("while the person is asked something, the others are in words, and so is the intent")
    func words() async throws {
        let (outcome, parameters) = try await resolved([.given("leaf", "assam"), .given("pots", json: "9")])
        #expect(parameters["leaf"]?.text == "Assam" && parameters["pots"]?.text == nil)
        guard case .resolved(_, nil, let summary, _) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(summary?.contains("Assam") == true)
        let (done, all) = try await resolved([.given("leaf", "assam"), .given("cup", "c1"), .given("pots", json: "1")])
        #expect(all.values.allSatisfy { $0.text == nil && $0.declaration == nil })
        guard case .resolved(_, _, nil, _) = done else { return #expect(Bool(false), "\(done)") }
    }

    @Test("of many known values the declaration names none: they are the options")
    func manyKnown() async throws {
        func asked(_ count: Int) async throws -> ResolvedParameter {
            var declaration = IntentDeclaration("Board", title: "Board")
            let stops = (1...count).map { JSON.string("Stop \($0)") }
            declaration.parameters = [ParameterDeclaration("stop", .string, title: "Stop", options: stops)]
            let registry = try IntentRegistry([], declared: [declaration], dependencies: AppDependencyManager())
            return try await registry.resolve("stop", of: "Board")
        }
        let many = try await asked(200)
        #expect(many.declaration?.view["type"]?["schema"]?.json == .object(["type": .string("string")]))
        #expect(many.declaration?.view["type"]?["description"] == nil && many.resolution.options.count == 200)
        let (_, few) = try await resolved([])
        #expect(few["leaf"]?.declaration?.view["type"]?["schema"]?["oneOf"]?.elements.count == 3)
    }

    @Test("a confirmation says what its answers are called, in the language of the request")
    func action() async throws {
        var declaration = IntentDeclaration("Board", title: "Board")
        declaration.confirmation = .always
        declaration.confirmationActionName = .book
        func asked(_ locale: String?) async throws -> ConfirmationAction? {
            let registry = try IntentRegistry([], declared: [declaration], dependencies: AppDependencyManager())
            return await registry.perform(.confirm, "Board", locale: locale).confirmation?.action
        }
        #expect(try await asked(nil) == ConfirmationAction(name: "book", acceptLabel: "Book", denyLabel: "Cancel"))
        #expect(
            try await asked("de-AT") == ConfirmationAction(name: "book", acceptLabel: "Buchen", denyLabel: "Abbrechen"))
        declaration.confirmationActionName = .custom(acceptLabel: "Release", denyLabel: "Keep", destructive: true)
        #expect(
            try await asked("nl")
                == ConfirmationAction(name: "custom", acceptLabel: "Release", denyLabel: "Keep", isDestructive: true))
    }

    @Test("each action has a label in every built-in language")
    func labels() {
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
