import Foundation

/// How long a token counts: until it expires, or other keys are used.
package struct TokenLife: Sendable, Hashable {
    var expires: Date
    /// Which of the sets of keys, one after the other, it was checked with.
    var keys: Int
}
