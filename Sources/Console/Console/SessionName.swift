import IntentModel
import MessageAuthentication

/// The name of a session for a request that names none.
enum SessionName {
    /// The same for the same id of the same caller, whichever process is asked: a request that is repeated is done once.
    static func derived(from id: Identifier, of principal: Principal?) -> Identifier {
        let name = "\(principal.map { "\($0.kind.rawValue):\($0.id)" } ?? "")\n\(id)"
        return Identifier("web-" + Hexadecimal.encode(SHA256.hash(Array(name.utf8)).prefix(12)))
    }
}
