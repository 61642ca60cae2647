import IntentModel
import IntentRuntime
import Testing

@testable import HTTPFulfilment

@Suite("Transient errors are retried") struct RetryTests {
    @Test func `a 5xx is retried with growing delays and the same idempotency key`() async throws {
        let exchange = try await callService(.answer(500), .answer(500, [:], "oh"), .success)
        #expect(exchange.response?.code == .success)
        #expect(exchange.requests.map { $0.header("idempotency-key") } == ["me/r1", "me/r1", "me/r1"])
        #expect(Set(exchange.requests.map(\.text)).count == 1)
        #expect(exchange.waits == [.milliseconds(200), .milliseconds(400)])
    }

    @Test func `each attempt is signed with its own time`() async throws {
        let exchange = try await callService(.answer(502), .success) {
            ($0.secret, $0.retries.firstDelay) = ("s", .seconds(2))
        }
        #expect(exchange.requests.map { $0.signatureTime("s") } == [1_700_000_000, 1_700_000_002])
    }

    @Test(arguments: [(1, 3, " (tried 3 times)"), (2, 1, "")])
    func `after a worker's three attempts, the coordinator retries with one attempt each`(
        _ attempt: Int, _ requests: Int, _ tries: String
    ) async throws {
        var work = call(.handle)
        work.context.attempt = attempt
        let exchange = try await callService(.answer(500, [:], "secret text"), for: work)
        #expect(exchange.message == "handle of BookTable: the service answered 500: see the log of the service\(tries)")
        #expect(exchange.requests.count == requests)
        #expect(attempt > 1 || exchange.failure?.disposition == .retry(after: .milliseconds(800)))
    }

    @Test(arguments: [429, 503])
    func `a short Retry-After is waited for by the worker`(_ status: Int) async throws {
        let exchange = try await callService(.answer(status, ["Retry-After": "3"]), .success)
        #expect(exchange.response?.code == .success && exchange.waits == [.seconds(3)])
    }

    @Test(arguments: ["100", "Tue, 14 Nov 2023 22:15:00 GMT"])
    func `a long Retry-After, in seconds or as a date, is left to the coordinator`(_ value: String) async throws {
        let exchange = try await callService(.answer(429, ["Retry-After": value]))
        #expect(exchange.failure?.disposition == .retry(after: .seconds(100)))
        #expect(exchange.failure?.reason == .busy && exchange.requests.count == 1)
    }

    @Test func `Retry-After is never negative, at most a day, and ignored if it is unreadable`() {
        #expect(RetryAfter.duration("Sun, 06 Nov 1994 08:49:37 GMT", now: 1_700_000_000_000) == .zero)
        #expect(RetryAfter.duration("99999999999999", now: 0) == .seconds(86_400))
        for text in ["-1", "soon", "", "Sun, 06 Foo 1994 08:49:37 GMT", "6 6 6 6 6 GMT"] {
            #expect(RetryAfter.duration(text, now: 0) == nil)
        }
    }

    @Test func `a service that does not reply in time is tried again`() async throws {
        // On a slow machine, some attempts end before their request arrives.
        let exchange = try await callService(.silence, .ready, for: call(.confirm)) {
            ($0.timeout, $0.retries.maximumAttempts) = (.milliseconds(200), 20)
        }
        #expect(exchange.requests.count >= 2)
    }

    @Test func `no attempt is made for which the deadline leaves no time`() async throws {
        let short = try await callService(.answer(500), for: call(.handle, deadline: 1_700_000_002_000)) {
            $0.retries.firstDelay = .seconds(2)
        }
        #expect(short.failure?.disposition == .retry(after: .seconds(2)))
        #expect(short.requests.count == 1 && short.waits.isEmpty)
        let late = try await callService(.answer(500), for: call(.handle, deadline: 1_700_000_000_000))
        #expect(late.message.contains("no time is left") && late.requests.isEmpty)
    }

    @Test(arguments: [false, true])
    func `an unreachable service is tried again, also for an at-most-once effect`(_ isAtMostOnce: Bool) async throws {
        let url = try await LoopbackServer.run({ _, _ in .close }) { $0.url }
        let clock = StandingClock()
        try await fulfilling(url, clock: clock.clock, { $0.isAtMostOnce = isAtMostOnce }) { fulfilment in
            let failure = await #expect(throws: IntentFailure.self) { try await fulfilment.handle(call(.handle)) }
            #expect(clock.waits.count == 2 && failure?.disposition == .retry(after: .milliseconds(800)))
            let message = "handle of BookTable: the service can't be reached (connection refused) (tried 3 times)"
            #expect(failure?.message == message)
        }
    }

    @Test func `a connection that breaks is tried again`() async throws {
        let exchange = try await callService(.close, .success)
        #expect(exchange.response?.code == .success && exchange.requests.count == 2)
    }

    @Test func `cancelling the task ends the request and closes its connection`() async throws {
        try await LoopbackServer.run({ _, _ in .silence }) { server in
            try await fulfilling(server.url) { fulfilment in
                let task = Task { try await fulfilment.handle(call(.handle)) }
                await server.until { requests, _ in requests == 1 }
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
                await server.until { _, closed in closed == 1 }
                #expect(server.requests.count == 1)
            }
        }
    }
}

@Suite("Permanent errors fail with a reason") struct RefusalTests {
    @Test(arguments: [
        (400, RejectionReason.invalid), (401, .unauthorized), (403, .unauthorized), (404, .unsupported),
        (409, .unexpected), (413, .complex), (422, .invalid), (501, .unsupported),
    ])
    func `a 4xx fails the request at once`(_ status: Int, _ reason: RejectionReason) async throws {
        let exchange = try await callService(.answer(status, [:], "its own words"))
        #expect(exchange.message.contains("answered \(status): ") && !exchange.message.contains("words"))
        #expect(exchange.failure?.reason == reason && exchange.isFinal && exchange.requests.count == 1)
    }

    @Test(arguments: [
        ("<html>", "not JSON"), ("[]", "a JSON object"), ("{}", "'code'"), ("", "not JSON"),
        (#"{"code":"done"}"#, "'handle' can't end with 'done'"),
        (#"{"code":7}"#, "'code' is a text"), (#"{"code":"success","items":{}}"#, "'items' is a list"),
        (#"{"code":"success","items":[{"id":"a"}]}"#, "'id', 'title' and 'value'"),
        (#"{"code":"ready"}"#, "'handle' can't end with 'ready'"),
        (#"{"code":"success","opens":{}}"#, "'opens' needs an 'intent'"),
        (#"{"code":"success","validFor":"long"}"#, "'validFor' is"),
    ])
    func `an invalid reply fails the request with the reason`(_ body: String, _ words: String) async throws {
        let exchange = try await callService(.ok(body))
        #expect(exchange.isFinal && exchange.message.contains(words), "\(exchange.message)")
        #expect(exchange.requests.count == 1)
    }

    @Test(arguments: ["{}", #"{"notRequired":{},"needsValue":{}}"#, #"{"success":{}}"#])
    func `a resolution has exactly one result`(_ body: String) async throws {
        #expect(try await callService(.ok(body), for: call(.resolve)).isFinal)
    }

    @Test(arguments: [false, true])
    func `a reply is read up to the size limit, whether its size is stated or endless`(isEndless: Bool) async throws {
        let large = #"{"code":"success","dialog":"\#(String(repeating: "x", count: 200))"}"#
        try await LoopbackServer.run({ _, _ in isEndless ? .endless : .ok(large) }) { server in
            try await fulfilling(server.url, { $0.maximumResponseBytes = 100 }) { fulfilment in
                let failure = await #expect(throws: IntentFailure.self) { try await fulfilment.handle(call(.handle)) }
                #expect(failure?.reason == .complex && failure?.message.contains("100 bytes") == true)
                if isEndless { await server.until { _, closed in closed == 1 } }
            }
        }
    }

    @Test func `a redirect is only followed if the definition allows it`() async throws {
        let exchange = try await callService(.answer(307, ["Location": "/other"]))
        #expect(exchange.message.contains("'redirects'") && exchange.requests.count == 1)
    }

    @Test(arguments: [307, 308])
    func `an allowed redirect repeats body, key and headers, and is signed for its path`(_ status: Int) async throws {
        let exchange = try await callService({
            ($0.redirects, $0.secret, $0.headers) = (1, "s", ["Authorization": "Bearer x"])
        }) { request, _ in request.uri == "/other?a=1" ? .success : .answer(status, ["Location": "/other?a=1"]) }
        #expect(exchange.response?.code == .success)
        #expect(Set(exchange.requests.map(\.text)).count == 1 && exchange.requests.count == 2)
        for request in exchange.requests {
            #expect(request.header("idempotency-key") == "me/r1" && request.header("authorization") == "Bearer x")
            #expect(request.signatureTime("s") != nil)
        }
    }

    @Test(arguments: [false, true])
    func `headers and signatures are not sent to another origin, nor back from there`(_ returns: Bool) async throws {
        // The first server includes its own address, so that the other server can redirect the client back.
        try await LoopbackServer.run({ request, _ in
            guard let back = request.uri.split(separator: "=").dropFirst().first else { return .success }
            return .answer(307, ["Location": "http://\(back)/chosen"])
        }) { other in
            let location = "\(other.url)/elsewhere"
            let exchange = try await callService({
                ($0.redirects, $0.secret) = (2, "s")
                $0.headers = ["Authorization": "Bearer x", "X-API-Key": "k"]
            }) { request, number in
                if number > 1 { return .success }
                let host = request.header("host") ?? ""
                return .answer(307, ["Location": returns ? "\(location)?=\(host)" : location])
            }
            #expect(exchange.response?.code == .success)
            #expect(exchange.requests.count == (returns ? 2 : 1) && other.requests.count == 1)
            let first = try exchange.request
            #expect(first.header("x-api-key") == "k" && first.signatureTime("s") != nil)
            for request in other.requests + exchange.requests.dropFirst() {
                for name in ["authorization", "x-api-key", RequestSignature.header] {
                    #expect(request.header(name) == nil, "\(name) to \(request.uri)")
                }
                #expect(request.header("idempotency-key") == "me/r1")
            }
        }
    }

    @Test(arguments: [
        ("https://rides.example.com/", "may not be followed", "https://rides.example.com is not an allowed host"),
        ("http://a.example.com/", "may not be followed", "http://a.example.com is neither https nor on this machine"),
        ("http://169.254.169.254/latest/meta-data", "may not be followed", "not an allowed host"),
        ("http://[fe80::1]/", "may not be followed", "not an allowed host"),
        ("http://user@127.0.0.1/", "without a valid 'Location'", ""), ("", "without a valid 'Location'", ""),
        ("/again", "limit of 2 redirects", ""),
    ])
    func `each redirect is checked, up to a limit`(_ location: String, _ told: String, _ logged: String) async throws {
        var settings = HTTPFulfilmentClientConfiguration()
        settings.hosts = try AllowedHosts("127.0.0.1,a.example.com")
        let reply = LoopbackServer.Reply.answer(308, location.isEmpty ? [:] : ["Location": location])
        let exchange = try await callService(reply, settings: settings) { ($0.redirects, $0.secret) = (2, "s") }
        #expect(exchange.isFinal && exchange.message.contains(told), "\(exchange.message)")
        #expect(!exchange.message.contains("://"))
        #expect(exchange.log.count == 1 && exchange.log[0].contains(logged), "\(exchange.log)")
    }

    @Test(arguments: [
        LoopbackServer.Reply.answer(500), .answer(401), .answer(404), .answer(204), .ok("<html>"), .ready,
        .answer(302), .answer(307, ["Location": "http://10.1.2.3/"]), .close,
    ])
    func `the service's address is in the log and not in the message`(_ reply: LoopbackServer.Reply) async throws {
        let exchange = try await callService(reply) { $0.redirects = 1 }
        let message = exchange.message
        #expect(message.hasPrefix("handle of BookTable: the service "), "\(message)")
        for word in ["127.0.0.1", "10.1.2.3", String(exchange.url.split(separator: ":").last ?? "")] {
            #expect(!message.contains(word))
        }
        #expect(exchange.log.count == 1 && exchange.log[0].hasPrefix(exchange.url), "\(exchange.log)")
    }

    @Test(arguments: [301, 302, 303])
    func `redirects that would change the method are refused`(_ status: Int) async throws {
        let exchange = try await callService(.answer(status, ["Location": "/x"])) { $0.redirects = 5 }
        #expect(exchange.message.contains("only redirects with 307 and 308") && exchange.requests.count == 1)
    }

    @Test(.enabled(if: TestCertificate.made != nil, "there is no openssl to make one with"))
    func `TLS is verified: an untrusted certificate is refused, and accepted with its CA file`() async throws {
        let made = try #require(TestCertificate.made)
        let refused = try await callService(.success, host: "localhost", isSecure: true)
        #expect(refused.isFinal && refused.failure?.reason == .unauthorized, "\(refused.message)")
        #expect(refused.message.contains("certificate") && refused.requests.isEmpty)
        let file = try TemporaryFile(made.certificate)
        var settings = HTTPFulfilmentClientConfiguration()
        settings.certificateAuthorities = file.path
        let trusted = try await callService(.success, host: "localhost", settings: settings, isSecure: true)
        #expect(trusted.response?.code == .success)
        file.remove()
    }
}

@Suite("The signature of a request") struct SignatureTests {
    private let request = RequestSignature(
        target: "/intents/A/handle?b=1", idempotencyKey: "me/r1", body: [0x7B, 0x7D])

    @Test func `covers method, path, query, time, idempotency key and body`() {
        let value = request.value(secret: "key", seconds: 1)
        #expect(request.time(of: value, secret: "key") == 1)
        let changes: [(inout RequestSignature) -> Void] = [
            { $0.method = "PUT" }, { $0.target = "/intents/B/handle?b=1" }, { $0.target = "/intents/A/handle?b=2" },
            { $0.idempotencyKey = "me/r2" }, { $0.idempotencyKey = "" }, { $0.body = [] }, { $0.body.append(0x20) },
        ]
        for change in changes {
            var other = request
            change(&other)
            #expect(other.time(of: value, secret: "key") == nil, "\(other)")
        }
        for wrong in [
            value.replacing("t=1", with: "t=2"), value.replacing("v2=", with: "v1="), String(value.dropLast()),
            String(value.dropLast(2)), "", "t=1", "v2=", value + "0", value.replacing("t=1", with: "t="),
            value.replacing("t=1", with: "t=01"),
        ] { #expect(request.time(of: wrong, secret: "key") == nil, "\(wrong)") }
        #expect(request.time(of: value, secret: "other") == nil)
    }

    @Test func `is HMAC-SHA256 of six lines, the last of which is the body`() {
        // printf 'intents-http-2\nPOST\n/intents/A/handle?b=1\n1\nme/r1\n{}' | openssl dgst -sha256 -hmac key
        let value = "t=1,v2=462932a2f2e844fe1da24ad754a6f66c98b5baa65fa034dc19fabf1c14e18662"
        #expect(request.value(secret: "key", seconds: 1) == value)
    }

    @Test(arguments: [
        "/", "/a/?", "/a?b=c&d=%20%2f", "/a%2Fb/../c;d=1,2", "/a//b/",
        "/%E2%82%AC/{intent}?p={phase}&s=:@!$'()*+,;=/?", "/a.b~c_d-e",
    ])
    func `is of the path and the query as they are sent`(_ path: String) async throws {
        let request = try await callService(.success, path: path) { $0.secret = "s" }.request
        #expect(request.signatureTime("s") != nil, "\(request.uri)")
    }

    @Test(arguments: ["/a[b", "/a%", "/a%2", "/a%zz", "/a?b=%g1"])
    func `a path that a client could write in another way is refused`(_ path: String) {
        #expect(HTTPFulfilmentConfiguration(url: "https://a.example\(path)").violation?.field == "url")
    }
}

extension LoopbackServer.Request {
    /// The time of the request's signature in seconds since 1970; `nil` without a valid signature.
    func signatureTime(_ secret: String) -> Int64? {
        RequestSignature(method: method, target: uri, idempotencyKey: header("idempotency-key") ?? "", body: body)
            .time(of: header(RequestSignature.header) ?? "", secret: secret)
    }
}
