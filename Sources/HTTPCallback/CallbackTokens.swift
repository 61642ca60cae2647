public import Conversation
import IntentModel
import MessageAuthentication
public import Pipeline

/// Makes the URLs that services post deferred outcomes to, and verifies them.
///
/// The last part of such a URL is `<what>.<code>`, both in base64url. The first part has the call and the time until which the URL is valid; the
/// second is the HMAC-SHA256 of the first. So every handler worker with the same key can accept the outcome, and a URL can't be forged. The URL
/// itself authorizes the caller, so it is sent only to the service.
public struct CallbackTokens: Sendable {
    /// The minimum length of a key in bytes.
    public static let minimumKeyLength = 16
    /// The part of the URL before the token.
    static let path = "/v1/answers/"

    private let key: [UInt8]
    private let base: String
    private let lifetime: Duration

    /// - Parameters:
    ///   - key: A secret of at least ``minimumKeyLength`` bytes, the same for all handler workers.
    ///   - base: The URL at which services reach the callback servers, such as `https://intents.example.com`; `/v1/answers/` is appended to it.
    ///   - lifetime: How long the URL is valid. After the request has timed out, a success is only reported as a late outcome.
    /// - Returns: `nil` if the key is too short.
    public init?(key: [UInt8], base: String, lifetime: Duration = .seconds(24 * 3_600)) {
        guard key.count >= Self.minimumKeyLength else { return nil }
        self.key = key
        var base = base
        while base.hasSuffix("/") { base.removeLast() }
        self.base = base
        self.lifetime = lifetime
    }

    /// The URL for the deferred outcome of a call.
    ///
    /// - Parameter replyTo: `InvocationContext.replyTo` of the call.
    public func url(for replyTo: String, now: Instant) -> String {
        base + Self.path + token(for: replyTo, now: now)
    }

    func token(for replyTo: String, now: Instant) -> String {
        let until = Int(now.advanced(by: lifetime).milliseconds / 1_000)
        let what = Base64URL.encode(JSON.array([.string(replyTo), .number(until)]).bytes)
        return "\(what).\(Base64URL.encode(SHA256.authenticationCode(for: Self.message(what), key: key)))"
    }

    /// The call that a token is for.
    ///
    /// - Throws: ``CallbackProblem`` if the token is malformed, signed with another key, or expired.
    public func read(_ token: String, now: Instant) throws(CallbackProblem) -> DeferredOutcomeAddress {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        let forged = CallbackProblem(
            .badRequest, .unauthorized,
            "this callback URL is invalid, or INTENTS_CALLBACK_KEY has changed since: post to 'callback.url' without changing it")
        guard token.utf8.count <= 8_192, parts.count == 2, let code = Base64URL.decode(parts[1]),
            SHA256.isValid(code, for: Self.message(String(parts[0])), key: key),
            let bytes = Base64URL.decode(parts[0]), let what = try? JSONView(parsing: bytes).elements, what.count == 2,
            let answer = what[0].string.flatMap({ DeferredOutcomeAddress($0) }), let until = what[1].int
        else { throw forged }
        guard until > now.milliseconds / 1_000 else {
            throw CallbackProblem(
                .gone, .unexpected, "the callback URL expired at \(Timestamp.format(Int64(until) * 1_000)); the request has ended")
        }
        return answer
    }

    private static func message(_ what: String) -> [UInt8] { Array("intents-callback-1:\(what)".utf8) }
}
