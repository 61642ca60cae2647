import IntentModel
import Testing

@testable import HTTPFulfilment

@Suite("Permanent errors fail with a reason")
struct RefusalTests {
    private static let success = LoopbackServer.Reply.ok(#"{"code":"success"}"#)

    @Test(
        "a 4xx fails the request at once",
        arguments: [
            (400, RejectionReason.invalid), (401, .unauthorized), (403, .unauthorized), (404, .unsupported),
            (409, .unexpected),
            (413, .complex),
            (422, .invalid), (501, .unsupported),
        ])
    func clientErrors(_ status: Int, _ reason: RejectionReason) async throws {
        try await fulfilling(reply: { _, _ in .answer(status, [:], "its own words") }) { fulfilment, server in
            let failure = try await failure { try await fulfilment.handle(call(.handle)) }
            #expect(
                failure?.message.contains("answered \(status): ") == true && failure?.message.contains("words") == false
            )
            #expect(failure?.reason == reason)
            #expect(failure?.disposition == .failure(.failure))
            #expect(server.requests.count == 1)
        }
    }

    @Test(
        "an invalid reply fails the request with the reason",
        arguments: [
            ("<html>", "not JSON"), ("[]", "a JSON object"), ("{}", "'code'"),
            (#"{"code":"done"}"#, "'handle' can't end with 'done'"),
            (#"{"code":7}"#, "'code' is a text"), (#"{"code":"success","items":{}}"#, "'items' is a list"),
            (#"{"code":"success","items":[{"id":"a"}]}"#, "'id', 'title' and 'value'"),
            (#"{"code":"ready"}"#, "'handle' can't end with 'ready'"),
            (#"{"code":"success","opens":{}}"#, "'opens' needs an 'intent'"),
            (#"{"code":"success","validFor":"long"}"#, "'validFor' is"),
            ("", "not JSON"),
        ])
    func garbage(_ body: String, _ words: String) async throws {
        try await fulfilling(reply: { _, _ in .ok(body) }) { fulfilment, server in
            let failure = try await failure { try await fulfilment.handle(call(.handle)) }
            #expect(failure?.disposition == .failure(.failure))
            #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
            #expect(server.requests.count == 1)
        }
    }

    @Test(
        "a resolution has exactly one result",
        arguments: ["{}", #"{"notRequired":{},"needsValue":{}}"#, #"{"success":{}}"#])
    func resolutions(_ body: String) async throws {
        try await fulfilling(reply: { _, _ in .ok(body) }) { fulfilment, _ in
            let failure = try await failure { try await fulfilment.resolve("people", of: call(.resolve)) }
            #expect(failure?.disposition == .failure(.failure))
        }
    }

    @Test("a reply is read up to the size limit, whether it states its size or never ends")
    func size() async throws {
        let large = #"{"code":"success","dialog":"\#(String(repeating: "x", count: 200))"}"#
        for reply in [LoopbackServer.Reply.ok(large), .endless] {
            try await fulfilling({ $0.maximumResponseBytes = 100 }, reply: { _, _ in reply }) { fulfilment, server in
                let failure = try await failure { try await fulfilment.handle(call(.handle)) }
                #expect(failure?.reason == .complex && failure?.message.contains("100 bytes") == true)
                if case .endless = reply { await server.until { _, closed in closed == 1 } }
            }
        }
    }

    @Test("a redirect is only followed if the definition allows it")
    func redirect() async throws {
        try await fulfilling(reply: { _, _ in .answer(307, ["Location": "/other"], "") }) { fulfilment, server in
            let failure = try await failure { try await fulfilment.handle(call(.handle)) }
            #expect(failure?.message.contains("'redirects'") == true && server.requests.count == 1)
        }
    }

    @Test("an allowed redirect is followed with the same body, key and headers", arguments: [307, 308])
    func followed(_ status: Int) async throws {
        try await fulfilling(
            {
                $0.redirects = 1; $0.secret = "s"; $0.headers = ["Authorization": "Bearer x"]
            },
            reply: { request, _ in
                request.uri == "/other?a=1" ? Self.success : .answer(status, ["Location": "/other?a=1"], "")
            }
        ) { fulfilment, server in
            let answer = try await fulfilment.handle(call(.handle)).code
            #expect(answer == .success)
            #expect(Set(server.requests.map(\.text)).count == 1 && server.requests.count == 2)
            for request in server.requests {
                #expect(request.header("idempotency-key") == "me/r1" && request.header("authorization") == "Bearer x")
            }
        }
    }

    @Test(
        "headers and signatures are not sent to another origin, nor on the way back from there",
        arguments: [false, true])
    func credentials(_ returns: Bool) async throws {
        // The first server includes its own address, so that the other server can redirect the client back.
        try await LoopbackServer.run({ request, _ in
            guard let back = request.uri.split(separator: "=").dropFirst().first else { return Self.success }
            return .answer(307, ["Location": "http://\(back)/chosen"], "")
        }) { other in
            let location = "\(other.url)/elsewhere"
            try await fulfilling(
                {
                    $0.redirects = 2; $0.secret = "s"; $0.headers = ["Authorization": "Bearer x", "X-API-Key": "k"]
                },
                reply: { request, number in
                    if number > 1 { return Self.success }
                    return .answer(
                        307, ["Location": returns ? "\(location)?=\(request.header("host") ?? "")" : location], "")
                }
            ) { fulfilment, server in
                let answer = try await fulfilment.handle(call(.handle)).code
                #expect(answer == .success && server.requests.count == (returns ? 2 : 1) && other.requests.count == 1)
                #expect(server.requests[0].header("x-api-key") == "k" && server.requests[0].signatureTime("s") != nil)
                for request in other.requests + server.requests.dropFirst() {
                    for name in ["authorization", "x-api-key", RequestSignature.header] {
                        #expect(request.header(name) == nil, "\(name) to \(request.uri)")
                    }
                    #expect(request.header("idempotency-key") == "me/r1")
                }
            }
        }
    }

    @Test(
        "redirects are checked like the first URL, and followed only a limited number of times",
        arguments: [
            ("https://rides.example.com/", "may not be followed", "https://rides.example.com is not an allowed host"),
            (
                "http://tables.example.com/", "may not be followed",
                "http://tables.example.com is neither https nor on this machine"
            ),
            ("http://169.254.169.254/latest/meta-data", "may not be followed", "not an allowed host"),
            ("http://[fe80::1]/", "may not be followed", "not an allowed host"),
            ("http://user@127.0.0.1/", "without a valid 'Location'", ""), ("", "without a valid 'Location'", ""),
            ("/again", "limit of 2 redirects", ""),
        ])
    func redirectRules(_ location: String, _ told: String, _ logged: String) async throws {
        let log = FailureLog()
        var settings = log.settings
        settings.hosts = try AllowedHosts("127.0.0.1,tables.example.com")
        try await fulfilling(
            client: settings,
            {
                $0.redirects = 2; $0.secret = "s"
            }, reply: { _, _ in .answer(308, location.isEmpty ? [:] : ["Location": location], "") }
        ) { fulfilment, server in
            let failure = try await failure { try await fulfilment.handle(call(.handle)) }
            #expect(
                failure?.disposition == .failure(.failure) && failure?.message.contains(told) == true,
                "\(failure?.message ?? "")")
            #expect(failure?.message.contains("://") == false)
            #expect(log.problems.count == 1 && log.problems.first?.contains(logged) == true, "\(log.problems)")
        }
    }

    @Test("the person is told no address of a service, and the log is told all")
    func internalAddresses() async throws {
        let replies: [LoopbackServer.Reply] = [
            .answer(500, [:], ""), .answer(401, [:], ""), .answer(404, [:], ""), .answer(204, [:], ""), .ok("<html>"),
            .ok(#"{"code":"ready"}"#),
            .answer(302, [:], ""), .answer(307, ["Location": "http://10.1.2.3/"], ""), .close,
        ]
        for reply in replies {
            let log = FailureLog()
            try await fulfilling(client: log.settings, { $0.redirects = 1 }, reply: { _, _ in reply }) {
                fulfilment, server in
                let failure = try await failure { try await fulfilment.handle(call(.handle)) }
                let message = try #require(failure?.message)
                #expect(message.hasPrefix("handle of BookTable: the service "), "\(message)")
                #expect(
                    !message.contains("127.0.0.1") && !message.contains("10.1.2.3")
                        && !message.contains("\(server.port)"), "\(message)")
                #expect(log.problems.count == 1 && log.problems.first?.hasPrefix(server.url) == true, "\(log.problems)")
            }
        }
    }

    @Test("redirects that would change the method are refused", arguments: [301, 302, 303])
    func otherRedirects(_ status: Int) async throws {
        try await fulfilling({ $0.redirects = 5 }, reply: { _, _ in .answer(status, ["Location": "/x"], "") }) {
            fulfilment, server in
            let failure = try await failure { try await fulfilment.handle(call(.handle)) }
            #expect(failure?.message.contains("only redirects with 307 and 308") == true && server.requests.count == 1)
        }
    }

    @Test(
        "TLS is verified: an untrusted certificate is refused, and accepted with its CA file",
        .enabled(if: TestCertificate.made != nil, "there is no openssl to make one with"))
    func tls() async throws {
        let made = try #require(TestCertificate.made)
        var settings = HTTPFulfilmentClientConfiguration()
        try await fulfilling(client: settings, isSecure: true, reply: { _, _ in Self.success }) { fulfilment, server in
            let failure = try await failure { try await fulfilment.handle(call(.handle)) }
            #expect(
                failure?.disposition == .failure(.failure) && failure?.reason == .unauthorized,
                "\(failure?.message ?? "")")
            #expect(failure?.message.contains("certificate") == true)
            #expect(server.requests.isEmpty)
        }
        let file = try TemporaryFile(made.certificate)
        settings.certificateAuthorities = file.path
        try await fulfilling(client: settings, isSecure: true, reply: { _, _ in Self.success }) { fulfilment, _ in
            let answer = try await fulfilment.handle(call(.handle)).code
            #expect(answer == .success)
        }
    }
}
