import Conversation
import Foundation
import GatewayFixture
import HTTPTypes
import IntentEvents
import IntentModel
import MCPServer
import PersonGateway
import PipelineTestKit
import RecordLog
import Testing

@testable import Console

@Suite("Who may do what in the console") struct CallerTests {
    @Test func `without a token that counts, nothing is told and nothing is taken`() async throws {
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

    @Test(
        "keys can be replaced: tokens of the new ones count, and those of the old ones no more; what is no key set changes nothing"
    )
    func rotation() async throws {
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
        #expect(try await bob.post("sessions/s/cancellations").status == 404)
        let request = try await bob.post("requests", #"{"session":"s","intent":"Order"}"#)
        #expect(request.status == 403 && request.json["field"]?.string == "session")
        #expect(try await ann.get("sessions/s").json["prompt"]?["prompt"]?.string == prompt)
        for path in ["sessions/s/end", "dead-letters/0:0/drop"] { #expect(try await ann.post(path).status == 403) }
        #expect(try await bob.get("sessions/s?reveal=true").status == 403)
        #expect(try await ann.get("overview/history").status == 403)
    }

    @Test("an observer sees what happens without values, and says nothing; an operator may have values revealed")
    func observer() async throws {
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

    @Test
    func `who has two roles does in others' sessions what the one that may go there does, and no more`() async throws {
        let console = try await RunningConsole(isOpen: false)
        let prompt = try await console.caller("ann", "person").order()
        for other in ["observer", "operator"] {
            let bob = try await console.caller("bob", "person", other)
            #expect(try await bob.answer(prompt, #","value":"tea""#).status == 404)
            #expect(try await bob.post("requests", #"{"session":"s","intent":"Order"}"#).status == 403)
        }
        let helper = try await console.caller("ann", "agent", "operator")
        #expect(try await helper.answer(prompt, #","value":"tea""#).status == 202)
        let confirmation = try await console.running.untilPrompt("s", "confirmIntent")
        #expect(try await helper.answer(confirmation).status == 403)
        #expect(try await helper.post("sessions/s/end").status == 202)
        try await console.running.until("the end") { $0.session("s")?.current?.status == "cancelled" }
    }

    @Test(arguments: ["sessions/nosuch/events", "events"])
    func `a place after the last that there can be is refused, and the console goes on`(_ path: String) async throws {
        let console = try await RunningConsole()
        let answer = try await console.get("\(path)?last-event-id=0:\(Int64.max)")
        #expect(answer.status == 400 && answer.json["field"]?.string == "Last-Event-ID")
    }

    @Test func `an agent starts and fills in for its person, and agrees to nothing`() async throws {
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

    @Test func `an agent is no person, also if its token has the role of its person, too`() async throws {
        let console = try await RunningConsole(isOpen: false)
        let both = try await console.caller("ann", "person", "agent")
        #expect(try await both.get("me").json["roles"]?.elements.map(\.string) == ["agent"])
        let prompt = try await both.order(#"{"what":"tea"}"#)
        #expect(try await both.answer(prompt).status == 403)
        #expect(try await both.post("sessions/s/corrections").status == 403)
    }

    @Test func `an agent gives no secret: neither with a request, nor with an answer`() async throws {
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

    @Test
    func `an agent changes no value that is there, also where coordinators trust who writes requests`() async throws {
        let console = try await RunningConsole(isOpen: false)
        let prompt = try await console.caller("ann", "person").order(#"{"what":"tea"}"#)
        let agent = try await console.caller("ann", "agent")
        let change = try await agent.answer(prompt, #","parameters":{"what":"poison"}"#, action: "decline")
        #expect(change.status == 202)
        try await console.running.until("a rejection") { $0.session("s")?.events.last?.type == .rejected }
        #expect(console.running.session("s")?.events.last?.data.view["reason"]?.string == "unauthorized")
        #expect(console.running.prompt("s")?["prompt"]?.string == prompt)
    }

    @Test("at the agents' endpoint an agent agrees to nothing either, also where the settings leave it to clients")
    func agentsEndpoint() async throws {
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
