public import Conversation
public import IntentModel
import MessageAuthentication

/// Signs what an app needs to take a handoff up, and knows it again.
///
/// A token is the HMAC-SHA256, in hexadecimal, of all that it is good for: the session, the handoff, the type of its activity, how often it was
/// returned before, and when it ends. So it fits one handoff, and no longer once that was returned; and since a handoff has one claimant it is of use once.
/// Sessions hold no secrets: the token is made when the offer is encoded, and looked at before a session sees the claim.
public struct HandoffTokens: Sendable {
    private let keys: [[UInt8]]

    /// Bytes that a secret has at least.
    public static let minimumSecretLength = 16

    /// - Parameter secrets: the first one signs, each of them is good: to change the secret, put the new one before the old one everywhere, and drop the
    ///   old one when the last handoff of its time has ended.
    /// - Returns: `nil` if there is none, or one has fewer than ``minimumSecretLength`` bytes.
    public init?(secrets: [[UInt8]]) {
        guard !secrets.isEmpty, secrets.allSatisfy({ $0.count >= Self.minimumSecretLength }) else { return nil }
        keys = secrets
    }

    /// The token of an offer that may be claimed; `nil` for other results.
    func token(of result: SessionResult, session: Identifier) -> String? {
        guard case .handoffOffered(let handoff) = result.body, handoff.mode == .foreground else { return nil }
        return token(for: handoff, session: session)
    }

    public func token(for handoff: Handoff, session: Identifier) -> String {
        Hexadecimal.encode(SHA256.authenticationCode(for: Self.message(handoff, session), key: keys[0]))
    }

    /// Takes the same time for every wrong token.
    public func isValid(_ token: String, for handoff: Handoff, session: Identifier) -> Bool {
        guard let code = Hexadecimal.decode(token) else { return false }
        let message = Self.message(handoff, session)
        return keys.contains { SHA256.isValid(code, for: message, key: $0) }
    }

    /// Each part with its length before it, so that no two handoffs have the same message.
    private static func message(_ handoff: Handoff, _ session: Identifier) -> [UInt8] {
        var message: [UInt8] = []
        let parts = [
            "intents-handoff-1", session.text, handoff.id.text, handoff.activity.activityType, String(handoff.returns),
            handoff.expires.description,
        ]
        for part in parts {
            message += Array("\(part.utf8.count):".utf8)
            message += Array(part.utf8)
        }
        return message
    }
}
