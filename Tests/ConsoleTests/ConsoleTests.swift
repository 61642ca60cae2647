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

@Suite("The console over HTTP") struct ConsoleTests {
    @Test func `starts an intent, shows its prompt, takes the answers, and shows how it ended`() async throws {
        let console = try await RunningConsole()
        let started = try await console.post("requests", #"{"session":"s","intent":"Order"}"#)
        #expect(started.status == 202 && started.headers[.location] == "/api/v1/sessions/s")
        for (kind, value) in [("value", #","value":"tea""#), ("confirmIntent", "")] {
            try await console.running.untilPrompt("s", kind)
            let shown = try await console.get("sessions/s").json["prompt"]
            let prompt = try #require(shown?["prompt"]?.string)
            let answer = #"{"prompt":"\#(prompt)","action":"accept"\#(value)}"#
            #expect(try await console.post("sessions/s/answers", answer).status == 202)
        }
        try await console.running.untilEnd("s")
        let session = try await console.get("sessions/s").json
        #expect(session["requests"]?.elements.first?["status"]?.string == "success")
    }

    private static let order = #"{"intent":"Order"}"#

    private static func key(_ key: String) throws -> HTTPFields {
        [try #require(HTTPField.Name("Idempotency-Key")): key]
    }

    @Test("the same Idempotency-Key is the same request in the same session, and with another body it is refused")
    func idempotency() async throws {
        let console = try await RunningConsole()
        var sessions: Set<String> = []
        for _ in 0..<3 {
            let answer = try await console.post("requests", Self.order, headers: Self.key("k"))
            #expect(answer.status == 202 && answer.json["request"]?.string == "k")
            sessions.insert(answer.json["session"]?.string ?? "")
        }
        #expect(sessions.count == 1)
        let session = Identifier(try #require(sessions.first))
        try await console.running.untilPrompt(session)
        #expect(console.running.session(session)?.events.count { $0.type == .promptIssued } == 1)
        for (body, key, status) in [(#"{"intent":"Other"}"#, "k", 422), (Self.order, "\u{1}", 400)] {
            #expect(try await console.post("requests", body, headers: Self.key(key)).status == status)
        }
    }

    @Test
    func `nothing is kept of a key whose request was refused: the same key may come with a better one`() async throws {
        let console = try await RunningConsole()
        for (body, status) in [(#"{"intent":7}"#, 400), (Self.order, 202), (#"{"intent":"Other"}"#, 422)] {
            #expect(try await console.post("requests", body, headers: Self.key("k")).status == status)
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
            ("requests", #"{"intent":7}"#, 400, "invalid", "intent"),
            ("requests", #"{"intent":"Order","paramters":{}}"#, 400, "invalid", "paramters"),
            ("requests", #"{"intent":"#, 400, "unparseable", nil), ("requests", "[]", 400, "unparseable", nil),
            ("requests", #"{"session":7,"intent":"Order"}"#, 400, "invalid", "session"),
            ("requests", #"{"session":"$x","intent":"Order"}"#, 400, "invalid", "key"),
            ("sessions/s/answers", #"{"prompt":"p","action":"maybe"}"#, 400, "invalid", "action"),
            ("sessions/%ff/answers", #"{"prompt":"p","action":"accept"}"#, 400, "invalid", "session"),
            ("sessions?limit=0", nil, 400, "invalid", "limit"), ("sessions?state=x", nil, 400, "invalid", "state"),
            ("sessions?after=x", nil, 400, "invalid", "after"), ("sessions/none", nil, 404, "unsupported", nil),
            ("/nowhere/at/all", nil, 404, "unsupported", nil), ("requests", nil, 405, "unsupported", nil),
            ("sessions/s", "{}", 405, "unsupported", nil), ("dead-letters/x/drop", "{}", 400, "invalid", "position"),
            ("dead-letters/0:99/drop", "{}", 404, "unsupported", nil),
            ("sessions/s/events?last-event-id=9:1", nil, 400, "invalid", "Last-Event-ID"),
        ] as [(String, String?, Int, String, String?)])
    func problems(_ path: String, _ body: String?, _ status: Int, _ reason: String, _ field: String?) async throws {
        let console = try await RunningConsole()
        let path = path.hasPrefix("/") ? path : "/api/v1/\(path)"
        let answer = try await console.call(body == nil ? .get : .post, path, body)
        #expect(answer.status == status && answer.headers[.contentType] == "application/problem+json")
        let problem = answer.json
        #expect(problem["reason"]?.string == reason && problem["field"]?.string == field)
        #expect(problem["status"]?.int == status && problem["detail"]?.string?.isEmpty == false)
    }

    @Test(
        "another page in a browser can use it neither by its own origin, nor by another name of this machine, nor by a form"
    )
    func otherPages() async throws {
        let console = try await RunningConsole()
        let headers: [(HTTPFields, Int)] = [
            ([.origin: "https://evil.example"], 403), ([.origin: "null"], 403), ([.contentType: "text/plain"], 415),
        ]
        for (headers, status) in headers {
            #expect(try await console.post("requests", Self.order, headers: headers).status == status)
        }
        let page = try await console.call(.get, "/")
        #expect(page.status == 200 && page.headers[.contentSecurityPolicy]?.contains("default-src 'self'") == true)
    }

    @Test("the head of a page and of what is looked at is told without its body, and no stream is opened for one")
    func heads() async throws {
        let console = try await RunningConsole()
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

    @Test(
        "a body is JSON by its whole type, whatever its case and its parameters",
        arguments: [
            ("application/json; charset=utf-8", 202), ("Application/JSON", 202), ("application/jsonx", 415),
            ("application/json-seq", 415),
        ])
    func bodyType(_ type: String, _ status: Int) async throws {
        let console = try await RunningConsole()
        #expect(try await console.post("requests", Self.order, headers: [.contentType: type]).status == status)
    }

    @Test(
        "a page that a proxy serves may call the console, which sees another Host",
        arguments: [("https://intents.example.com", 202), ("https://intents.example.org", 403)])
    func publicAddress(_ origin: String, _ status: Int) async throws {
        let console = try await RunningConsole(publicAuthority: "intents.example.com")
        #expect(try await console.post("requests", Self.order, headers: [.origin: origin]).status == status)
    }

    @Test func `a console for this machine alone answers to no other name`() async throws {
        let console = try await RunningConsole(hosts: ["elsewhere"])
        for path in ["/", "/api/v1/sessions"] { #expect(try await console.call(.get, path).status == 421) }
        for (authority, host) in [
            ("localhost:8233", "localhost"), ("[::1]:8233", "[::1]"), ("LocalHost", "localhost"), ("", ""),
        ] { #expect(SameOrigin.host(of: authority) == host) }
        for (url, authority) in [
            ("https://Intents.Example.com:443/", "intents.example.com"), ("http://[::1]:8233", "[::1]:8233"),
            ("null", nil),
        ] { #expect(URL(string: url)?.authority == authority) }
    }

    @Test func `a request with two Host headers, or with one that is no host and port, is refused`() async throws {
        let heads = [
            ("Host: localhost", 200), ("Host: localhost:8233", 200), ("Host: localhost\r\nHost: localhost", 400),
            ("Host: localhost\r\nHost: evil.example", 400), ("Host: localhost:8233@evil.example", 400),
            ("Host: localhost:x", 400), ("Host: localhost/evil.example", 400), ("Host: local host", 400),
        ]
        let console = try await RunningConsole()
        try await Application(router: console.server.router).test(.live) { client in
            for (head, status) in heads {
                let connection = try await RawConnection(
                    port: try #require(client.port), sending: "GET / HTTP/1.1\r\n\(head)\r\nConnection: close\r\n\r\n")
                let answer = try await connection.rest()
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(head): \(answer.prefix(40))")
            }
        }
    }

    @Test func `the page's files and the contract are in the program`() async throws {
        let console = try await RunningConsole()
        let page = try await console.call(.get, "/").text
        #expect(page.contains("main.js"))
        #expect(try await console.call(.get, "/main.js").headers[.contentType] == "text/javascript; charset=utf-8")
        let contract = try await console.call(.get, "/api/v1/asyncapi.json").text
        #expect(contract.contains("\"asyncapi\": \"3.0.0\""))
        #expect(try await console.call(.get, "/../Package.swift").status == 404)
    }

    @Test
    func `the OpenAPI document has each path of the interface, and refers to nothing that it has not`() async throws {
        let console = try await RunningConsole()
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

    @Test func `a stream goes on after the reader's last event`() async throws {
        let console = try await RunningConsole()
        try await console.running.ask("s")
        func last() throws -> LogPosition {
            try #require(console.running.session("s")?.events.last { $0.origin == .results }).position
        }
        let first = try last()
        try await console.running.answer("s", "tea", id: "a1")
        try await console.running.untilPrompt("s", "confirmIntent")
        let events = try await console.get("sessions/s/events?last-event-id=\(first)", closing: true)
        #expect(events.text.hasPrefix("retry: 1000\n\nid: \(try last())\nevent: prompt.issued.v1\ndata: {"))
        #expect(events.headers[.contentType] == "text/event-stream")
    }
}
