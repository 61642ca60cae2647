import IntentKit
import IntentRuntime
import PipelineTestKit
import Testing

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

private struct Nested: Intent {
    fileprivate struct Inner: Sendable {
        static let shared = Inner()
        @Parameter(title: "A") var a: Int?
    }
    static let title: LocalizedText = "Nested"
    var inner = Inner.shared
    static let parameters = Parameters<Self>(\.inner.$a)
}

@Suite("A registry finds mistakes at the start, and rejects bad requests") struct RegistryTests {
    @Test func `the error for an extension without handlers shows the required signature`() throws {
        struct Outdated: IntentExtension {
            let intents: [any Intent.Type] = [Plain.self]
            // The method returns another type than the protocol's requirement.
            func handler(for intent: any Intent) -> (any IntentHandling)? { PlainHandler() }
        }
        expectMistake(.handlerMissing, "Outdated", "(any IntentHandler)?", in: Outdated())
        _ = try SelfPerformingExtension(Improvised.self).registry()
    }

    @Test func `an intent that is served twice is an error, which names both extensions`() {
        expectMistake(.intentServedTwice, "Teahouse", "Serving", in: Teahouse(), Serving(intents: [Plain.self]))
        expectMistake(.intentServedTwice, in: Serving(intents: [Plain.self, Plain.self]))
    }

    @Test func `every parameter must be listed once, and with a memory key that is not too long`() {
        expectMistake(.parameterMissing, "'b'", in: Serving(intents: [Forgetful.self]))
        expectMistake(.parameterDoubled, in: Serving(intents: [Repetitive.self]))
        expectMistake(.parameterUnknown, in: Serving(intents: [Nested.self]))
        expectMistake(
            .declarationInvalid,
            "parameter 'word' of Wordy is remembered by a key of 257 bytes; it has to have 1 to 256",
            in: Serving(intents: [Wordy.self]))
    }

    @Test func `an unknown intent is rejected with a list of the known ones, in order`() async throws {
        let registry = try Teahouse().registry()
        #expect(registry.intents == ["OrderTea", "Nod"])
        let message = "no handler for 'OrderCoffee'; this worker serves OrderTea, Nod"
        let failure = IntentFailure(.reject, reason: .unsupported, message: message, field: "intent")
        #expect(await registry.perform(.resolve, "OrderCoffee") == .failed(failure))
    }

    @Test(arguments: Phase.allCases)
    func `an unknown parameter is rejected with a list of the known ones`(_ phase: Phase) async throws {
        let message = "OrderTea has no parameter 'milk'; it has leaf, pots, cup, guest, note"
        let expected = IntentFailure(.reject, reason: .invalid, message: message, field: "parameters.milk")
        #expect(try await Teahouse().failure(phase, [.given("milk", "yes")]) == expected)
    }

    @Test(arguments: [("pots", [:]), ("pots", true), ("leaf", 3), ("guest", []), ("note", [:])] as [(String, JSON)])
    func `JSON of a kind that the parameter can't have is rejected`(_ name: String, _ json: JSON) async throws {
        #expect(
            try await Teahouse().failure(.resolve, [.given(name, json)]).kind == "reject invalid at parameters.\(name)")
    }

    @Test func `an intent without parameters needs only handle`() async throws {
        let registry = try Teahouse().registry()
        #expect(await registry.perform(.resolve, "Nod") == .resolved([]))
        #expect(await registry.perform(.confirm, "Nod") == .responded(.ready))
        #expect(await registry.perform(.handle, "Nod") == .responded(.success(dialog: "Nodded")))
    }

    @Test func `a test's own dependency takes precedence over the extension's`() async throws {
        let manager = AppDependencyManager()
        let tin = Cup(id: "t", title: "Tin")
        manager.add(Cupboard(cups: [tin]))
        let registry = try Teahouse().registry(dependencies: manager)
        #expect(try await registry.resolve("cup", of: "OrderTea").resolution == .success(JSON(tin)))
    }
}

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

@Suite("Missing dependencies are found when the process starts") struct DependencyTests {
    @Test func `a missing dependency of an intent, a handler, its properties or an options provider is an error`() {
        let manager = AppDependencyManager()
        expectMistake(
            .dependencyMissing,
            "Boil.kettle needs a dependency of type Kettle: add one in your extension's provideDependencies(to:)",
            in: SelfPerformingExtension(Boil.self), dependencies: manager)
        manager.add(Kettle(litres: 1))
        expectMistake(
            .dependencyMissing, "Boil.spare needs a dependency of type Kettle with key 'spare'",
            in: SelfPerformingExtension(Boil.self), dependencies: manager)
        expectMistake(.dependencyMissing, "Deep.kettle needs", in: SingleHandlerExtension(handler: PourHandler()))
        expectMistake(
            .dependencyMissing, "CupOptions.cupboard needs", in: SingleHandlerExtension(handler: OrderTeaHandler()))
    }

    @Test func `keys distinguish dependencies of the same type`() async throws {
        let manager = AppDependencyManager()
        manager.add(Kettle(litres: 1))
        manager.add(key: "spare", dependency: Kettle(litres: 2))
        manager.add(key: "spare", dependency: Kettle(litres: 3))
        let kettles = [nil, "spare", "other"].map { manager.get(Kettle.self, key: $0)?.litres }
        #expect(kettles == [1, 2, nil])
        let registry = try SelfPerformingExtension(Boil.self).registry(dependencies: manager)
        #expect(try await registry.respond(.handle, "Boil").values == ["value": 12])
    }
}

private struct Note: Intent {
    fileprivate struct Margin: Sendable { @Parameter(title: "Remark") var remark: String? }

    static let title: LocalizedText = "Note"
    @Parameter(title: "Text") var text: String
    @Parameter(title: "Heading") var heading: String?
    @Parameter(title: "Tags") var tags: [String]
    fileprivate var margin = Margin()
    static let parameters = Parameters<Self>(\.$text, \.$heading, \.$tags)
}

private func notes(
    @ResolutionBuilder<Note> _ resolution: () -> ResolutionSteps<Note>
) -> some IntentExtension { serving(Note.self, resolution: resolution) }

@Suite("A rule of a handler that can't be applied is an error at the start") struct ResolutionCheckTests {
    @Test func `rules that fit their parameters are accepted`() throws {
        let fitting = notes {
            Resolve(\.$text) { text, _ in text.map { .success($0) } ?? .needsValue() }
            Resolve(each: \.$tags, after: \.$text) { tag, _ in .success(tag) }
                .whole { tags, _ in tags.map { .success($0) } ?? .needsValue() }
        }
        _ = try fitting.registry()
    }

    @Test func `a rule for the values of a non-list, and two rules for a parameter, name the parameter`() {
        let each = notes { Resolve(each: \.$text) { text, _ in .success(text) } }
        expectMistake(.resolutionMismatched, "'text' that does not fit its type", in: each)
        let twice = notes {
            Resolve(\.$heading) { _, _ in .notRequired() }
            Resolve(\.$heading) { _, _ in .needsValue() }
        }
        expectMistake(.resolutionMismatched, "two rules for 'heading'", in: twice)
    }

    @Test func `a rule for, or after, something that is not among the intent's Parameters names the intent`() {
        let message = "not one of the Parameters of Note"
        let elsewhere = notes { Resolve(\.margin.$remark) { _, _ in .notRequired() } }
        expectMistake(.resolutionMismatched, message, in: elsewhere)
        let after = notes { Resolve(\.$heading, after: \.margin.$remark) { _, _ in .notRequired() } }
        expectMistake(.resolutionMismatched, message, in: after)
    }

    @Test func `rules that wait for each other are named`() {
        let circle = notes {
            Resolve(\.$heading, after: \.$text) { _, _ in .notRequired() }
            Resolve(\.$text, after: \.$heading) { text, _ in text.map { .success($0) } ?? .needsValue() }
        }
        expectMistake(.resolutionMismatched, "'text', 'heading' wait for each other", in: circle)
    }
}
