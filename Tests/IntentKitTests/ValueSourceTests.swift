import IntentKit
import IntentRuntime
import PipelineTestKit
import Testing

@Suite("A resolver says where a value comes from that was not given")
struct ValueSourceTests {
    private struct Brew: Intent {
        static let title: LocalizedText = "Brew"
        @Parameter(title: "Pots") var pots: Int = 1
        @Parameter(title: "Cup", default: .first(.attribute("cup"), .remembered, .constant("glass")), .memory(.session))
        var cup: String
        @Parameter(title: "Table") var table: String
        @Parameter(title: "PIN", default: .constant("0000"), .sensitivity(.secret)) var pin: String
        @Parameter(title: "Leaf") var leaf: Leaf?
        static let parameters = Parameters<Self>(\.$pots, \.$cup, \.$table, \.$pin, \.$leaf)
    }

    private struct BrewHandler: IntentHandling {
        var resolution: some Resolution<Brew> {
            Resolve(\.$table) { table, _ in .success(table ?? "by the window") }
        }
        func handle(_ brew: Brew, context: Context) async throws -> HandleResponse { .success }
    }

    private func sources(
        _ parameters: [ParameterState] = [], attributes: [String: JSON] = [:], memory: [String: JSON] = [:]
    ) async throws -> [String: ParameterState.Provenance] {
        let resolved = try await SingleHandlerExtension(handler: BrewHandler()).registry()
            .resolve("Brew", parameters, attributes: attributes, memory: memory)
        return resolved.reduce(into: [:]) { $0[$1.name] = $1.provenance }
    }

    @Test("a constant default, and the resolver's own choice; nothing of secrets and of what is left out")
    func constants() async throws {
        let sources = try await sources()
        #expect(
            sources == [
                "pots": .init(source: .default), "cup": .init(source: .default), "table": .init(source: .resolver),
            ])
    }

    @Test("an attribute of the request, or what is remembered")
    func others() async throws {
        #expect(try await sources(attributes: ["cup": .string("mug")])["cup"]?.source == .attribute)
        #expect(try await sources(memory: ["cup": .string("mug")])["cup"]?.source == .remembered)
        #expect(
            try await sources(attributes: ["cup": .string("mug")], memory: ["cup": .string("bowl")])["cup"]?.source
                == .attribute)
    }

    @Test("nothing, for what was given")
    func given() async throws {
        let sources = try await sources([.said("cup", "glass"), .said("table", "3"), .said("pots", "1")])
        #expect(sources.isEmpty)
    }

    @Test("a confirmation for doubtful values alone is asked for if there is one that the person has not settled")
    func conditions() async throws {
        struct Careful: AppIntent {
            static let title: LocalizedText = "Careful"
            @Parameter(title: "To") var to: String
            static let parameters = Parameters<Self>(\.$to)
            func perform() async throws -> some IntentResult {
                try await requestConfirmation(conditions: .lowConfidenceSource, dialog: "To \(to)?")
                return .result()
            }
        }
        let registry = try SelfPerformingExtension(Careful.self).registry()
        func asks(_ confidence: Double?, _ origin: ParameterState.Origin) async -> Bool {
            var to = ParameterState(name: "to", value: .string("home"), origin: origin)
            to.provenance = confidence.map { ParameterState.Provenance(confidence: $0) }
            return await registry.perform(.handle, "Careful", [to]).question?.dialog == "To home?"
        }
        #expect(await asks(0.4, .resolved))
        for (confidence, origin) in [(nil, .resolved), (0.7, .resolved), (0.4, .confirmed), (0.4, .chosen)]
            as [(Double?, ParameterState.Origin)]
        {
            #expect(await !asks(confidence, origin))
        }
    }

    @Test(
        "a given value that the request itself calls doubtful is asked about, and one that is sure enough is not",
        arguments: [0.69, 0.7])
    func confidence(_ confidence: Double) async throws {
        var cup = ParameterState.said("cup", "mug")
        cup.provenance = ParameterState.Provenance(confidence: confidence)
        let registry = try SingleHandlerExtension(handler: BrewHandler()).registry()
        let resolution = try await registry.resolve("cup", of: "Brew", [cup]).resolution
        #expect(
            resolution
                == (confidence < 0.7 ? .confirmationRequired(.string("mug"), dialog: nil) : .success(.string("mug"))))
        cup.origin = .confirmed
        #expect(try await registry.resolve("cup", of: "Brew", [cup]).resolution == .success(.string("mug")))
    }
}
