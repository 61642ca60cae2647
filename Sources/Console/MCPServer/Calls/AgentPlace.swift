package import Conversation
package import IntentModel
import MessageAuthentication

/// The place of a conversation with an agent. In sealed form, a place is a handle, a task, or the state of a call. Any
/// process with the same key can continue the conversation from there.
package struct AgentPlace: Sendable, Hashable {
    package var session: Identifier
    package var request: Identifier
    /// The key of the question that was asked; see ``RequestStanding/Question/key``.
    package var asked: String?
    /// The time at which the place expires.
    package var expires: Instant

    package init(session: Identifier, request: Identifier, asked: String? = nil, expires: Instant) {
        self.session = session
        self.request = request
        self.asked = asked
        self.expires = expires
    }

    private static let codeLength = 16
    private static let maximumLength = 2_048

    /// Seals the place as a text that only one principal can use for one purpose.
    ///
    /// - Parameters:
    ///   - principal: The principal that may use the text. The text does not reveal the principal.
    ///   - purpose: The purpose of the text, such as one tool with the same arguments. The text does not reveal the
    ///     purpose.
    package func sealed(with key: [UInt8], for principal: Principal?, purpose: String) -> String {
        let seconds = expires.milliseconds / 1_000
        let payload = JSON.array([
            .string(session), .string(request), asked.map { .string($0) } ?? .null, .number(Int(seconds)),
        ]).bytes
        return Base64URL.encode(payload + Self.code(payload, key, principal, purpose))
    }

    /// - Throws: ``AgentProblem`` if the text was changed, has expired, or is for another principal or purpose.
    package init(
        unsealing text: String, with key: [UInt8], for principal: Principal?, purpose: String, at now: Instant
    ) throws(AgentProblem) {
        guard text.utf8.count <= Self.maximumLength, let bytes = Base64URL.decode(text[...]),
            bytes.count > Self.codeLength
        else {
            throw Self.unknown
        }
        let payload = Array(bytes.dropLast(Self.codeLength))
        let code = Self.code(payload, key, principal, purpose)
        // The comparison takes the same time for every wrong code.
        guard zip(code, bytes.suffix(Self.codeLength)).reduce(UInt8(0), { $0 | ($1.0 ^ $1.1) }) == 0 else {
            throw Self.unknown
        }
        guard let parts = try? JSONView(parsing: payload).elements, parts.count == 4, let session = parts[0].identifier,
            let request = parts[1].identifier, let seconds = parts[3].int
        else { throw Self.unknown }
        let expires = Instant(milliseconds: Int64(seconds) * 1_000)
        guard expires > now else { throw AgentProblem("it has expired: ask for the intent again") }
        self.init(session: session, request: request, asked: parts[2].string, expires: expires)
    }

    private static let unknown = AgentProblem(
        "it is not one that was given out here, or it is for another caller or other arguments: pass it on as it was")

    private static func code(_ payload: [UInt8], _ key: [UInt8], _ principal: Principal?, _ purpose: String) -> [UInt8]
    {
        let context = JSON.array([.string(purpose), .string(principal.map { "\($0.kind.rawValue):\($0.id)" } ?? "")])
            .bytes
        return Array(SHA256.authenticationCode(for: context + [0] + payload, key: key).prefix(codeLength))
    }
}
