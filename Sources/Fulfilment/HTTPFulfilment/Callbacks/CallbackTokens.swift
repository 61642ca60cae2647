public import Conversation
import IntentModel
import MessageAuthentication
public import Pipeline

/// Makes and opens the URLs to which services post deferred outcomes.
///
/// The last part of such a URL is a token: the call and the time at which the URL expires, sealed with AES-256-GCM, in
/// base64url. The token can't be forged or changed, and reveals nothing about the call to its holder or in a log of
/// URLs. Every handler worker with the same keys can accept the outcome. The URL itself authorizes its holder, so it is
/// sent only to the service.
/// The token is in the URL and not in a header, so that any HTTP client can post to the URL.
public struct CallbackTokens: Sendable {
    /// The part of the URL before the token.
    static let path = "/v1/answers/"
    /// The maximum length of a token in bytes. The ids of a session and a request have a few hundred bytes at most.
    static let maximumLength = 8_192

    private let keys: CallbackKeys
    private let base: String
    private let lifetime: Duration

    /// - Parameters:
    ///   - keys: The keys, which are the same for all handler workers.
    ///   - base: The URL at which services reach the callback servers, such as `https://intents.example.com`, to which
    ///     `/v1/answers/` is appended.
    ///   - lifetime: The time for which a URL is valid. After the request has timed out, a success is only reported as
    ///     a late outcome.
    public init(keys: CallbackKeys, base: String, lifetime: Duration = .seconds(24 * 3_600)) {
        self.keys = keys
        var base = base
        while base.hasSuffix("/") { base.removeLast() }
        self.base = base
        self.lifetime = lifetime
    }

    /// Returns the URL for the deferred outcome of a call.
    ///
    /// - Parameter replyTo: `InvocationContext.replyTo` of the call.
    public func url(for replyTo: String, now: Instant) -> String {
        base + Self.path + token(for: replyTo, now: now)
    }

    func token(for replyTo: String, now: Instant) -> String {
        let until = Int(now.advanced(by: lifetime).milliseconds / 1_000)
        var what = JSON.array([.string(replyTo), .number(until)]).bytes
        // Spaces after JSON have no meaning. With them, the length of a token reveals little about the length of the
        // ids.
        what += [UInt8](repeating: 0x20, count: (256 - what.count % 256) % 256)
        guard let sealed = AESGCM.seal(what, key: keys.all[0], context: Self.context) else {
            // Encryption fails only without memory or randomness, and a process can't continue without these.
            preconditionFailure("OpenSSL can't encrypt")
        }
        return Base64URL.encode(sealed)
    }

    /// Returns the call that a token is for.
    ///
    /// - Throws: ``CallbackProblem`` if the token is malformed, sealed with an unknown key, or expired.
    public func read(_ token: String, now: Instant) throws(CallbackProblem) -> DeferredOutcomeAddress {
        guard token.utf8.count <= Self.maximumLength, let sealed = Base64URL.decode(token[...]),
            let bytes = keys.all.lazy.compactMap({ AESGCM.open(sealed, key: $0, context: Self.context) }).first,
            let what = try? JSONView(parsing: bytes).elements, what.count == 2,
            let answer = what[0].string.flatMap({ DeferredOutcomeAddress($0) }), let until = what[1].int
        else {
            throw CallbackProblem(
                .badRequest, .unauthorized,
                "this callback URL is invalid, or its key is no longer known here: post to 'callback.url' without changing it"
            )
        }
        guard until > now.milliseconds / 1_000 else {
            throw CallbackProblem(
                .gone, .unexpected,
                "the callback URL expired at \(Timestamp.format(Int64(until) * 1_000)); the request has ended")
        }
        return answer
    }

    private static let context = Array("intents-callback-2".utf8)
}
