import IntentEvents
import IntentModel
import Testing

@testable import MCPServer

@Suite("Tools of the catalogue")
struct ToolListTests {
    private let settings = AgentSettings(key: [1], patience: .seconds(20), lifetime: .seconds(600))

    private func entry(_ intent: Identifier, _ details: [String: JSON] = [:]) -> ToolList.Served {
        (intent, PublishedIntent(intent: intent, title: intent.text, details: details))
    }

    @Test("a name that the protocol does not allow becomes one that it does, and each intent has a name of its own")
    func names() {
        let intents: [Identifier] = [
            "Ride", "a b", "a_b", "é", "intent_reply", Identifier(String(repeating: "x", count: 300)), "",
        ]
        let tools = ToolList(intents.map { entry($0) }, settings).tools
        let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.")
        #expect(
            tools.allSatisfy {
                1...128 ~= $0.name.count && allowed.isSuperset(of: $0.name) && $0.name != "intent_reply"
            })
        #expect(Set(tools.map(\.name)).count == intents.count)
        #expect(Set(tools.map(\.intent)) == Set(intents))
        #expect(tools.contains { $0.name == "Ride" } && tools.contains { $0.name == "a_b" && $0.intent == "a_b" })
    }

    @Test("a secret parameter is not in the schema that a model sees")
    func secrets() throws {
        let tool = try #require(
            ToolList(
                [
                    entry(
                        "Pay",
                        [
                            "parameters": .array([
                                .object(["name": .string("pin"), "sensitivity": .string("secret")]),
                                .object(["name": .string("to")]),
                            ]),
                            "schemas": .object([
                                "request": .object([
                                    "type": .string("object"),
                                    "properties": .object(["pin": .object([:]), "to": .object([:])]),
                                    "required": .array([.string("pin"), .string("to")]),
                                ])
                            ]),
                        ])
                ], settings
            ).tools.first)
        let schema = try #require(tool.json.view["inputSchema"])
        #expect(schema["properties"]?.members.map(\.name) == ["to"])
        #expect(schema["required"]?.elements.map(\.string) == ["to"])
        #expect(tool.secrets == ["pin"])
    }

    @Test("how long to wait and how long a handle is good are those of the settings")
    func durations() throws {
        let tools = try ToolList([], settings).page(after: nil).tools.map(\.description)
        #expect(tools.count == 2 && tools.allSatisfy { $0.contains("It can be used for 10 min.") })
        #expect(tools.last?.contains("Waits for up to 20 s ") == true)
    }

    @Test("a long list has pages, which together have each tool once")
    func pages() throws {
        let list = ToolList((100..<350).map { entry("I\($0)") }, settings)
        var names: [String] = []
        var cursor: String?
        repeat {
            let page = try list.page(after: cursor)
            names += page.tools.compactMap { $0.view["name"]?.string }
            cursor = page.next
        } while cursor != nil
        #expect(names == (100..<350).map { "I\($0)" } + ["intent_reply", "intent_status"])
        #expect(throws: RPCError.self) { try list.page(after: String(repeating: "x", count: 129)) }
    }
}
