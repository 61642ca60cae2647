import MessageAuthentication

/// The header `X-Intent-Signature: t=<seconds since 1970>,v1=<hexadecimal HMAC-SHA256>`.
///
/// With the secret, a service can verify that a request comes from the pipeline, is unchanged, and is recent. The signed text is the decimal time, a
/// dot, and the bytes of the body.
public enum RequestSignature {
    public static let header = "X-Intent-Signature"

    /// The header's value.
    public static func value(_ body: [UInt8], secret: String, seconds: Int64) -> String {
        "t=\(seconds),v1=\(Hexadecimal.encode(code(body, secret, seconds)))"
    }

    /// Verifies that a header's value matches the body. The caller has to check that the time is recent enough.
    ///
    /// - Returns: The time of the signature in seconds since 1970; `nil` if it does not match.
    public static func verify(_ value: String, _ body: [UInt8], secret: String) -> Int64? {
        var seconds: Int64?
        var signature: String?
        for part in value.split(separator: ",") {
            if part.hasPrefix("t=") { seconds = Int64(part.dropFirst(2)) }
            if part.hasPrefix("v1=") { signature = String(part.dropFirst(3)) }
        }
        guard let seconds, let given = signature else { return nil }
        guard let given = Hexadecimal.decode(given) else { return nil }
        return SHA256.isValid(given, for: message(body, seconds), key: Array(secret.utf8)) ? seconds : nil
    }

    private static func code(_ body: [UInt8], _ secret: String, _ seconds: Int64) -> [UInt8] {
        SHA256.authenticationCode(for: message(body, seconds), key: Array(secret.utf8))
    }

    private static func message(_ body: [UInt8], _ seconds: Int64) -> [UInt8] { Array("\(seconds).".utf8) + body }
}
