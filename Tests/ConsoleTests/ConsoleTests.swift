import ArgumentParser
import Conversation
import Foundation
import GatewayFixture
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import IntentEvents
import IntentModel
import NIOCore
import NIOPosix
import PersonGateway
import PipelineTestKit
import Testing

@testable import Console

@Suite("The console over HTTP") struct ConsoleTests {
    @Test func `starts an intent, shows its prompt, takes the answers, and shows how it ended`() async throws {
        let console = try await RunningConsole()
        let started = try await console.post("requests", #"{"session":"s","intent":"Order"}"#)
        #expect(started.status == 202 && started.headers[.location] == "/api/v1/sessions/s")
        for (kind, value) in [("value", #","value":"tea""#), ("confirmIntent", "")] {
            try await console.running.untilPrompt("s", kind)
            let prompt = try #require(try await console.get("sessions/s").json["prompt"]?["prompt"]?.string)
            let answer = #"{"prompt":"\#(prompt)","action":"accept"\#(value)}"#
            #expect(try await console.post("sessions/s/answers", answer).status == 202)
        }
        try await console.running.untilEnd("s")
        #expect(try await console.get("sessions/s").json["requests"]?.elements.first?["status"]?.string == "success")
    }

    private static let order = #"{"intent":"Order"}"#

    private static func key(_ key: String) throws -> HTTPFields {
        [try #require(HTTPField.Name("Idempotency-Key")): key]
    }

    @Test func `a repeated Idempotency-Key is the same request, and is refused with another body`() async throws {
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

    @Test func `the key of a refused request can be used for another request`() async throws {
        let console = try await RunningConsole()
        for (body, status) in [(#"{"intent":7}"#, 400), (Self.order, 202), (#"{"intent":"Other"}"#, 422)] {
            #expect(try await console.post("requests", body, headers: Self.key("k")).status == status)
        }
    }

    @Test func `idempotency keys are bounded by caller and in all, and their entries in size`() async throws {
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
        arguments: [
            ("requests", #"{"intent":7}"#, 400, "invalid", "intent"),
            ("requests", #"{"intent":"Order","paramters":{}}"#, 400, "invalid", "paramters"),
            ("requests", #"{"intent":"#, 400, "unparseable", nil), ("requests", "[]", 400, "unparseable", nil),
            ("requests", #"{"session":7,"intent":"Order"}"#, 400, "invalid", "session"),
            ("requests", #"{"session":"$x","intent":"Order"}"#, 400, "invalid", "key"),
            ("sessions/s/answers", #"{"prompt":"p","action":"maybe"}"#, 400, "invalid", "action"),
            ("sessions/%ff/answers", #"{"prompt":"p","action":"accept"}"#, 400, "invalid", "session"),
            ("sessions?limit=0", nil, 400, "invalid", "limit"), ("sessions?state=x", nil, 400, "invalid", "state"),
            ("sessions?search=%FF", nil, 400, "invalid", "query"), ("sessions?outcom=x", nil, 400, "invalid", "outcom"),
            ("sessions/s?reveal=yes", nil, 400, "invalid", "reveal"),
            ("dead-letters/0:0?reveal=true&reveal=true", nil, 400, "invalid", "reveal"),
            ("dead-letters/0:99", nil, 404, "unsupported", nil),
            ("sessions/s/requests/r/steps", nil, 404, "unsupported", nil),
            ("sessions?after=x", nil, 400, "invalid", "after"), ("sessions/none", nil, 404, "unsupported", nil),
            ("/nowhere/at/all", nil, 404, "unsupported", nil), ("requests", nil, 405, "unsupported", nil),
            ("sessions/s", "{}", 405, "unsupported", nil), ("dead-letters/x/drop", "{}", 400, "invalid", "position"),
            ("dead-letters/0:99/drop", "{}", 404, "unsupported", nil),
            ("sessions/s/events?last-event-id=9:1", nil, 400, "invalid", "Last-Event-ID"),
        ] as [(String, String?, Int, String, String?)])
    func `an error is a problem document with a status, a reason and the member`(
        _ path: String, _ body: String?, _ status: Int, _ reason: String, _ field: String?
    ) async throws {
        let path = path.hasPrefix("/") ? path : "/api/v1/\(path)"
        let answer = try await RunningConsole().call(body == nil ? .get : .post, path, body)
        #expect(answer.status == status && answer.headers[.contentType] == "application/problem+json")
        let problem = answer.json
        #expect(problem["reason"]?.string == reason && problem["field"]?.string == field)
        #expect(problem["status"]?.int == status && problem["detail"]?.string?.isEmpty == false)
    }

    @Test(arguments: ["would+you+LIKE", "would%20you%20like", "What%20would"])
    func `a search of several words finds them, however the client writes a space`(_ words: String) async throws {
        let console = try await RunningConsole()
        try await console.running.ask("s")
        let found = try await console.get("sessions?search=\(words)").json["sessions"]?.elements
        #expect(found?.compactMap { $0["session"]?.string } == ["s"])
    }

    @Test func `a page of another origin can't call the console, nor can a form`() async throws {
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

    @Test func `HEAD has no body, and is not allowed for streams`() async throws {
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

    @Test(arguments: [("json; charset=utf-8", 202), ("JSON", 202), ("jsonx", 415), ("json-seq", 415)])
    func `a body needs the media type application/json in any case`(_ type: String, _ status: Int) async throws {
        let headers: HTTPFields = [.contentType: "Application/\(type)"]
        #expect(try await RunningConsole().post("requests", Self.order, headers: headers).status == status)
    }

    @Test(arguments: [("https://intents.example.com", 202), ("https://intents.example.org", 403)])
    func `a page at the public address can call a proxied console`(_ origin: String, _ status: Int) async throws {
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

    @Test func `the program contains the page's files and the contract`() async throws {
        let console = try await RunningConsole()
        #expect(try await console.call(.get, "/").text.contains("main.js"))
        #expect(try await console.call(.get, "/main.js").headers[.contentType] == "text/javascript; charset=utf-8")
        #expect(try await console.call(.get, "/api/v1/asyncapi.json").text.contains("\"asyncapi\": \"3.0.0\""))
        #expect(try await console.call(.get, "/../Package.swift").status == 404)
    }

    @Test func `the OpenAPI document has every path, and each schema that it refers to`() async throws {
        let document = try await RunningConsole().call(.get, "/api/v1/openapi.json")
        func paths(_ method: String) -> Set<String> {
            let all = document.json["paths"]?.members.filter { $0.value[method] != nil } ?? []
            return Set(all.map { String($0.name.dropFirst()).replacing(/{[a-z]+}/, with: "*") })
        }
        #expect(paths("get") == Set(KnownPaths.queries) && paths("post") == Set(KnownPaths.sends))
        let schemas = Set(document.json["components"]?["schemas"]?.members.map(\.name) ?? [])
        let wanted = Set(
            document.text.matches(of: /"\$ref":"#\/components\/schemas\/([A-Za-z]+)"/).map { String($0.output.1) })
        #expect(!wanted.isEmpty && wanted.subtracting(schemas).isEmpty)
    }

    @Test func `a stream resumes after the reader's last event`() async throws {
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

@Suite("The console's options") struct ConsoleOptionsTests {
    private static let tokens = ["--jwt-issuer", "https://a", "--jwt-audience", "intents", "--jwt-keys", "keys.json"]

    @Test(arguments: [
        ([], true), (["--listen", "0.0.0.0:8233"], false), (["--listen", "192.0.2.1:8233"], false),
        (["--listen", "0.0.0.0:8233", "--without-tokens"], true), (["--listen", "0.0.0.0:8233"] + tokens, true),
        (["--listen", "[::1]:8233"], true), (["--without-tokens"] + tokens, false), (Array(tokens.prefix(2)), false),
        (["--listen", "8233"], false), (tokens + ["--jwt-algorithms", "none"], false),
    ])
    func `an address that other machines can reach needs tokens or --without-tokens`(options: [String], isValid: Bool) {
        #expect(((try? ConsoleProcess.parse(["-b", "localhost:9092"] + options)) != nil) == isValid)
    }

    @Test(arguments: [("0.0.0.0", false), ("::", false), ("192.0.2.1", true)])
    func `requests may name this machine or the console's address, but no wildcard`(host: String, isNamed: Bool) {
        let hosts = ["127.0.0.1", "localhost", "[::1]"] + (isNamed ? [host] : [])
        #expect(ConsoleAddress(host: host, port: 8233).hosts == hosts)
    }

    /// The addresses of this machine itself, including an IPv6 address if the machine has one.
    private static let loopback =
        ["127.0.0.1", "localhost"]
        + ((try? String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8))?.isEmpty == false ? ["::1"] : [])

    @Test(arguments: loopback)
    func `a free port is found for 0, and for a port that is taken`(host: String) async throws {
        let any = await ConsoleAddress(host: host, port: 0).orAny
        #expect(any.host == host && any.port > 0)
        let taken = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup).bind(host: host, port: 0)
            .get()
        let port = try #require(taken.localAddress?.port)
        let other = await ConsoleAddress(host: host, port: port).orAny
        #expect(other.port > 0 && other.port != port)
        try await taken.close()
    }
}
