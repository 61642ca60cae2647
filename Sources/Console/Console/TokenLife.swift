import Foundation

/// The lifetime of a token, which ends when the token expires or the key set is replaced.
package struct TokenLife: Sendable, Hashable {
    var expires: Date
    /// The generation of the key set that verified the token.
    var keys: Int
}
