package import Foundation
package import JWTKit

/// Signs tokens for the console, as an identity provider does.
package struct TestTokens: Sendable {
    package static let issuer = "https://idp.example"
    package static let audience = "intents"
    private let key = ES256PrivateKey()

    package init() {}

    package struct Claims: JWTPayload {
        package var iss: String
        package var sub: String
        package var aud: String
        package var exp: Date
        package var roles: [String]

        package func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    /// The public key, a JSON Web Key Set.
    package func jwks() throws -> String {
        guard let parameters = key.publicKey.parameters else { throw JWTError.invalidJWK(reason: "no parameters") }
        func url(_ text: String) -> String {
            text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }
        return """
            {"keys":[{"kty":"EC","crv":"P-256","alg":"ES256","kid":"k1","x":"\(url(parameters.x))","y":"\(url(parameters.y))"}]}
            """
    }

    /// Signs a token, with claims that `change` may make invalid.
    package func token(
        _ subject: String, _ roles: [String], change: (inout Claims) -> Void = { _ in }, kid: String = "k1"
    ) async throws -> String {
        var claims = Claims(
            iss: Self.issuer, sub: subject, aud: Self.audience, exp: Date.now.addingTimeInterval(600), roles: roles)
        change(&claims)
        let keys = await JWTKeyCollection().add(ecdsa: key, kid: JWKIdentifier(string: kid))
        return try await keys.sign(claims, kid: JWKIdentifier(string: kid))
    }
}
