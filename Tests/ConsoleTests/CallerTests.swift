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

@Suite("Who may do what in the console")
struct CallerTests {
    @Test("without a token that counts, nothing is told and nothing is taken")
    func refused() async throws {
        try await RunningConsole.with(isOpen: false) { console in
            let good = try await console.token("ann", ["person"])
            #expect(try await console.call(.get, "/api/v1/me", token: good).status == 200)
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
                let answer = try await console.call(.get, "/api/v1/me", token: token)
                #expect(
                    answer.status == 401 && answer.headers[.wwwAuthenticate]?.hasPrefix("Bearer") == true, "\(what)")
            }
            #expect(try await console.call(.post, "/api/v1/requests", #"{"intent":"Order"}"#).status == 401)
            #expect(try await console.call(.get, "/").status == 200)
        }
    }

    @Test(
        "keys can be replaced: tokens of the new ones count, and those of the old ones no more; what is no key set changes nothing"
    )
    func rotation() async throws {
        try await RunningConsole.with(isOpen: false) { console in
            let new = TestTokens()
            let (before, after) = (try await console.token("ann", ["person"]), try await new.token("ann", ["person"]))
            func status(_ token: String) async throws -> Int {
                try await console.call(.get, "/api/v1/me", token: token).status
            }
            #expect(try await status(before) == 200)
            #expect(try await status(after) == 401)
            await #expect(throws: (any Error).self) {
                try await console.authenticator.replaceKeys(with: Data("{}".utf8))
            }
            #expect(try await status(before) == 200)
            let keys = Data(try new.jwks().utf8)
            #expect(try await console.authenticator.replaceKeys(with: keys))
            #expect(try await !console.authenticator.replaceKeys(with: keys))
            #expect(try await status(before) == 401)
            #expect(try await status(after) == 200)
        }
    }

    @Test("a person sees and answers in their own sessions, and others' are not there for them")
    func person() async throws {
        try await RunningConsole.with(isOpen: false) { console in
            let (ann, bob) = (try await console.token("ann", ["person"]), try await console.token("bob", ["person"]))
            #expect(
                try await console.call(.post, "/api/v1/requests", #"{"session":"s","intent":"Order"}"#, token: ann)
                    .status == 202)
            #expect(try await console.call(.get, "/api/v1/sessions/s", token: ann).status == 200)
            try await console.running.until("a prompt") { $0.session("s")?.openPrompt != nil }
            let prompt = try #require(
                try await console.call(.get, "/api/v1/sessions/s", token: ann).json["prompt"]?["prompt"]?.string)
            #expect(try await console.call(.get, "/api/v1/sessions/s", token: bob).status == 404)
            #expect(
                try await console.call(.get, "/api/v1/sessions", token: bob).json["sessions"]?.elements.isEmpty == true)
            #expect(
                try await console.call(.get, "/api/v1/inbox", token: bob).json["questions"]?.elements.isEmpty == true)
            let answer = #"{"prompt":"\#(prompt)","action":"accept","value":"tea"}"#
            #expect(try await console.call(.post, "/api/v1/sessions/s/answers", answer, token: bob).status == 404)
            #expect(try await console.call(.post, "/api/v1/sessions/s/cancellations", "{}", token: bob).status == 404)
            let request = try await console.call(
                .post, "/api/v1/requests", #"{"session":"s","intent":"Order"}"#, token: bob)
            #expect(request.status == 403 && request.json["field"]?.string == "session")
            #expect(
                try await console.call(.get, "/api/v1/sessions/s", token: ann).json["prompt"]?["prompt"]?.string
                    == prompt)
            for path in ["/api/v1/sessions/s/end", "/api/v1/dead-letters/0:0/drop"] {
                #expect(try await console.call(.post, path, "{}", token: ann).status == 403)
            }
            #expect(try await console.call(.get, "/api/v1/sessions/s?reveal=true", token: bob).status == 403)
            #expect(try await console.call(.get, "/api/v1/overview/history", token: ann).status == 403)
        }
    }

    @Test("an observer sees what happens without values, and says nothing; an operator may have values revealed")
    func observer() async throws {
        try await RunningConsole.with(isOpen: false) { console in
            let (ann, observer) = (
                try await console.token("ann", ["person"]), try await console.token("olga", ["observer"])
            )
            let operatorToken = try await console.token("otto", ["operator"])
            _ = try await console.call(.post, "/api/v1/requests", #"{"session":"s","intent":"Order"}"#, token: ann)
            try await console.running.until("a prompt") { $0.session("s")?.openPrompt != nil }
            for token in [observer, operatorToken] {
                let shown = try await console.call(.get, "/api/v1/sessions/s", token: token)
                #expect(
                    shown.json["masked"]?.bool == true && shown.json["canAnswer"]?.bool == false
                        && !shown.text.contains("What would you like"))
                let list = try await console.call(.get, "/api/v1/sessions", token: token).text
                #expect(list.contains("\"masked\":true") && !list.contains("What would you like"))
            }
            #expect(try await console.call(.get, "/api/v1/sessions/s?reveal=true", token: observer).status == 403)
            #expect(try await console.call(.get, "/api/v1/overview/history", token: observer).json["times"] != nil)
            let revealed = try await console.call(.get, "/api/v1/sessions/s?reveal=true", token: operatorToken).text
            #expect(revealed.contains("What would you like"))
            #expect(
                try await console.call(.post, "/api/v1/requests", #"{"intent":"Order"}"#, token: observer).status == 403
            )
            #expect(
                try await console.call(.get, "/api/v1/me", token: try await console.token("nina", [])).status == 200)
            #expect(
                try await console.call(.get, "/api/v1/sessions", token: try await console.token("nina", [])).status
                    == 403)
        }
    }

    @Test("who has two roles does in others' sessions what the one that may go there does, and no more")
    func twoRoles() async throws {
        try await RunningConsole.with(isOpen: false) { console in
            let ann = try await console.token("ann", ["person"])
            #expect(
                try await console.call(.post, "/api/v1/requests", #"{"session":"s","intent":"Order"}"#, token: ann)
                    .status == 202)
            try await console.running.until("a prompt") { $0.session("s")?.openPrompt != nil }
            let prompt = try #require(console.running.session("s")?.openPrompt?.data.view["prompt"]?.string)
            let answer = #"{"prompt":"\#(prompt)","action":"accept","value":"tea"}"#
            for other in ["observer", "operator"] {
                let bob = try await console.token("bob", ["person", other])
                #expect(try await console.call(.post, "/api/v1/sessions/s/answers", answer, token: bob).status == 404)
                let request = #"{"session":"s","intent":"Order"}"#
                #expect(try await console.call(.post, "/api/v1/requests", request, token: bob).status == 403)
            }
            let helper = try await console.token("ann", ["agent", "operator"])
            #expect(try await console.call(.post, "/api/v1/sessions/s/answers", answer, token: helper).status == 202)
            try await console.running.until("the confirmation") {
                $0.session("s")?.openPrompt?.data.view["kind"]?.string == "confirmIntent"
            }
            let confirmation = try #require(console.running.session("s")?.openPrompt?.data.view["prompt"]?.string)
            let yes = #"{"prompt":"\#(confirmation)","action":"accept"}"#
            #expect(try await console.call(.post, "/api/v1/sessions/s/answers", yes, token: helper).status == 403)
            #expect(try await console.call(.post, "/api/v1/sessions/s/end", "{}", token: helper).status == 202)
            try await console.running.until("the end") { $0.session("s")?.current?.status == "cancelled" }
        }
    }

    @Test("a place after the last that there can be is refused, and the console goes on")
    func lastPlace() async throws {
        try await RunningConsole.with { console in
            for path in ["/api/v1/sessions/nosuch/events", "/api/v1/events"] {
                let answer = try await console.call(.get, "\(path)?last-event-id=0:\(Int64.max)")
                #expect(answer.status == 400 && answer.json["field"]?.string == "Last-Event-ID")
            }
        }
    }

    @Test("an agent starts and fills in for its person, and agrees to nothing")
    func agent() async throws {
        try await RunningConsole.with(isOpen: false) { console in
            let (ann, agent) = (try await console.token("ann", ["person"]), try await console.token("ann", ["agent"]))
            #expect(
                try await console.call(.post, "/api/v1/requests", #"{"session":"s","intent":"Order"}"#, token: agent)
                    .status == 202)
            try await console.running.until("a prompt") { $0.session("s")?.openPrompt != nil }
            func prompt() async throws -> String {
                try #require(
                    try await console.call(.get, "/api/v1/sessions/s", token: agent).json["prompt"]?["prompt"]?.string)
            }
            let value = try await prompt()
            let filled = #"{"prompt":"\#(value)","action":"accept","value":"tea"}"#
            #expect(try await console.call(.post, "/api/v1/sessions/s/answers", filled, token: agent).status == 202)
            try await console.running.until("the confirmation") {
                $0.session("s")?.openPrompt?.data.view["kind"]?.string == "confirmIntent"
            }
            let yes = #"{"prompt":"\#(try await prompt())","action":"accept"}"#
            let refused = try await console.call(.post, "/api/v1/sessions/s/answers", yes, token: agent)
            #expect(refused.status == 403 && refused.json["reason"]?.string == "unauthorized")
            for path in ["corrections", "cancellations", "undos", "claims", "end"] {
                #expect(try await console.call(.post, "/api/v1/sessions/s/\(path)", "{}", token: agent).status == 403)
            }
            #expect(try await console.call(.post, "/api/v1/sessions/s/answers", yes, token: ann).status == 202)
            try await console.running.until("the end") { $0.session("s")?.state == .idle }
            #expect(console.running.session("s")?.current?.status == "success")
        }
    }

    @Test("an agent is no person, also if its token has the role of its person, too")
    func bothRoles() async throws {
        try await RunningConsole.with(isOpen: false) { console in
            let both = try await console.token("ann", ["person", "agent"])
            #expect(
                try await console.call(.get, "/api/v1/me", token: both).json["roles"]?.elements.map(\.string) == [
                    "agent"
                ])
            let body = #"{"session":"s","intent":"Order","parameters":{"what":"tea"}}"#
            #expect(try await console.call(.post, "/api/v1/requests", body, token: both).status == 202)
            try await console.running.until("the confirmation") { $0.session("s")?.openPrompt != nil }
            let prompt = console.running.session("s")?.openPrompt?.data.view["prompt"]?.string ?? ""
            let yes = #"{"prompt":"\#(prompt)","action":"accept"}"#
            #expect(try await console.call(.post, "/api/v1/sessions/s/answers", yes, token: both).status == 403)
            #expect(try await console.call(.post, "/api/v1/sessions/s/corrections", "{}", token: both).status == 403)
        }
    }

    @Test("an agent gives no secret: neither with a request, nor with an answer")
    func secretsOfAgents() async throws {
        try await RunningConsole.with(isOpen: false) { console in
            let agent = try await console.token("ann", ["agent"])
            let registry = try SingleHandlerExtension(handler: SendParcelHandler()).registry()
            try console.running.pipeline.startPublisher("parcels", of: registry)
            try await console.running.until("its intent is known") {
                $0.gateway.view(for: .unrestricted).catalogue.contains { $0.intent == "SendParcel" }
            }
            for body in [
                #"{"intent":"SendParcel","parameters":{"to":"Mia","pin":"1234"}}"#,
                #"{"candidates":[{"intent":"SendParcel","parameters":{"pin":"1234"},"confidence":0.9}]}"#,
            ] {
                let refused = try await console.call(.post, "/api/v1/requests", body, token: agent)
                #expect(refused.status == 403 && refused.json["detail"]?.string?.contains("'pin' is secret") == true)
            }
            // The console would check one of the two members, and the coordinator would read the other.
            for body in [
                #"{"intent":"SendParcel","parameters":{"to":"Mia","pin":"1234"},"parameters":null}"#,
                #"{"intent":"SendParcel","intent":null,"parameters":{"to":"Mia","pin":"1234"}}"#,
                #"{"candidates":[{"intent":"SendParcel","parameters":{"pin":"1234"},"confidence":0.9}],"candidates":null}"#,
                #"{"intent":"SendParcel","parameters":{"to":[{"a":1,"\u0061":2}]}}"#,
            ] {
                let refused = try await console.call(.post, "/api/v1/requests", body, token: agent)
                #expect(
                    refused.status == 400 && refused.json["detail"]?.string?.contains("occurs twice") == true, "\(body)"
                )
            }
            let topics = console.running.pipeline.topics
            #expect(
                [topics.requests, topics.answers].allSatisfy { console.running.pipeline.log.records(in: $0).isEmpty })
        }
    }

    @Test("an agent changes no value that is there, also where coordinators trust who writes requests")
    func valuesOfAgents() async throws {
        try await RunningConsole.with(isOpen: false) { console in
            let (ann, agent) = (try await console.token("ann", ["person"]), try await console.token("ann", ["agent"]))
            let body = #"{"session":"s","intent":"Order","parameters":{"what":"tea"}}"#
            #expect(try await console.call(.post, "/api/v1/requests", body, token: ann).status == 202)
            try await console.running.until("the confirmation") { $0.session("s")?.openPrompt != nil }
            let prompt = console.running.session("s")?.openPrompt?.data.view["prompt"]?.string ?? ""
            let change = #"{"prompt":"\#(prompt)","action":"decline","parameters":{"what":"poison"}}"#
            #expect(try await console.call(.post, "/api/v1/sessions/s/answers", change, token: agent).status == 202)
            try await console.running.until("a rejection") { $0.session("s")?.events.last?.type == .rejected }
            let session = console.running.session("s")
            #expect(session?.events.last?.data.view["reason"]?.string == "unauthorized")
            #expect(session?.openPrompt?.data.view["prompt"]?.string == prompt)
        }
    }

    @Test("at the agents' endpoint an agent agrees to nothing either, also where the settings leave it to clients")
    func agentsEndpoint() async throws {
        try await RunningConsole.with(isOpen: false, agreement: .client) { console in
            let (ann, agent) = (try await console.token("ann", ["person"]), try await console.token("ann", ["agent"]))
            let order = #"{"session":"s","intent":"Order","parameters":{"what":"tea"}}"#
            let started = try await console.call(.post, "/api/v1/requests", order, token: agent)
            let request = try #require(started.json["request"]?.identifier, "\(started.text)")
            try await console.running.until("the confirmation") {
                $0.session("s")?.openPrompt?.data.view["kind"]?.string == "confirmIntent"
            }
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

            let topics = console.running.pipeline.topics
            func said() -> Int {
                [topics.requests, topics.answers].reduce(0) { $0 + console.running.pipeline.log.records(in: $1).count }
            }
            let before = said()
            let yes = #"\#(task),"inputResponses":{"\#(key)":{"action":"accept","content":{}}}"#
            let ignored = try await console.call(.updateTask, yes, session: "s", token: agent)
            #expect(ignored.json["result"] != nil, "\(ignored.text)")
            let reply = #""name":"intent_reply","arguments":{"handle":"\#(sealed("handle"))","action":"accept"}"#
            let refused = try await console.call(.callTool, reply, session: "s", token: agent)
            #expect(refused.json["result"]?["isError"]?.bool == true)
            #expect(refused.text.contains("Only the person can do that"), "\(refused.text)")
            #expect(said() == before)

            _ = try await console.call(.updateTask, yes, session: "s", token: ann)
            try await console.running.until("the end") { $0.session("s")?.current?.status == "success" }
        }
    }
}
