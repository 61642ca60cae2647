import Conversation
import Foundation
import GatewayFixture
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import IntentEvents
import IntentModel
import PersonGateway
import Testing

@testable import Console

@Suite("The console over HTTP")
struct ConsoleTests {
    @Test("starts an intent, shows its prompt, takes the answers, and shows how it ended")
    func conversation() async throws {
        try await RunningConsole.with { console in
            let started = try await console.call(.post, "/api/v1/requests", #"{"session":"s","intent":"Order"}"#)
            #expect(started.status == 202 && started.headers[.location] == "/api/v1/sessions/s")
            try await console.running.until("a prompt") { $0.session("s")?.openPrompt != nil }
            for value in [#","value":"tea""#, ""] {
                let prompt = try #require(
                    try await console.call(.get, "/api/v1/sessions/s").json["prompt"]?["prompt"]?.string)
                let answer = try await console.call(
                    .post, "/api/v1/sessions/s/answers", #"{"prompt":"\#(prompt)","action":"accept"\#(value)}"#)
                #expect(answer.status == 202)
                try await console.running.until("an answer") {
                    $0.session("s")?.openPrompt?.data.view["prompt"]?.string != prompt
                }
                try await console.running.until("what follows") { $0.session("s")?.state != .working }
            }
            let session = try await console.call(.get, "/api/v1/sessions/s").json
            #expect(session["requests"]?.elements.first?["status"]?.string == "success")
        }
    }

    @Test("the same Idempotency-Key is the same request in the same session, and with another body it is refused")
    func idempotency() async throws {
        try await RunningConsole.with { console in
            let name = try #require(HTTPField.Name("Idempotency-Key"))
            var sessions: Set<String> = []
            for _ in 0..<3 {
                let answer = try await console.call(
                    .post, "/api/v1/requests", #"{"intent":"Order"}"#, headers: [name: "k"])
                #expect(answer.status == 202 && answer.json["request"]?.string == "k")
                sessions.insert(answer.json["session"]?.string ?? "")
            }
            let session = try #require(sessions.first)
            #expect(sessions.count == 1)
            try await console.running.until("a prompt") { $0.session(Identifier(session))?.openPrompt != nil }
            let prompts = console.running.session(Identifier(session))?.events.count { $0.type == .promptIssued }
            #expect(prompts == 1)
            #expect(
                try await console.call(.post, "/api/v1/requests", #"{"intent":"Other"}"#, headers: [name: "k"]).status
                    == 422)
            #expect(
                try await console.call(.post, "/api/v1/requests", #"{"intent":"Order"}"#, headers: [name: "\u{1}"])
                    .status == 400)
        }
    }

    @Test("nothing is kept of a key whose request was refused: the same key may come with a better one")
    func refusedKeys() async throws {
        try await RunningConsole.with { console in
            let name = try #require(HTTPField.Name("Idempotency-Key"))
            let requests = [(#"{"intent":7}"#, 400), (#"{"intent":"Order"}"#, 202), (#"{"intent":"Other"}"#, 422)]
            for (body, status) in requests {
                #expect(try await console.call(.post, "/api/v1/requests", body, headers: [name: "k"]).status == status)
            }
        }
    }

    @Test("keys of one caller, and callers, are forgotten past a number, and what is kept of each has a fixed size")
    func boundedKeys() async throws {
        let keys = IdempotencyKeys()
        let path = String(repeating: "x", count: 60_000)
        func use(_ key: String, _ principal: Principal, _ body: JSON = .null) async throws {
            try await keys.once(key, of: Caller(principal: principal, roles: [.person]), path: path, body) {}
        }
        let (ann, bob) = (Principal(.appUser, "ann"), Principal(.appUser, "bob"))
        try await use("k", bob)
        for number in 0...IdempotencyKeys.maximumKeys { try await use("\(number)", ann) }
        #expect(keys.count == IdempotencyKeys.maximumKeys + 1)
        await #expect(throws: HTTPProblem.self) { try await use("k", bob, .bool(true)) }
        try await use("0", ann, .bool(true))
        for number in 0..<IdempotencyKeys.maximumCallers { try await use("k", Principal(.appUser, "\(number)")) }
        #expect(keys.count == IdempotencyKeys.maximumCallers)
    }

    @Test(
        "what is wrong is told as a problem with a status, a reason and the member",
        arguments: [
            ("POST", "/api/v1/requests", #"{"intent":7}"#, 400, "invalid", "intent"),
            ("POST", "/api/v1/requests", #"{"intent":"Order","paramters":{}}"#, 400, "invalid", "paramters"),
            ("POST", "/api/v1/requests", #"{"intent":"#, 400, "unparseable", nil),
            ("POST", "/api/v1/requests", "[]", 400, "unparseable", nil),
            ("POST", "/api/v1/requests", #"{"session":7,"intent":"Order"}"#, 400, "invalid", "session"),
            ("POST", "/api/v1/requests", #"{"session":"$x","intent":"Order"}"#, 400, "invalid", "key"),
            ("POST", "/api/v1/sessions/s/answers", #"{"prompt":"p","action":"maybe"}"#, 400, "invalid", "action"),
            ("POST", "/api/v1/sessions/%ff/answers", #"{"prompt":"p","action":"accept"}"#, 400, "invalid", "session"),
            ("GET", "/api/v1/sessions?limit=0", nil, 400, "invalid", "limit"),
            ("GET", "/api/v1/sessions?state=x", nil, 400, "invalid", "state"),
            ("GET", "/api/v1/sessions?after=x", nil, 400, "invalid", "after"),
            ("GET", "/api/v1/sessions/none", nil, 404, "unsupported", nil),
            ("GET", "/nowhere/at/all", nil, 404, "unsupported", nil),
            ("GET", "/api/v1/requests", nil, 405, "unsupported", nil),
            ("POST", "/api/v1/sessions/s", "{}", 405, "unsupported", nil),
            ("POST", "/api/v1/dead-letters/x/drop", "{}", 400, "invalid", "position"),
            ("POST", "/api/v1/dead-letters/0:99/drop", "{}", 404, "unsupported", nil),
            ("GET", "/api/v1/sessions/s/events?last-event-id=9:1", nil, 400, "invalid", "Last-Event-ID"),
        ] as [(String, String, String?, Int, String, String?)])
    func problems(_ method: String, _ path: String, _ body: String?, _ status: Int, _ reason: String, _ field: String?)
        async throws
    {
        try await RunningConsole.with { console in
            let answer = try await console.call(method == "GET" ? .get : .post, path, body)
            #expect(answer.status == status && answer.headers[.contentType] == "application/problem+json")
            #expect(
                answer.json["reason"]?.string == reason && answer.json["field"]?.string == field
                    && answer.json["status"]?.int == status)
            #expect(answer.json["detail"]?.string?.isEmpty == false)
        }
    }

    @Test(
        "another page in a browser can use it neither by its own origin, nor by another name of this machine, nor by a form"
    )
    func otherPages() async throws {
        try await RunningConsole.with { console in
            let body = #"{"intent":"Order"}"#
            #expect(
                try await console.call(.post, "/api/v1/requests", body, headers: [.origin: "https://evil.example"])
                    .status == 403)
            #expect(try await console.call(.post, "/api/v1/requests", body, headers: [.origin: "null"]).status == 403)
            #expect(
                try await console.call(.post, "/api/v1/requests", body, headers: [.contentType: "text/plain"]).status
                    == 415)
            let page = try await console.call(.get, "/")
            #expect(page.status == 200 && page.headers[.contentSecurityPolicy]?.contains("default-src 'self'") == true)
        }
    }

    @Test("the head of a page and of what is looked at is told without its body, and no stream is opened for one")
    func heads() async throws {
        try await RunningConsole.with { console in
            for path in ["/", "/main.js", "/api/v1/me", "/api/v1/sessions"] {
                let head = try await console.call(.head, path)
                #expect(head.status == 200 && head.text.isEmpty, "\(path)")
            }
            for path in ["/api/v1/events", "/api/v1/sessions/s/events", "/api/v1/overview/events"] {
                #expect(try await console.call(.head, path).status == 405, "\(path)")
            }
            #expect(console.running.gateway.load.readers == 0)
            #expect(try await console.call(.delete, "/api/v1/me", "{}").headers[.allow] == "GET, HEAD")
        }
    }

    @Test(
        "a body is JSON by its whole type, whatever its case and its parameters",
        arguments: [
            ("application/json; charset=utf-8", 202), ("Application/JSON", 202), ("application/jsonx", 415),
            ("application/json-seq", 415),
        ])
    func bodyType(_ type: String, _ status: Int) async throws {
        try await RunningConsole.with { console in
            let answer = try await console.call(
                .post, "/api/v1/requests", #"{"intent":"Order"}"#, headers: [.contentType: type])
            #expect(answer.status == status)
        }
    }

    @Test("a page that a proxy serves may call the console, which sees another Host")
    func publicAddress() async throws {
        try await RunningConsole.with(publicAuthority: "intents.example.com") { console in
            for (origin, status) in [("https://intents.example.com", 202), ("https://intents.example.org", 403)] {
                let answer = try await console.call(
                    .post, "/api/v1/requests", #"{"intent":"Order"}"#, headers: [.origin: origin])
                #expect(answer.status == status)
            }
        }
    }

    @Test("a console for this machine alone answers to no other name")
    func otherHosts() async throws {
        try await RunningConsole.with(hosts: ["elsewhere"]) { console in
            let answers = (try await console.call(.get, "/"), try await console.call(.get, "/api/v1/sessions"))
            #expect(answers.0.status == 421 && answers.1.status == 421)
        }
        for (authority, host) in [
            ("localhost:8233", "localhost"), ("[::1]:8233", "[::1]"), ("LocalHost", "localhost"), ("", ""),
        ] {
            #expect(SameOrigin.host(of: authority) == host)
        }
        for (url, authority) in [
            ("https://Intents.Example.com:443/", "intents.example.com"), ("http://[::1]:8233", "[::1]:8233"),
            ("null", nil),
        ] {
            #expect(URL(string: url)?.authority == authority)
        }
    }

    @Test("a request with two Host headers, or with one that is no host and port, is refused")
    func strangeHosts() async throws {
        let heads = [
            ("Host: localhost", 200), ("Host: localhost:8233", 200), ("Host: localhost\r\nHost: localhost", 400),
            ("Host: localhost\r\nHost: evil.example", 400), ("Host: localhost:8233@evil.example", 400),
            ("Host: localhost:x", 400), ("Host: localhost/evil.example", 400), ("Host: local host", 400),
        ]
        try await RunningConsole.with { console in
            try await Application(router: console.server.router).test(.live) { client in
                for (head, status) in heads {
                    let answer = try await RawClient.answer(
                        to: "GET / HTTP/1.1\r\n\(head)\r\nConnection: close\r\n\r\n", port: try #require(client.port))
                    #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(head): \(answer.prefix(40))")
                }
            }
        }
    }

    @Test("the page's files and the contract are in the program")
    func files() async throws {
        try await RunningConsole.with { console in
            let page = try await console.call(.get, "/").text
            #expect(page.contains("main.js"))
            #expect(try await console.call(.get, "/main.js").headers[.contentType] == "text/javascript; charset=utf-8")
            let contract = try await console.call(.get, "/api/v1/asyncapi.json").text
            #expect(contract.contains("\"asyncapi\": \"3.0.0\""))
            #expect(try await console.call(.get, "/../Package.swift").status == 404)
        }
    }

    @Test("the OpenAPI document has each path of the interface, and refers to nothing that it has not")
    func openAPI() async throws {
        try await RunningConsole.with { console in
            let document = try await console.call(.get, "/api/v1/openapi.json")
            let paths = Set(document.json["paths"]?.members.map(\.name) ?? [])
            #expect(
                SayRoutes.events.allSatisfy { paths.contains("/sessions/{session}/\($0.path)") }
                    && paths.contains("/requests"))
            let schemas = Set(document.json["components"]?["schemas"]?.members.map(\.name) ?? [])
            let wanted = Set(
                document.text.matches(of: /"\$ref":"#\/components\/schemas\/([A-Za-z]+)"/).map { String($0.output.1) })
            #expect(!wanted.isEmpty && wanted.subtracting(schemas).isEmpty)
        }
    }

    @Test("a stream goes on after the reader's last event")
    func stream() async throws {
        try await RunningConsole.with { console in
            _ = try await console.running.ask("s")
            let first = try #require(console.running.session("s")?.events.first { $0.origin == .results }).position
            try await console.running.answer("s", "tea", id: "a1")
            try await console.running.until("the next prompt") {
                $0.session("s")?.events.count { $0.type == .promptIssued } == 2
            }
            let second = try #require(console.running.session("s")?.events.last { $0.origin == .results }).position
            let events = try await console.call(.get, "/api/v1/sessions/s/events?last-event-id=\(first)", closing: true)
            #expect(events.text.hasPrefix("retry: 1000\n\nid: \(second)\nevent: prompt.issued.v1\ndata: {"))
            #expect(events.headers[.contentType] == "text/event-stream")
        }
    }
}
