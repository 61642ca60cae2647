package import Foundation
import HTTPTypes
import Hummingbird
package import IntentModel
import JWTKit
import Synchronization

/// Identifies callers by their tokens.
package struct Authenticator: Sendable {
    /// The rules for checking tokens: JSON Web Tokens (RFC 7519), checked as RFC 8725 recommends.
    package struct Settings: Sendable, Hashable {
        package var issuer: String
        package var audience: String
        /// The accepted algorithms, such as `ES256`. `none` is never accepted.
        package var algorithms: [String]
        /// The claim that contains the roles, as a list or as words separated by spaces.
        package var rolesClaim: String

        package static let knownAlgorithms = [
            "ES256", "ES384", "ES512", "EdDSA", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512",
        ]

        package init(
            issuer: String, audience: String, algorithms: [String] = ["ES256", "EdDSA"], rolesClaim: String = "roles"
        ) {
            self.issuer = issuer
            self.audience = audience
            self.algorithms = algorithms
            self.rolesClaim = rolesClaim
        }
    }

    /// The current keys of tokens, the text that they were read from, and the generation of the key set.
    private final class Keys: Sendable {
        let current: Mutex<(text: Data, keys: JWTKeyCollection, number: Int)>
        init(_ text: Data, _ keys: JWTKeyCollection) { current = Mutex((text, keys, 0)) }
    }

    private let keys: Keys?
    private let settings: Settings?
    private let local: Caller?

    /// Makes an authenticator that accepts every caller as `principal`, with all roles of a person, an observer and an
    /// operator.
    ///
    /// Use it only for an address that no other machine can reach.
    package init(local principal: Principal?) {
        (keys, settings) = (nil, nil)
        local = Caller(principal: principal, roles: [.observer, .person, .operator], isLocal: true)
    }

    /// - Parameter jwks: The public keys: a JSON Web Key Set (RFC 7517) in which each key has a `kid`.
    /// - Throws: An error that describes what is wrong with the keys.
    package init(_ settings: Settings, jwks: Data) async throws {
        self.settings = settings
        local = nil
        keys = Keys(jwks, try await Self.read(jwks))
    }

    /// Replaces the keys. Tokens signed with a removed key are no longer valid.
    ///
    /// - Returns: `true` if the new keys differ from the current ones.
    /// - Throws: An error that describes what is wrong with the new keys. The current keys then stay in use.
    package func replaceKeys(with jwks: Data) async throws -> Bool {
        guard let keys, keys.current.withLock({ $0.text != jwks }) else { return false }
        let new = try await Self.read(jwks)
        keys.current.withLock { $0 = (jwks, new, $0.number + 1) }
        return true
    }

    private static func read(_ jwks: Data) async throws -> JWTKeyCollection {
        guard let text = String(data: jwks, encoding: .utf8) else {
            throw JWTError.invalidJWK(reason: "the file is no text")
        }
        let keys = try await JWTKeyCollection().add(jwksJSON: text)
        // With a default key, a token with an unknown `kid` would be checked with the first key.
        await keys.clearDefault()
        return keys
    }

    package var isOpen: Bool { local != nil }

    /// `true` if the token has not expired and the current key set is the one that verified it.
    func isValid(_ token: TokenLife, at now: Date) -> Bool {
        token.expires > now && token.keys == keys?.current.withLock(\.number)
    }

    /// Identifies the caller of a request.
    ///
    /// - Parameter authorization: The value of the `Authorization` header.
    /// - Throws: ``HTTPProblem`` that names what is missing. The problem does not say why a token is invalid: the log
    ///   of the token's issuer has the reason.
    func caller(_ authorization: String?) async throws -> Caller {
        if let local { return local }
        guard let keys, let settings else { throw Self.refusal("this console takes no tokens") }
        guard let authorization, authorization.lowercased().hasPrefix("bearer ") else {
            throw Self.refusal("say who you are: Authorization: Bearer, with a JSON Web Token")
        }
        let token = authorization.dropFirst(7).trimmingCharacters(in: .whitespaces)
        guard token.utf8.count <= 8_192, let header = Self.header(of: token), let algorithm = header["alg"]?.string,
            settings.algorithms.contains(algorithm), header["crit"] == nil, let kid = header["kid"]?.string
        else { throw Self.refusal("the token is not one that this console takes") }
        let (_, current, number) = keys.current.withLock { $0 }
        let claims: Claims
        do {
            // A key with an algorithm of its own is used with that algorithm only, whatever the token says.
            guard try await current.getKey(for: JWKIdentifier(string: kid), alg: algorithm).name == algorithm else {
                throw Self.refusal("")
            }
            claims = try await current.verify(token, as: Claims.self)
        } catch {
            throw Self.refusal("the token is not valid, or no longer")
        }
        guard claims.iss.value == settings.issuer, claims.aud.value.contains(settings.audience),
            1...256 ~= claims.sub.value.utf8.count,
            !claims.sub.value.hasControlCharacters
        else { throw Self.refusal("the token is for something else") }
        let claimed = claims.roles(settings.rolesClaim)
        var roles = Set(claimed.compactMap(ConsoleRole.init))
        // An identity provider may give an agent's token all roles of its person. An agent still never agrees.
        if roles.contains(.agent) { roles.remove(.person) }
        var caller = Caller(principal: Principal(.appUser, Identifier(claims.sub.value)), roles: roles)
        caller.claimedRoles = claimed.lazy.map { Identifier($0) }.filter(Approver.isRole).prefix(Approver.maximumRoles)
            .map(\.self)
        caller.token = TokenLife(expires: claims.exp.value + Claims.leeway, keys: number)
        return caller
    }

    private static func refusal(_ detail: String) -> HTTPProblem {
        var problem = HTTPProblem(.unauthorized, detail, .unauthorized)
        problem.fields[.wwwAuthenticate] = "Bearer realm=\"intents\""
        return problem
    }

    private static func header(of token: String) -> JSONView? {
        guard let part = token.split(separator: ".", omittingEmptySubsequences: false).first else { return nil }
        var text = part.replacing("-", with: "+").replacing("_", with: "/")
        text += String(repeating: "=", count: (4 - text.count % 4) % 4)
        return Data(base64Encoded: String(text)).flatMap { try? JSONView(parsing: Array($0)) }
    }
}

/// The claims that the console reads from a token.
private struct Claims: JWTPayload {
    var iss: IssuerClaim
    var sub: SubjectClaim
    var aud: AudienceClaim
    var exp: ExpirationClaim
    var nbf: NotBeforeClaim?
    /// The claims that are strings or lists of strings, by name.
    private var texts: [String: [String]] = [:]

    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init?(intValue: Int) { nil }
        init(stringValue: String) { self.stringValue = stringValue }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        func claim<Claim: Decodable>(_ name: String) throws -> Claim {
            try container.decode(Claim.self, forKey: Name(stringValue: name))
        }
        (iss, sub, aud, exp) = (try claim("iss"), try claim("sub"), try claim("aud"), try claim("exp"))
        nbf = try container.decodeIfPresent(NotBeforeClaim.self, forKey: Name(stringValue: "nbf"))
        for key in container.allKeys {
            if let list = try? container.decode([String].self, forKey: key) { texts[key.stringValue] = list }
            if let text = try? container.decode(String.self, forKey: key) {
                texts[key.stringValue] = text.split(separator: " ").map(String.init)
            }
        }
    }

    /// The tolerated difference from the clock of the token's issuer, in seconds (RFC 7519, 4.1.4).
    fileprivate static let leeway: TimeInterval = 30

    func encode(to encoder: any Encoder) throws {}

    func roles(_ claim: String) -> [String] { texts[claim] ?? [] }

    func verify(using algorithm: some JWTAlgorithm) async throws {
        try exp.verifyNotExpired(currentDate: .now - Self.leeway)
        try nbf?.verifyNotBefore(currentDate: .now + Self.leeway)
    }
}
