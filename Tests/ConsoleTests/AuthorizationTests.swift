import Conversation
import Foundation
import GatewayFixture
import HTTPTypes
import Hummingbird
import IntentEvents
import IntentModel
import MCPServer
import PersonGateway
import PipelineTestKit
import RecordLog
import Testing

@testable import Console

/// Calls every route, and every method of the agents' protocol, for another person's session.
@Suite("Another person's session by each route of the console") struct AuthorizationTests {
    private static let ann = Principal(.appUser, "ann")
    private static let bob = Principal(.appUser, "bob")
    /// A text that Ann has sent.
    private static let marker = "marker-of-ann"

    /// The statuses of a route for another person, and for an agent of another person.
    private struct Rule {
        var person: Set<Int>
        var agent: Set<Int>

        init(_ person: Set<Int>, agent: Set<Int>? = nil) { (self.person, self.agent) = (person, agent ?? person) }
    }

    /// The routes that need no token.
    private static let open: Set<String> = ["/", "/{file}", "/api/v1/openapi.json", "/api/v1/asyncapi.json"]

    /// The rules of GET and HEAD. Only the session's own route names a session.
    private static let look: [String: Rule] = [
        "/api/v1/me": Rule([200]), "/api/v1/catalog": Rule([200]), "/api/v1/sessions": Rule([200]),
        "/api/v1/inbox": Rule([200]), "/api/v1/sessions/{session}": Rule([404]), "/api/v1/overview": Rule([200]),
        "/api/v1/overview/history": Rule([403]),
    ]

    private static let streams: Set<String> = [
        "/api/v1/events", "/api/v1/overview/events", "/api/v1/sessions/{session}/events",
    ]

    private static var said: [String: Rule] {
        var rules = [
            "/api/v1/requests": Rule([403]), "/api/v1/dead-letters/{position}/replay": Rule([403]),
            "/api/v1/dead-letters/{position}/drop": Rule([403]), "/mcp": Rule([400]),
        ]
        for (path, _, roles) in SayRoutes.events {
            rules["/api/v1/sessions/{session}/\(path)"] = Rule(
                roles.contains(.person) ? [404] : [403], agent: roles.contains(.agent) ? [404] : [403])
        }
        return rules
    }

    /// The rule of a route; `nil` if the table has none.
    private static func rule(_ method: HTTPRequest.Method, _ path: String) -> Rule? {
        switch method {
        case .get, .head: look[path] ?? (streams.contains(path) ? Rule([200]) : nil)
        case .post: said[path]
        default: nil
        }
    }

    private static func place(_ path: String) -> String {
        path.replacing("{session}", with: "s").replacing("{position}", with: "0:0").replacing("{file}", with: "main.js")
    }

    /// A console with a session of Ann that waits for her answer.
    private static func consoleWithSession() async throws -> RunningConsole {
        let console = try await RunningConsole(isOpen: false)
        try await console.running.ask("s", ["what": .string(marker)], principal: ann)
        // Streams end after their first event.
        console.server.figures.close()
        return console
    }

    @Test("is told to nobody else, and takes nothing from anybody else: the table has a rule for each route")
    func routes() async throws {
        let console = try await Self.consoleWithSession()
        let tokens = [
            "person": try await console.token("bob", ["person"]), "agent": try await console.token("bob", ["agent"]),
            "observer": try await console.token("eve", ["observer"]),
        ]
        let nobody = try await console.token("ann", [])
        let events = console.saidCount
        for route in console.server.router.routes {
            let (method, path) = (route.method, route.path.description)
            let body = method == .post ? #"{"session":"s","intent":"Order"}"# : nil
            func call(_ token: String? = nil) async throws -> RunningConsole.Answer {
                try await console.call(method, Self.place(path), body, token: token)
            }
            if method != .post, Self.open.contains(path) || path == "/mcp" {
                let answer = try await call()
                #expect([200, 405].contains(answer.status), "\(method) \(path)")
                #expect(!answer.text.contains(Self.marker), "\(method) \(path)")
                continue
            }
            let rule = try #require(
                Self.rule(method, path), "a new route needs a rule in this table: \(method) \(path)")
            #expect(try await call().status == (method == .head && Self.streams.contains(path) ? 405 : 401))
            if Self.streams.contains(path) { continue }
            let refused = try await call(nobody).status
            #expect(refused == 403 || path == "/api/v1/me", "\(method) \(path): \(refused)")
            for (role, token) in tokens {
                let answer = try await call(token)
                let allowed = role == "person" ? rule.person : role == "agent" ? rule.agent : [answer.status]
                #expect(allowed.contains(answer.status), "\(method) \(path) as \(role): \(answer)")
                #expect(!answer.text.contains(Self.marker), "\(method) \(path) as \(role): \(answer.text)")
            }
        }
        #expect(console.saidCount == events)
        let own = try await console.caller("ann", "person").get("sessions/s")
        #expect(own.text.contains(Self.marker), "the session has what the others must not see")
    }

    @Test func `is another person's also for who only looks like its owner`() async throws {
        let console = try await RunningConsole(isOpen: false)
        let owner = "jos\u{E9}"
        let prompt = try await console.running.ask(
            "s", ["what": .string(Self.marker)], principal: Principal(.appUser, Identifier(owner)))
        console.server.figures.close()
        let other = try await console.caller("jose\u{301}", "person")
        let looked = try await other.get("sessions/s")
        #expect(looked.status == 404 && !looked.text.contains(Self.marker))
        #expect(try await other.answer(prompt).status == 404)
        let own = try await console.caller(owner, "person").get("sessions/s")
        #expect(own.status == 200 && own.text.contains(Self.marker))
    }

    @Test(arguments: streams.sorted(), ["person", "agent", "observer"])
    func `streams tell it to nobody else`(_ path: String, _ role: String) async throws {
        let console = try await Self.consoleWithSession()
        let token = try await console.token("bob", [role])
        let partition = try #require(console.running.session("s")).partition
        let isOverview = path.hasPrefix("/api/v1/overview")
        let from = isOverview ? "" : "?last-event-id=\(partition):-1"
        let answer = try await console.call(.get, Self.place(path) + from, token: token, closing: !isOverview)
        #expect(answer.status == 200 && !answer.text.contains(Self.marker), "\(answer.text)")
    }

    @Test(
        "no method of the agents' protocol tells it, with what was sealed for its owner, and with what was sealed by mistake"
    )
    func agents() async throws {
        let console = try await Self.consoleWithSession()
        let expires = console.running.pipeline.clock.now.advanced(by: .seconds(600))
        let place = AgentPlace(session: "s", request: "r", expires: expires)
        func sealed(for principal: Principal, _ purpose: String) -> String {
            place.sealed(with: RunningConsole.sealingKey, for: principal, purpose: purpose)
        }
        func call(_ method: MCPMethod, _ params: String, of principal: Principal) async throws -> RunningConsole.Answer
        {
            try await console.call(
                method, params, session: "s", token: try await console.token(principal.id.text, ["agent"]))
        }
        let task = sealed(for: Self.ann, "task")
        let own = try await call(.getTask, #""taskId":"\#(task)""#, of: Self.ann)
        #expect(own.text.contains(Self.marker), "the call reaches the session of its own principal: \(own.text)")
        for method in MCPMethod.allCases where method != .listen {
            var params = [""]
            switch method {
            case .getTask, .updateTask, .cancelTask:
                params = [task, sealed(for: Self.bob, "task")].map { #""taskId":"\#($0)","inputResponses":{}"# }
            case .callTool:
                params = ["intent_reply", "intent_status"].map {
                    #""name":"\#($0)","arguments":{"handle":"\#(sealed(for: Self.ann, "handle"))"}"#
                }
            case .initialize, .ping, .discover, .listTools, .listen: break
            }
            for params in params {
                let answer = try await call(method, params, of: Self.bob)
                #expect(!answer.text.contains(Self.marker), "\(method): \(answer.text)")
            }
        }
        #expect(console.running.session("s")?.openPrompt != nil)
    }
}
