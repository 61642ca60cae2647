public import Conversation
import Crypto
import IntentModel

/// Signs what an app needs to take a handoff up, and knows it again.
///
/// A token is the HMAC-SHA256, in hexadecimal, of all that it is good for: the session, the handoff, the type of its activity, how often it was
/// returned before, and when it ends. So it fits one handoff, and no longer once that was returned; and since a handoff has one claimant it is of use once.
/// Sessions hold no secrets: the token is made when the offer is encoded, and looked at before a session sees the claim.
public struct HandoffTokens: Sendable {
    private let keys: [SymmetricKey]

    /// Bytes that a secret has at least.
    public static let minimumSecretLength = 16

    /// - Parameter secrets: the first one signs, each of them is good: to change the secret, put the new one before the old one everywhere, and drop the
    ///   old one when the last handoff of its time has ended.
    /// - Returns: `nil` if there is none, or one has fewer than ``minimumSecretLength`` bytes.
    public init?(secrets: [[UInt8]]) {
        guard !secrets.isEmpty, secrets.allSatisfy({ $0.count >= Self.minimumSecretLength }) else { return nil }
        keys = secrets.map { SymmetricKey(data: $0) }
    }

    public func token(for handoff: Handoff, session: String) -> String {
        Self.hexadecimal(Array(HMAC<SHA256>.authenticationCode(for: Self.message(handoff, session), using: keys[0])))
    }

    /// Takes the same time for every wrong token.
    public func isValid(_ token: String, for handoff: Handoff, session: String) -> Bool {
        guard let code = Self.bytes(token) else { return false }
        let message = Self.message(handoff, session)
        return keys.contains { HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: message, using: $0) }
    }

    /// Each part with its length before it, so that no two handoffs have the same message.
    private static func message(_ handoff: Handoff, _ session: String) -> [UInt8] {
        var message: [UInt8] = []
        let parts = [
            "intents-handoff-1", session, handoff.id, handoff.activity.activityType, String(handoff.returns), handoff.expires.description,
        ]
        for part in parts {
            message += Array("\(part.utf8.count):".utf8)
            message += Array(part.utf8)
        }
        return message
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count == 2 * SHA256.byteCount else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = nibble(digits[index]), let low = nibble(digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func nibble(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
