import IntentModel
import MessageAuthentication

/// Names the session of a request that names none.
enum SessionName {
    /// Returns the same session for the same id of the same caller in every process, so that a repeated request is
    /// performed once.
    static func derived(from id: Identifier, of principal: Principal?) -> Identifier {
        let name = "\(principal.map { "\($0.kind.rawValue):\($0.id)" } ?? "")\n\(id)"
        return Identifier("web-" + Hexadecimal.encode(SHA256.hash(Array(name.utf8)).prefix(12)))
    }
}
