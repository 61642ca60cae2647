import IntentModel
import Testing

@testable import HTTPFulfilment

@Suite("The signature of a request")
struct SignatureTests {
    private static let success = LoopbackServer.Reply.ok(#"{"code":"success"}"#)
    private let request = RequestSignature(
        target: "/intents/A/handle?b=1", idempotencyKey: "me/r1", body: Array("{}".utf8))

    @Test("with a secret, each request is signed; without one, none")
    func signed() async throws {
        try await fulfilling({ $0.secret = "s3cret" }, reply: { _, _ in Self.success }) { fulfilment, server in
            _ = try await fulfilment.handle(call(.handle))
            let request = try #require(server.requests.first)
            #expect(request.signatureTime("s3cret") == 1_700_000_000)
            #expect(request.signatureTime("other") == nil)
        }
        try await fulfilling(reply: { _, _ in Self.success }) { fulfilment, server in
            _ = try await fulfilment.handle(call(.handle))
            #expect(server.requests.first?.header(RequestSignature.header) == nil)
        }
    }

    @Test("covers method, path, query, time, idempotency key and body")
    func covers() {
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
            String(value.dropLast(2)),
            "",
            "t=1", "v2=", value + "0", value.replacing("t=1", with: "t="), value.replacing("t=1", with: "t=01"),
        ] {
            #expect(request.time(of: wrong, secret: "key") == nil, "\(wrong)")
        }
        #expect(request.time(of: value, secret: "other") == nil)
    }

    @Test("is HMAC-SHA256 of six lines, the last of which is the body")
    func known() {
        // printf 'intents-http-2\nPOST\n/intents/A/handle?b=1\n1\nme/r1\n{}' | openssl dgst -sha256 -hmac key
        #expect(
            request.value(secret: "key", seconds: 1)
                == "t=1,v2=462932a2f2e844fe1da24ad754a6f66c98b5baa65fa034dc19fabf1c14e18662")
    }

    @Test(
        "is of the path and the query as they are sent",
        arguments: [
            "/", "/a/?", "/a?b=c&d=%20%2f", "/a%2Fb/../c;d=1,2", "/a//b/",
            "/%E2%82%AC/{intent}?p={phase}&s=:@!$'()*+,;=/?", "/a.b~c_d-e",
        ])
    func sent(_ path: String) async throws {
        try await fulfilling(path: path, { $0.secret = "s" }, reply: { _, _ in Self.success }) { fulfilment, server in
            _ = try await fulfilment.handle(call(.handle))
            let request = try #require(server.requests.first)
            #expect(request.signatureTime("s") != nil, "\(request.uri)")
        }
    }

    @Test(
        "a path that a client could write in another way is refused",
        arguments: ["/a[b", "/a%", "/a%2", "/a%zz", "/a?b=%g1"])
    func unsafe(_ path: String) {
        #expect(HTTPFulfilmentConfiguration(url: "https://a.example\(path)").violation?.field == "url")
    }

    @Test("a redirect to another path of the same service is signed for that path")
    func redirected() async throws {
        try await fulfilling(
            {
                $0.redirects = 1; $0.secret = "s"
            },
            reply: { request, _ in
                request.uri == "/other?a=1" ? Self.success : .answer(307, ["Location": "/other?a=1"], "")
            }
        ) { fulfilment, server in
            _ = try await fulfilment.handle(call(.handle))
            #expect(server.requests.count == 2 && server.requests.allSatisfy { $0.signatureTime("s") != nil })
        }
    }
}

extension LoopbackServer.Request {
    /// The time of the request's signature in seconds since 1970; `nil` without a valid signature.
    func signatureTime(_ secret: String) -> Int64? {
        RequestSignature(method: method, target: uri, idempotencyKey: header("idempotency-key") ?? "", body: body)
            .time(of: header(RequestSignature.header) ?? "", secret: secret)
    }
}
