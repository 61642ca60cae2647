import IntentKit
import PipelineTestKit
import Testing

@Suite("A person can decline an optional value in words")
struct NoneWordsTests {
    struct OrderTea: Intent {
        @Parameter(title: "Milk", .noneWords(["no preference", "dontcare"])) var milk: String? = "oat"
        @Parameter(title: "Cups", .inclusiveRange(1...6), .noneWords(["dontcare"])) var cups: Int?
        @Parameter(title: "Tea", .noneWords(["dontcare"])) var tea: String
        @Parameter(title: "Sugar", default: .first(.remembered, .constant("brown")), .noneWords(["dontcare"]))
        var sugar: String?
        static let title: LocalizedText = "Order tea"
        static let parameters = Parameters<Self>(\.$milk, \.$cups, \.$tea, \.$sugar)
    }

    struct Handler: IntentHandling {
        func handle(_ order: OrderTea, context: Context) async throws -> HandleResponse {
            .success(values: ["milk": order.milk ?? "none", "cups": order.cups ?? 0, "tea": order.tea])
        }
    }

    struct Teahouse: IntentExtension {
        let intents: [any Intent.Type] = [OrderTea.self]
        func handler(for intent: any Intent) -> (any IntentHandler)? { Handler() }
    }

    private func resolutions(_ said: KeyValuePairs<String, String>) async throws -> [String: ParameterResolution] {
        let parameters = try await Teahouse().registry().resolve("OrderTea", .said(said))
        return Dictionary(parameters.map { ($0.name, $0.resolution) }, uniquingKeysWith: { $1 })
    }

    @Test("the resolution says that it was none, so that the session remembers it; then no default applies")
    func remembered() async throws {
        let registry = try Teahouse().registry()
        let said = try await registry.resolve("sugar", of: "OrderTea", [.said("sugar", "dontcare")])
        #expect(said.isNone && said.resolution == .notRequired && said.memoryKey == "OrderTea.sugar")
        let without = try await registry.resolve("sugar", of: "OrderTea", [])
        #expect(!without.isNone && without.resolution == .success(.string("brown")))
        let later = try await registry.resolve("sugar", of: "OrderTea", [], memory: ["OrderTea.sugar": .null])
        #expect(!later.isNone && later.resolution == .notRequired)
        let other = try await registry.resolve(
            "sugar", of: "OrderTea", [], memory: ["OrderTea.sugar": .string("white")])
        #expect(other.resolution == .success(.string("white")))
    }

    @Test("for an optional parameter the words mean no value, whatever its default, type and range")
    func optional() async throws {
        let resolutions = try await resolutions(["milk": "No Preference", "cups": "DONTCARE", "tea": "mint"])
        #expect(resolutions["milk"] == .notRequired && resolutions["cups"] == .notRequired)
    }

    @Test("without a value the default applies, and for a required parameter the words are ordinary text")
    func others() async throws {
        let resolutions = try await resolutions(["tea": "dontcare"])
        #expect(resolutions["milk"] == .success(.string("oat")) && resolutions["tea"] == .success(.string("dontcare")))
    }

    @Test("the handler gets no value, even though the words are sent with the intent")
    func handled() async throws {
        let parameters = [
            ParameterState(name: "milk", value: .string("dontcare"), origin: .notRequired),
            ParameterState(name: "cups", value: .string("dontcare"), origin: .notRequired),
            ParameterState(name: "tea", value: .string("mint"), origin: .resolved),
        ]
        let response = try await Teahouse().registry().respond(.handle, "OrderTea", parameters)
        #expect(response.values == ["milk": .string("none"), "cups": .number(0), "tea": .string("mint")])
    }
}
