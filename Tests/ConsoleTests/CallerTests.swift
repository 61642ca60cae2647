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

@Suite("Who may do what in the console") struct CallerTests {
    @Test func `requests without a valid token are refused, except for the page`() async throws {
        let console = try await RunningConsole(isOpen: false)
        let good = try await console.token("ann", ["person"])
        #expect(try await console.get("me", token: good).status == 200)
        let tokens: [(String, String?)] = [
            ("none", nil), ("no token", "x"), ("too long", String(repeating: "a", count: 9_000)),
            ("another issuer", try await console.token("ann", ["person"]) { $0.iss = "https://evil.example" }),
            ("another audience", try await console.token("ann", ["person"]) { $0.aud = "mail" }),
            ("over", try await console.token("ann", ["person"]) { $0.exp = .now.addingTimeInterval(-60) }),
            ("an unknown key id", try await console.token("ann", ["person"], kid: "k2")),
            ("nobody", try await console.token("", ["person"])),
            ("unsigned", "eyJhbGciOiJub25lIiwia2lkIjoiazEifQ." + good.split(separator: ".")[1] + "."),
            ("changed", good.dropLast(4) + "AAAA"),
        ]
        for (what, token) in tokens {
            let answer = try await console.get("me", token: token)
            #expect(answer.status == 401, "\(what)")
            #expect(answer.headers[.wwwAuthenticate]?.hasPrefix("Bearer") == true, "\(what)")
        }
        #expect(try await console.post("requests", #"{"intent":"Order"}"#).status == 401)
        #expect(try await console.call(.get, "/").status == 200)
    }

    @Test func `new keys accept new tokens and no old ones, and an invalid key set changes nothing`() async throws {
        let console = try await RunningConsole(isOpen: false)
        let new = TestTokens()
        let (before, after) = (try await console.token("ann", ["person"]), try await new.token("ann", ["person"]))
        func statuses() async throws -> [Int] {
            [try await console.get("me", token: before).status, try await console.get("me", token: after).status]
        }
        #expect(try await statuses() == [200, 401])
        await #expect(throws: (any Error).self) { try await console.authenticator.replaceKeys(with: Data("{}".utf8)) }
        #expect(try await statuses() == [200, 401])
        let keys = Data(try new.jwks().utf8)
        #expect(try await console.authenticator.replaceKeys(with: keys))
        #expect(try await !console.authenticator.replaceKeys(with: keys))
        #expect(try await statuses() == [401, 200])
    }

    @Test func `a person sees and answers in their own sessions, and others' are not there for them`() async throws {
        let console = try await RunningConsole(isOpen: false)
        let (ann, bob) = (try await console.caller("ann", "person"), try await console.caller("bob", "person"))
        let prompt = try await ann.order()
        #expect(try await bob.get("sessions/s").status == 404)
        for (caller, count) in [(ann, 1), (bob, 0)] {
            #expect(try await caller.get("sessions").json["sessions"]?.elements.count == count)
            #expect(try await caller.get("inbox").json["questions"]?.elements.count == count)
        }
        #expect(try await bob.answer(prompt, #","value":"tea""#).status == 404)
        let request = try await bob.post("requests", #"{"session":"s","intent":"Order"}"#)
        #expect(request.status == 403 && request.json["field"]?.string == "session")
        #expect(try await ann.get("sessions/s").json["prompt"]?["prompt"]?.string == prompt)
        for path in ["sessions/s/end", "dead-letters/0:0/drop"] { #expect(try await ann.post(path).status == 403) }
        #expect(try await bob.get("sessions/s?reveal=true").status == 403)
    }

    @Test func `who may agree to another's request sees what is asked, and nothing else of the session`() async throws {
        let console = try await RunningConsole(isOpen: false, approval: Approval(by: [.role("finance")]))
        let ann = try await console.caller("ann", "person", "finance")
        let bob = try await console.caller("bob", "person", "finance")
        let cem = try await console.caller("cem", "person")
        let agent = try await console.caller("bob", "agent", "finance")
        let observer = try await console.caller("eve", "person", "observer", "finance")
        let value = try await ann.order()
        #expect(try await bob.answer(value, #","value":"tea""#).status == 404)
        #expect(try await ann.answer(value, #","value":"tea""#).status == 202)
        let prompt = try await console.running.untilPrompt("s", "confirmIntent")
        for (caller, isApprover) in [(ann, false), (bob, true), (observer, true)] {
            let asked = try #require(try await caller.get("inbox").json["approvals"]?.elements.first)
            #expect(asked["approver"]?.bool == (isApprover ? true : nil))
            #expect(asked["prompt"]?["prompt"]?.string == prompt)
            let approvers = asked["prompt"]?["approval"]?["approvers"]?.json
            #expect(approvers == .array([.object(["role": "finance"])]))
        }
        for caller in [cem, agent] {
            #expect(try await caller.get("inbox").json["approvals"]?.elements.isEmpty == true)
            #expect(try await caller.answer(prompt).status == 404)
        }
        #expect(try await bob.get("sessions/s").status == 404)
        #expect(try await bob.get("sessions").json["sessions"]?.elements.isEmpty == true)
        #expect(try await bob.post("sessions/s/corrections", #"{"parameter":"item","value":"beer"}"#).status == 404)
        #expect(try await bob.post("sessions/s/cancellations").status == 404)
        // The coordinator decides that the requester has no say, whatever their roles.
        #expect(try await ann.answer(prompt).status == 202)
        try await console.running.until("the refusal") {
            $0.session("s")?.events.last?.data.view["reason"]?.string == "unauthorized"
        }
        #expect(try await bob.answer(prompt).status == 202)
        try await console.running.untilEnd("s")
        let end = try await ann.get("sessions/s").json["events"]?.elements.last?["data"]
        #expect(end?["agreement"]?["by"]?.elements.first?["principal"]?["id"]?.string == "bob")
        #expect(try await bob.get("inbox").json["approvals"]?.elements.isEmpty == true)
    }

    @Test func `one of two agrees, or delegates, and the others see it`() async throws {
        let console = try await RunningConsole(isOpen: false, approval: Approval(by: [.role("finance")], count: 2))
        let ann = try await console.caller("ann", "person")
        let bob = try await console.caller("bob", "person", "finance")
        let cem = try await console.caller("cem", "person", "finance")
        let eve = try await console.caller("eve", "person")
        #expect(try await ann.answer(ann.order(), #","value":"tea""#).status == 202)
        let prompt = try await console.running.untilPrompt("s", "confirmIntent")
        #expect(try await bob.answer(prompt).status == 202)
        try await console.running.until("one agrees") { $0.prompt("s")?["reason"]?.string == "agreed" }
        #expect(try await bob.get("inbox").json["approvals"]?.elements.isEmpty == true)
        let asked = try await cem.get("inbox").json["approvals"]?.elements.first?["prompt"]
        #expect(asked?["approval"]?["agreed"]?.elements.first?["principal"]?["id"]?.string == "bob")
        #expect(asked?["dialog"]?.string?.hasPrefix("Agreed: 1 of 2.") == true)
        let delegate = #","delegate":{"type":"app_user","id":"eve"}"#
        #expect(try await cem.answer(prompt, delegate, action: "delegate").status == 202)
        try await console.running.until("it is delegated") { $0.prompt("s")?["reason"]?.string == "delegated" }
        #expect(try await eve.answer(prompt).status == 202)
        try await console.running.untilEnd("s")
        #expect(console.running.session("s")?.current?.status == "success")
    }

    @Test func `an observer sees no values and sends nothing; an operator may reveal values`() async throws {
        let console = try await RunningConsole(isOpen: false)
        let observer = try await console.caller("olga", "observer")
        let operatorCaller = try await console.caller("otto", "operator")
        _ = try await console.caller("ann", "person").order()
        for caller in [observer, operatorCaller] {
            let shown = try await caller.get("sessions/s")
            #expect(shown.json["masked"]?.bool == true && shown.json["canAnswer"]?.bool == false)
            let list = try await caller.get("sessions").text
            #expect(list.contains("\"masked\":true") && !(list + shown.text).contains("What would you like"))
        }
        #expect(try await observer.get("sessions/s?reveal=true").status == 403)
        #expect(try await observer.get("overview/history").json["times"] != nil)
        #expect(try await operatorCaller.get("sessions/s?reveal=true").text.contains("What would you like"))
        #expect(try await observer.post("requests", #"{"intent":"Order"}"#).status == 403)
        let nina = try await console.caller("nina")
        #expect(try await nina.get("me").status == 200)
        #expect(try await nina.get("sessions").status == 403)
    }

    @Test func `a second role adds only its own rights in other persons' sessions`() async throws {
        let console = try await RunningConsole(isOpen: false)
        let prompt = try await console.caller("ann", "person").order()
        for other in ["observer", "operator"] {
            let bob = try await console.caller("bob", "person", other)
            #expect(try await bob.answer(prompt, #","value":"tea""#).status == 404)
            #expect(try await bob.post("requests", #"{"session":"s","intent":"Order"}"#).status == 403)
        }
        let helper = try await console.caller("ann", "agent", "operator")
        #expect(try await helper.answer(prompt, #","value":"tea""#).status == 202)
        #expect(try await helper.answer(console.running.untilPrompt("s", "confirmIntent")).status == 403)
        #expect(try await helper.post("sessions/s/end").status == 202)
        try await console.running.until("the end") { $0.session("s")?.current?.status == "cancelled" }
    }

    @Test(arguments: ["sessions/nosuch/events", "events"])
    func `a position beyond the last possible one is refused`(_ path: String) async throws {
        let answer = try await RunningConsole().get("\(path)?last-event-id=0:\(Int64.max)")
        #expect(answer.status == 400 && answer.json["field"]?.string == "Last-Event-ID")
    }

    @Test func `an agent requests and fills in for its person, and can't confirm`() async throws {
        let console = try await RunningConsole(isOpen: false)
        let (ann, agent) = (try await console.caller("ann", "person"), try await console.caller("ann", "agent"))
        let prompt = try await agent.order()
        #expect(try await agent.answer(prompt, #","value":"tea""#).status == 202)
        let confirmation = try await console.running.untilPrompt("s", "confirmIntent")
        #expect(try await agent.get("sessions/s").json["prompt"]?["prompt"]?.string == confirmation)
        let refused = try await agent.answer(confirmation)
        #expect(refused.status == 403 && refused.json["reason"]?.string == "unauthorized")
        for path in ["corrections", "cancellations", "undos", "claims", "end"] {
            #expect(try await agent.post("sessions/s/\(path)").status == 403)
        }
        #expect(try await ann.answer(confirmation).status == 202)
        try await console.running.untilEnd("s")
        #expect(console.running.session("s")?.current?.status == "success")
    }

    @Test func `a token with the roles of agent and person counts as an agent's`() async throws {
        let both = try await RunningConsole(isOpen: false).caller("ann", "person", "agent")
        #expect(try await both.get("me").json["roles"]?.elements.map(\.string) == ["agent"])
        #expect(try await both.answer(both.order(#"{"what":"tea"}"#)).status == 403)
        #expect(try await both.post("sessions/s/corrections").status == 403)
    }

    @Test func `an agent can't send a secret, nor hide one in a repeated member`() async throws {
        let console = try await RunningConsole(isOpen: false)
        let agent = try await console.caller("ann", "agent")
        let registry = try SingleHandlerExtension(handler: SendParcelHandler()).registry()
        try console.running.pipeline.startPublisher("parcels", of: registry)
        try await console.running.until("its intent is known") {
            $0.gateway.view(for: .unrestricted).catalogue.contains { $0.intent == "SendParcel" }
        }
        let candidates = #""candidates":[{"intent":"SendParcel","parameters":{"pin":"1234"},"confidence":0.9}]"#
        let request = #""intent":"SendParcel","parameters":{"to":"Mia","pin":"1234"}"#
        for (body, status, problem) in [
            (request, 403, "'pin' is secret"), (candidates, 403, "'pin' is secret"),
            // The console would check one of the two members, and the coordinator would read the other.
            (#"\#(request),"parameters":null"#, 400, "occurs twice"),
            (#"\#(request),"intent":null"#, 400, "occurs twice"),
            (#"\#(candidates),"candidates":null"#, 400, "occurs twice"),
            (#""intent":"SendParcel","parameters":{"to":[{"a":1,"\u0061":2}]}"#, 400, "occurs twice"),
        ] {
            let refused = try await agent.post("requests", "{\(body)}")
            #expect(refused.status == status, "\(body)")
            #expect(refused.json["detail"]?.string?.contains(problem) == true, "\(body)")
        }
        #expect(console.saidCount == 0)
    }

    @Test func `an agent can't change a given value, even if coordinators trust requests`() async throws {
        let console = try await RunningConsole(isOpen: false)
        let prompt = try await console.caller("ann", "person").order(#"{"what":"tea"}"#)
        let agent = try await console.caller("ann", "agent")
        let change = #","parameters":{"what":"poison"}"#
        #expect(try await agent.answer(prompt, change, action: "decline").status == 202)
        try await console.running.until("a rejection") { $0.session("s")?.events.last?.type == .rejected }
        #expect(console.running.session("s")?.events.last?.data.view["reason"]?.string == "unauthorized")
        #expect(console.running.prompt("s")?["prompt"]?.string == prompt)
    }

    @Test func `an agent can't agree at the agents' endpoint either, even if clients may agree`() async throws {
        let console = try await RunningConsole(isOpen: false, agreement: .client)
        let (ann, agent) = (try await console.token("ann", ["person"]), try await console.token("ann", ["agent"]))
        let order = #"{"session":"s","intent":"Order","parameters":{"what":"tea"}}"#
        let started = try await console.post("requests", order, token: agent)
        let request = try #require(started.json["request"]?.identifier, "\(started.text)")
        try await console.running.untilPrompt("s", "confirmIntent")
        let place = AgentPlace(
            session: "s", request: request, expires: console.running.pipeline.clock.now.advanced(by: .seconds(600)))
        func sealed(_ purpose: String) -> String {
            place.sealed(with: RunningConsole.sealingKey, for: Principal(.appUser, "ann"), purpose: purpose)
        }
        let task = #""taskId":"\#(sealed("task"))""#
        let forAgent = try await console.call(.getTask, task, session: "s", token: agent)
        #expect(forAgent.json["result"]?["status"]?.string == "working", "\(forAgent.text)")
        #expect(forAgent.json["result"]?["inputRequests"] == nil)
        let forAnn = try await console.call(.getTask, task, session: "s", token: ann)
        let key = try #require(forAnn.json["result"]?["inputRequests"]?.members.first?.name, "\(forAnn.text)")

        let before = console.saidCount
        let yes = #"\#(task),"inputResponses":{"\#(key)":{"action":"accept","content":{}}}"#
        let ignored = try await console.call(.updateTask, yes, session: "s", token: agent)
        #expect(ignored.json["result"] != nil, "\(ignored.text)")
        let reply = #""name":"intent_reply","arguments":{"handle":"\#(sealed("handle"))","action":"accept"}"#
        let refused = try await console.call(.callTool, reply, session: "s", token: agent)
        #expect(refused.json["result"]?["isError"]?.bool == true)
        #expect(refused.text.contains("Only the person can do that"), "\(refused.text)")
        #expect(console.saidCount == before)

        _ = try await console.call(.updateTask, yes, session: "s", token: ann)
        try await console.running.until("the end") { $0.session("s")?.current?.status == "success" }
    }
}

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
        "/api/v1/overview/history": Rule([403]), "/api/v1/dead-letters/{position}": Rule([403]),
        "/api/v1/sessions/{session}/requests/{request}/steps": Rule([403]),
    ]

    private static let streams = Set(["", "overview/", "sessions/{session}/"].map { "/api/v1/\($0)events" })

    private static var said: [String: Rule] {
        var rules = ["/mcp": Rule([400]), "/api/v1/requests": Rule([403])]
        for action in ["replay", "drop"] { rules["/api/v1/dead-letters/{position}/\(action)"] = Rule([403]) }
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
        path.replacing("{session}", with: "s").replacing("{position}", with: "0:0").replacing(
            "{request}", with: "r"
        ).replacing("{file}", with: "main.js")
    }

    /// A console with a session of Ann that waits for her answer.
    private static func consoleWithSession() async throws -> RunningConsole {
        let console = try await RunningConsole(isOpen: false)
        try await console.running.ask("s", ["what": .string(marker)], principal: ann)
        // Streams end after their first event.
        console.server.figures.close()
        return console
    }

    @Test func `every route has a rule, and shows the session to no other caller`() async throws {
        let console = try await Self.consoleWithSession()
        var tokens: [String: String] = [:]
        for role in ["person", "agent", "observer"] { tokens[role] = try await console.token("bob", [role]) }
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
            let rule = try #require(Self.rule(method, path), "a new route needs a rule: \(method) \(path)")
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

    @Test func `the session is hidden from a lookalike of its owner`() async throws {
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
    func `no stream shows the session to another caller`(_ path: String, _ role: String) async throws {
        let console = try await Self.consoleWithSession()
        let token = try await console.token("bob", [role])
        let partition = try #require(console.running.session("s")).partition
        let isOverview = path.hasPrefix("/api/v1/overview")
        let from = isOverview ? "" : "?last-event-id=\(partition):-1"
        let answer = try await console.call(.get, Self.place(path) + from, token: token, closing: !isOverview)
        #expect(answer.status == 200 && !answer.text.contains(Self.marker), "\(answer.text)")
    }

    @Test func `no agents' method reveals the session, for any sealed task or handle`() async throws {
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
