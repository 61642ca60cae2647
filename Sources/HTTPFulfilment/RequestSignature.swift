import Crypto

/// `X-Intent-Signature: t=<seconds since 1970>,v1=<hexadecimal HMAC-SHA256>`: who has the secret can tell that a request comes from the pipeline, is
/// as it was sent, and is not an old one. What is signed is the decimal time, a dot, and the body as it stands.
public enum RequestSignature {
    public static let header = "X-Intent-Signature"

    /// The header's value.
    public static func value(_ body: [UInt8], secret: String, seconds: Int64) -> String {
        "t=\(seconds),v1=\(hexadecimal(code(body, secret, seconds)))"
    }

    /// Whether a header's value fits the body; whether its time is recent enough is the caller's business.
    ///
    /// - Returns: The time of the signature; `nil` if it does not fit.
    public static func verify(_ value: String, _ body: [UInt8], secret: String) -> Int64? {
        var seconds: Int64?
        var signature: String?
        for part in value.split(separator: ",") {
            if part.hasPrefix("t=") { seconds = Int64(part.dropFirst(2)) }
            if part.hasPrefix("v1=") { signature = String(part.dropFirst(3)) }
        }
        guard let seconds, let given = signature?.utf8 else { return nil }
        let expected = hexadecimal(code(body, secret, seconds)).utf8
        guard given.count == expected.count else { return nil }
        return zip(given, expected).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0 ? seconds : nil
    }

    private static func code(_ body: [UInt8], _ secret: String, _ seconds: Int64) -> HMAC<SHA256>.MAC {
        var hmac = HMAC<SHA256>(key: SymmetricKey(data: Array(secret.utf8)))
        hmac.update(data: Array("\(seconds).".utf8))
        hmac.update(data: body)
        return hmac.finalize()
    }

    private static func hexadecimal(_ code: HMAC<SHA256>.MAC) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: code.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
