import IntentKit
import IntentRuntime
import PipelineTestKit
import Testing

@Suite("An extension lists its handlers")
struct ListedHandlersTests {
    private struct Kettle: IntentExtension {
        var isOn = true
        var isTwice = false

        var handlers: [any IntentHandling] {
            OrderTeaHandler()
            if isOn { Boil.self }
            if isTwice { OrderTeaHandler() }
        }

        var appHandlers: [any IntentHandling] {
            BrewHandler(where: "in the app")
            OrderTeaHandler(handles: { _, _ in .success(dialog: "by the app") })
        }

        func provideDependencies(to manager: AppDependencyManager) {
            manager.add(Cupboard(cups: [Cup(id: "c1", title: "Glass")]))
        }
    }

    private struct Boil: AppIntent {
        static let title: LocalizedText = "Boil"
        func perform() async throws -> some IntentResult & ProvidesDialog { .result(dialog: "Water is on") }
    }

    private struct Brew: Intent { static let title: LocalizedText = "Brew" }

    private struct BrewHandler: IntentHandling {
        let `where`: String
        func handle(_ brew: Brew, context: Context) async throws -> HandleResponse {
            .success(dialog: "Brewed \(`where`)")
        }
    }

    @Test("its intents are those that its handlers handle, in their order, each once")
    func intents() throws {
        #expect(try Kettle().registry().intents == ["OrderTea", "Boil", "Brew"])
        #expect(try Kettle(isOn: false).registry().intents == ["OrderTea", "Brew"])
    }

    @Test("each intent is handled by its handler, in a worker and in the app")
    func handled() async throws {
        let registry = try Kettle().registry()
        #expect(try await registry.respond(.handle, "OrderTea", order) == .success)
        #expect(try await registry.respond(.handle, "OrderTea", order, isInApp: true).dialog == "by the app")
        #expect(try await registry.respond(.handle, "Boil").dialog == "Water is on")
        #expect(try await registry.respond(.handle, "Boil", isInApp: true).dialog == "Water is on")
    }

    @Test("an intent that only the app's handlers handle runs in the app")
    func inApp() async throws {
        let registry = try Kettle().registry()
        #expect(registry.intentsOfTheApp == ["Brew"])
        #expect(try await registry.respond(.handle, "Brew", isInApp: true).dialog == "Brewed in the app")
        #expect(
            await registry.perform(.handle, "Brew").failure?.message == "Kettle has no handler for 'Brew' at present")
    }

    @Test("two handlers of one intent are a mistake that is found at the start")
    func twice() {
        #expect { try Kettle(isTwice: true).registry() } throws: {
            "\($0)" == "Kettle lists two handlers for 'OrderTea' in its handlers"
        }
    }

    @Test("the handlers are created once")
    func once() async throws {
        struct Counting: IntentExtension {
            let notebook: Recorder<String>
            var handlers: [any IntentHandling] { make() }
            func provideDependencies(to manager: AppDependencyManager) {
                manager.add(Cupboard(cups: [Cup(id: "c1", title: "Glass")]))
            }
            private func make() -> any IntentHandling {
                notebook.record("made")
                return OrderTeaHandler()
            }
        }
        let notebook = Recorder<String>()
        let registry = try Counting(notebook: notebook).registry()
        let before = notebook.all.count
        for _ in 1...3 { _ = try await registry.respond(.handle, "OrderTea", order) }
        #expect(notebook.all.count == before)
    }
}
