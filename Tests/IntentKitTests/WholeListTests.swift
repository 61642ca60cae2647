import IntentKit
import PipelineTestKit
import Testing

private struct Pack: Intent {
    static let title: LocalizedText = "Pack"
    @Parameter(title: "Things", requestValueDialog: "What?") var things: [String]?
    @Parameter(title: "Bags") var bags: Int = 1
    @Parameter(title: "Label") var label: String?
    static let parameters = Parameters<Self>(\.$things, \.$bags, \.$label)
}

private struct PackHandler: IntentHandling {
    var resolution: some Resolution<Pack> {
        Resolve(each: \.$things) { thing, _ in
            switch thing {
            case "air": .notRequired()
            case "piano": .unsupported(reason: "tooLarge")
            default: .success(thing.uppercased())
            }
        }
        .whole { things, _ in
            guard let things else { return .needsValue("What shall I pack?") }
            return things.count > 2 ? .unsupported(reason: "tooMuch") : .success(things)
        }
        Resolve(\.$bags) { _, _ in .notRequired() }
        Resolve(\.$label, after: \.$bags) { _, pack in
            .success("\(pack.$bags.value ?? 0) of \(pack.$things.value?.count ?? 0)")
        }
    }
    func handle(_ pack: Pack, context: Context) async throws -> HandleResponse {
        .success(dialog: "\(pack.things?.count ?? 0) in \(pack.bags), \(pack.label ?? "no label")")
    }
}

@Suite("A list is checked as a whole, and values that are not required are dropped")
struct WholeListTests {
    private let server = SingleHandlerExtension(handler: PackHandler())

    private func things(_ json: String) async throws -> ResolvedParameter {
        try await server.resolve("things", [.given("things", json: json)])
    }

    @Test("the list is checked as a whole once each of its values is resolved")
    func whole() async throws {
        #expect(try await things(#"["cup","tea"]"#).resolution == .success(.array([.string("CUP"), .string("TEA")])))
        let tooMuch = try await things(#"["cup","tea","pot"]"#)
        #expect(tooMuch.resolution.reason == "tooMuch" && tooMuch.element == nil)
        let tooLarge = try await things(#"["cup","tea","piano"]"#)
        #expect(tooLarge.resolution.reason == "tooLarge" && tooLarge.element?.index == 2)
    }

    @Test("a missing list, an empty one, and one without remaining values are passed as nil")
    func empty() async throws {
        #expect(try await server.resolve("things", []).resolution == .needsValue(dialog: "What shall I pack?"))
        #expect(try await things("[]").resolution == .needsValue(dialog: "What shall I pack?"))
        #expect(try await things(#"["air"]"#).resolution == .needsValue(dialog: "What shall I pack?"))
    }

    @Test("other parameters don't see the value of one that is not required, but its constant default")
    func resolving() async throws {
        let all = try await server.resolve([.given("things", json: #"["cup"]"#), .given("bags", json: "3")])
        #expect(all[1].resolution == .notRequired)
        #expect(all[2].resolution == .success(.string("1 of 1")))
    }

    @Test("confirm and handle don't see it either")
    func handling() async throws {
        let states: [ParameterState] = [
            .given("things", json: #"["cup"]"#, .notRequired), .given("bags", json: "3", .notRequired),
            .given("label", "red", .notRequired),
        ]
        guard case .responded(let response, _) = try await server.perform(.handle, states) else {
            Issue.record("not handled")
            return
        }
        #expect(response.dialog == "0 in 1, no label")
    }
}
