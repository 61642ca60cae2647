import IntentKit
import IntentRuntime
import PipelineTestKit
import Testing

private struct Kettle: Sendable, Equatable { var litres: Int }

private struct Boil: AppIntent {
    static let title: LocalizedText = "Boil"
    @Dependency var kettle: Kettle
    @Dependency(key: "spare") var spare: Kettle
    func perform() async throws -> some IntentResult & ReturnsValue<Int> {
        .result(value: kettle.litres * 10 + spare.litres)
    }
}

private struct Pour: Intent { static let title: LocalizedText = "Pour" }

private struct Deep: Sendable { @Dependency(key: "deep") var kettle: Kettle }

private struct PourHandler: IntentHandling {
    let deep = Deep()
    func handle(_ intent: Pour, context: Context) async throws -> HandleResponse { .success }
}

private struct Waiter: IntentExtension {
    let intents: [any Intent.Type] = [Pour.self]
    func handler(for intent: any Intent) -> (any IntentHandler)? { PourHandler() }
}

@Suite("Missing dependencies are found when the process starts")
struct DependencyTests {
    private func error(_ server: any IntentExtension, _ manager: AppDependencyManager) -> IntentRegistryError? {
        do {
            _ = try IntentRegistry([server], dependencies: manager)
            return nil
        } catch {
            return error
        }
    }

    @Test("a missing dependency of an intent is an error at the start")
    func intent() {
        let manager = AppDependencyManager()
        let found = error(SelfPerformingExtension(Boil.self), manager)
        #expect(found?.code == .dependencyMissing)
        #expect(
            found?.message
                == "Boil.kettle needs a dependency of type Kettle: add one in your extension's provideDependencies(to:)"
        )
        manager.add(Kettle(litres: 1))
        #expect(
            error(SelfPerformingExtension(Boil.self), manager)?.message.hasPrefix(
                "Boil.spare needs a dependency of type Kettle with key 'spare'")
                == true)
    }

    @Test("a missing dependency of a handler, or of its properties, is an error at the start")
    func handler() {
        #expect(error(Waiter(), AppDependencyManager())?.message.hasPrefix("Deep.kettle needs") == true)
    }

    @Test("a missing dependency of an options provider is an error at the start")
    func optionsProvider() {
        struct Bare: IntentExtension {
            let intents: [any Intent.Type] = [OrderTea.self]
            func handler(for intent: any Intent) -> (any IntentHandler)? { OrderTeaHandler() }
        }
        #expect(error(Bare(), AppDependencyManager())?.message.hasPrefix("CupOptions.cupboard needs") == true)
    }

    @Test("keys distinguish dependencies of the same type")
    func keys() async throws {
        let manager = AppDependencyManager()
        manager.add(Kettle(litres: 1))
        manager.add(key: "spare", dependency: Kettle(litres: 2))
        manager.add(key: "spare", dependency: Kettle(litres: 3))
        #expect(
            manager.get(Kettle.self) == Kettle(litres: 1) && manager.get(Kettle.self, key: "spare") == Kettle(litres: 2)
        )
        #expect(manager.get(Kettle.self, key: "other") == nil)
        let outcome = try await SelfPerformingExtension(Boil.self).registry(dependencies: manager).perform(
            .handle, "Boil")
        #expect(outcome.response?.values == ["value": .number(12)])
    }
}
