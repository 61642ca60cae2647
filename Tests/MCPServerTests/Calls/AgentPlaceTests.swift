import Conversation
import IntentModel
import Testing

@testable import MCPServer

@Suite("Sealed places")
struct AgentPlaceTests {
    private let key = [UInt8](repeating: 3, count: 32)
    private let now = Instant(milliseconds: 1_767_268_800_000)
    private let ann = Principal(.appUser, "ann")
    private var place: AgentPlace {
        AgentPlace(session: "söme session", request: "r-1", asked: "p/0", expires: now.advanced(by: .seconds(60)))
    }

    private func open(
        _ text: String, key: [UInt8]? = nil, for principal: Principal?, purpose: String = "x", after: Duration = .zero
    ) throws
        -> AgentPlace
    {
        try AgentPlace(
            unsealing: text, with: key ?? self.key, for: principal, purpose: purpose, at: now.advanced(by: after))
    }

    @Test("a sealed place opens as it was, until it expires")
    func whole() throws {
        let sealed = place.sealed(with: key, for: ann, purpose: "x")
        #expect(try open(sealed, for: ann) == place)
        #expect(throws: AgentProblem.self) { try open(sealed, for: ann, after: .seconds(60)) }
    }

    @Test("it opens for no one else, for nothing else, and with no other key")
    func bound() {
        let sealed = place.sealed(with: key, for: ann, purpose: "x")
        #expect(throws: AgentProblem.self) { try open(sealed, for: Principal(.user, "ann")) }
        #expect(throws: AgentProblem.self) { try open(sealed, for: nil) }
        #expect(throws: AgentProblem.self) { try open(sealed, for: ann, purpose: "y") }
        #expect(throws: AgentProblem.self) { try open(sealed, key: [UInt8](repeating: 4, count: 32), for: ann) }
    }

    @Test("no character can be changed, added or left out")
    func unchanged() {
        let sealed = Array(place.sealed(with: key, for: ann, purpose: "x"))
        for index in sealed.indices {
            var changed = sealed
            changed[index] = changed[index] == "A" ? "B" : "A"
            #expect(throws: AgentProblem.self) { try open(String(changed), for: ann) }
            #expect(throws: AgentProblem.self) { try open(String(sealed[..<index]), for: ann) }
        }
        #expect(throws: AgentProblem.self) { try open(String(sealed) + "A", for: ann) }
        #expect(throws: AgentProblem.self) { try open(String(repeating: "A", count: 5_000), for: ann) }
    }

    @Test("the digest of a value does not depend on the order of its members")
    func digest() throws {
        func digest(_ text: String) throws -> String { try JSON(parsing: Array(text.utf8)).digest }
        #expect(try digest(#"{"a":1,"b":{"c":2,"d":[3]}}"#) == digest(#"{"b": {"d":[3], "c":2}, "a":1}"#))
        #expect(try digest(#"{"a":1}"#) != digest(#"{"a":2}"#))
        #expect(try digest(#"["a","b"]"#) != digest(#"["b","a"]"#))
    }

    @Test(
        "only the URLs of pages are passed on",
        arguments: [
            ("https://a.example/b", true), ("http://127.0.0.1:8080", true), ("javascript:alert(1)", false),
            ("file:///etc", false),
            ("https://user@a.example", false), ("https://a b", false), ("https://", false), ("data:text/html,x", false),
        ])
    func pages(_ text: String, _ isPage: Bool) { #expect((text.webURL != nil) == isPage) }
}
