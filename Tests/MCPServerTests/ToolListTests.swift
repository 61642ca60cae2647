import Conversation
import IntentEvents
import IntentModel
import Testing

@testable import MCPServer

@Suite("Tools of the catalogue") struct ToolListTests {
    private let settings = AgentSettings(key: [1], patience: .seconds(20), lifetime: .seconds(600))

    private func entry(_ intent: Identifier, _ details: [String: JSON] = [:]) -> ToolList.Served {
        (intent, PublishedIntent(intent: intent, title: intent.text, details: details))
    }

    @Test
    func `a name that the protocol does not allow becomes one that it does, and each intent has a name of its own`() {
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

    @Test func `a secret parameter is not in the schema that a model sees`() throws {
        let details: [String: JSON] = [
            "parameters": .array([["name": "pin", "sensitivity": "secret"], ["name": "to"]]),
            "schemas": [
                "request": [
                    "type": "object", "properties": ["pin": [:], "to": [:]], "required": .array(["pin", "to"]),
                ]
            ],
        ]
        let tool = try #require(ToolList([entry("Pay", details)], settings).tools.first)
        let schema = try #require(tool.json.view["inputSchema"])
        #expect(schema["properties"]?.members.map(\.name) == ["to"])
        #expect(schema["required"]?.elements.map(\.string) == ["to"])
        #expect(tool.secrets == ["pin"])
    }

    @Test func `how long to wait and how long a handle is good are those of the settings`() throws {
        let tools = try ToolList([], settings).page(after: nil).tools.map(\.description)
        #expect(tools.count == 2 && tools.allSatisfy { $0.contains("It can be used for 10 min.") })
        #expect(tools.last?.contains("Waits for up to 20 s ") == true)
    }

    @Test func `a long list has pages, which together have each tool once`() throws {
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

@Suite("Sealed places") struct AgentPlaceTests {
    private let key = [UInt8](repeating: 3, count: 32)
    private let now = Instant(milliseconds: 1_767_268_800_000)
    private let ann = Principal(.appUser, "ann")
    private var place: AgentPlace {
        AgentPlace(session: "söme session", request: "r-1", asked: "p/0", expires: now.advanced(by: .seconds(60)))
    }

    private func open(
        _ text: String, key: [UInt8]? = nil, for principal: Principal?, purpose: String = "x", after: Duration = .zero
    ) throws -> AgentPlace {
        try AgentPlace(
            unsealing: text, with: key ?? self.key, for: principal, purpose: purpose, at: now.advanced(by: after))
    }

    @Test func `a sealed place opens as it was, until it expires`() throws {
        let sealed = place.sealed(with: key, for: ann, purpose: "x")
        #expect(try open(sealed, for: ann) == place)
        #expect(throws: AgentProblem.self) { try open(sealed, for: ann, after: .seconds(60)) }
    }

    @Test func `it opens for no one else, for nothing else, and with no other key`() {
        let sealed = place.sealed(with: key, for: ann, purpose: "x")
        #expect(throws: AgentProblem.self) { try open(sealed, for: Principal(.user, "ann")) }
        #expect(throws: AgentProblem.self) { try open(sealed, for: nil) }
        #expect(throws: AgentProblem.self) { try open(sealed, for: ann, purpose: "y") }
        #expect(throws: AgentProblem.self) { try open(sealed, key: [UInt8](repeating: 4, count: 32), for: ann) }
    }

    @Test func `no character can be changed, added or left out`() {
        let sealed = Array(place.sealed(with: key, for: ann, purpose: "x"))
        var wrong = [String(sealed) + "A", String(repeating: "A", count: 5_000)]
        for index in sealed.indices {
            var changed = sealed
            changed[index] = changed[index] == "A" ? "B" : "A"
            wrong += [String(changed), String(sealed[..<index])]
        }
        for text in wrong { #expect(throws: AgentProblem.self) { try open(text, for: ann) } }
    }

    @Test func `the digest of a value does not depend on the order of its members`() throws {
        func digest(_ text: String) throws -> String { try JSON(parsing: Array(text.utf8)).digest }
        #expect(try digest(#"{"a":1,"b":{"c":2,"d":[3]}}"#) == digest(#"{"b": {"d":[3], "c":2}, "a":1}"#))
        #expect(try digest(#"{"a":1}"#) != digest(#"{"a":2}"#))
        #expect(try digest(#"["a","b"]"#) != digest(#"["b","a"]"#))
    }

    @Test(arguments: [
        ("https://a.example/b", true), ("http://127.0.0.1:8080", true), ("javascript:alert(1)", false),
        ("file:///etc", false),
        ("https://user@a.example", false), ("https://a b", false), ("https://", false), ("data:text/html,x", false),
    ])
    func `only the URLs of pages are passed on`(_ text: String, _ isPage: Bool) {
        #expect((text.webURL != nil) == isPage)
    }
}
