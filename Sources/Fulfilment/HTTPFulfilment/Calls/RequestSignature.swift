import MessageAuthentication

/// The header `X-Intent-Signature: t=<seconds since 1970>,v2=<hexadecimal HMAC-SHA256>` of a request.
///
/// With the secret, a service can verify that a request comes from the pipeline, is unchanged, is meant for this path
/// and this idempotency key, and is recent. The signed text has six parts, with a line feed between two of them:
///
/// ```
/// intents-http-2
/// POST
/// /intents/BookTable/handle?tenant=7
/// 1700000000
/// me/r1
/// {"phase":"handle",…}
/// ```
/// The parts are the name of the scheme, the method, the request target as it is sent (the path with its query), the
/// time, the value of `Idempotency-Key`, and the body. No part before the body can contain a line feed, so no two
/// requests have the same text. The host is no part, because proxies rewrite it: services that share a secret can pass
/// each other's requests on.
public struct RequestSignature: Sendable, Hashable {
    public static let header = "X-Intent-Signature"
    private static let scheme = "intents-http-2"

    public var method: String
    /// The path with its query, as in the request line.
    public var target: String
    /// The value of `Idempotency-Key`; empty if the request has none.
    public var idempotencyKey: String
    public var body: [UInt8]

    public init(method: String = "POST", target: String, idempotencyKey: String, body: [UInt8]) {
        self.method = method
        self.target = target
        self.idempotencyKey = idempotencyKey
        self.body = body
    }

    /// Returns the value of the header.
    public func value(secret: String, seconds: Int64) -> String {
        let code = SHA256.authenticationCode(for: text("\(seconds)"), key: Array(secret.utf8))
        return "t=\(seconds),v2=\(Hexadecimal.encode(code))"
    }

    /// Verifies that a header's value matches the request. The caller must check that the time is recent enough.
    ///
    /// - Returns: The time of the signature in seconds since 1970; `nil` if the value does not match.
    public func time(of value: String, secret: String) -> Int64? {
        var time: Substring?
        var signature: Substring?
        for part in value.split(separator: ",") {
            if part.hasPrefix("t=") { time = part.dropFirst(2) }
            if part.hasPrefix("v2=") { signature = part.dropFirst(3) }
        }
        guard let time, let signature, let given = Hexadecimal.decode(String(signature)) else { return nil }
        guard SHA256.isValid(given, for: text(time), key: Array(secret.utf8)) else { return nil }
        return Int64(time)
    }

    private func text(_ time: some StringProtocol) -> [UInt8] {
        Array("\(Self.scheme)\n\(method)\n\(target)\n\(time)\n\(idempotencyKey)\n".utf8) + body
    }
}
