import IntentKit
import IntentRuntime
import PipelineTestKit
import Testing

@Suite("A registry finds mistakes at the start, and rejects bad requests")
struct RegistryTests {
    private func error(_ extensions: any IntentExtension...) -> IntentRegistryError? {
        do {
            _ = try IntentRegistry(extensions, dependencies: AppDependencyManager())
            return nil
        } catch {
            return error
        }
    }

    private struct Serving: IntentExtension {
        var intents: [any Intent.Type]
        func handler(for intent: any Intent) -> (any IntentHandler)? { PlainHandler() }
    }

    private struct Forgetful: Intent {
        static let title: LocalizedText = "Forgetful"
        @Parameter(title: "A") var a: Int?
        @Parameter(title: "B") var b: String?
        static let parameters = Parameters<Self>(\.$a)
    }

    private struct Repetitive: Intent {
        static let title: LocalizedText = "Repetitive"
        @Parameter(title: "A") var a: Int?
        static let parameters = Parameters<Self>(\.$a, \.$a)
    }

    private struct Wordy: Intent {
        static let title: LocalizedText = "Wordy"
        @Parameter(title: "Word", default: .remembered, .memory(.person(as: String(repeating: "k", count: 257))))
        var word: String
        static let parameters = Parameters<Self>(\.$word)
    }

    fileprivate struct Nested: Intent {
        fileprivate struct Inner: Sendable { @Parameter(title: "A") var a: Int? }
        static let title: LocalizedText = "Nested"
        var inner = Inner.shared
        static let parameters = Parameters<Self>(\.inner.$a)
    }

    @Test("it lists its intents in order")
    func intentOrder() throws {
        #expect(try IntentRegistry([Teahouse()], dependencies: AppDependencyManager()).intents == ["OrderTea", "Nod"])
    }

    @Test("the error for an extension without handlers shows the required signature")
    func noHandler() {
        struct Outdated: IntentExtension {
            let intents: [any Intent.Type] = [Plain.self]
            // The method returns another type than the protocol's requirement.
            func handler(for intent: any Intent) -> (any IntentHandling)? { PlainHandler() }
        }
        let found = error(Outdated())
        #expect(found?.code == .handlerMissing)
        #expect(found?.message.contains("Outdated") == true && found?.message.contains("(any IntentHandler)?") == true)
        #expect(error(SelfPerformingExtension(Improvised.self)) == nil)
    }

    @Test("the error for an intent that is served twice names both extensions")
    func servedTwice() {
        let found = error(Teahouse(), Serving(intents: [Plain.self]))
        #expect(found?.code == .intentServedTwice)
        #expect(found?.message.contains("Teahouse") == true && found?.message.contains("Serving") == true)
    }

    @Test("every parameter must be listed once")
    func parameters() {
        let missing = error(Serving(intents: [Forgetful.self]))
        #expect(missing?.code == .parameterMissing && missing?.message.contains("'b'") == true)
        #expect(error(Serving(intents: [Repetitive.self]))?.code == .parameterDoubled)
        #expect(error(Serving(intents: [Nested.self]))?.code == .parameterUnknown)
    }

    @Test("a memory key must not be too long")
    func memoryKey() {
        let found = error(Serving(intents: [Wordy.self]))
        #expect(found?.code == .declarationInvalid)
        #expect(
            found?.message == "parameter 'word' of Wordy is remembered by a key of 257 bytes; it has to have 1 to 256")
    }

    @Test("an unknown intent is rejected with a list of the known ones")
    func unknownIntent() async throws {
        let registry = try IntentRegistry([Teahouse()], dependencies: AppDependencyManager())
        let outcome = await registry.perform(.resolve, "OrderCoffee")
        let message = "no handler for 'OrderCoffee'; this worker serves OrderTea, Nod"
        #expect(outcome == .failed(IntentFailure(.reject, reason: .unsupported, message: message, field: "intent")))
    }

    @Test("an intent without a handler is rejected")
    func withoutHandler() async throws {
        guard case .failed(let failure) = try await Teahouse().perform(.handle, order, isInApp: true) else {
            Issue.record("the app has no handler")
            return
        }
        #expect(failure.disposition == .reject && failure.reason == .unsupported)
    }

    @Test("an unknown parameter is rejected with a list of the known ones")
    func unknownParameter() async throws {
        let message = "OrderTea has no parameter 'milk'; it has leaf, pots, cup, guest, note"
        let expected = IntentFailure(.reject, reason: .invalid, message: message, field: "parameters.milk")
        for phase in Phase.allCases {
            #expect(try await Teahouse().perform(phase, [.given("milk", "yes")]) == .failed(expected))
        }
    }

    @Test("JSON of a kind that the parameter can't have is rejected")
    func unsuitableJSON() async throws {
        for (name, json) in [("pots", "{}"), ("pots", "true"), ("leaf", "3"), ("guest", "[]"), ("note", "{}")] {
            guard case .failed(let failure) = try await Teahouse().perform(.resolve, [.given(name, json: json)]) else {
                Issue.record("\(name) took \(json)")
                continue
            }
            #expect(
                failure.disposition == .reject && failure.reason == .invalid && failure.field == "parameters.\(name)")
        }
    }

    @Test("an intent without parameters needs only handle")
    func onlyHandle() async throws {
        let registry = try IntentRegistry([Teahouse()], dependencies: AppDependencyManager())
        #expect(await registry.perform(.resolve, "Nod") == .resolved([]))
        #expect(await registry.perform(.confirm, "Nod") == .responded(.ready))
        #expect(await registry.perform(.handle, "Nod") == .responded(.success(dialog: "Nodded")))
    }

    @Test("a test's own dependency takes precedence over the extension's")
    func ownDependency() async throws {
        let manager = AppDependencyManager()
        manager.add(Cupboard(cups: [Cup(id: "t", title: "Tin")]))
        let registry = try IntentRegistry([Teahouse()], dependencies: manager)
        #expect(
            try await registry.resolve("cup", of: "OrderTea").resolution == .success(JSON(Cup(id: "t", title: "Tin"))))
    }
}

extension RegistryTests.Nested.Inner {
    fileprivate static let shared = RegistryTests.Nested.Inner()
}
