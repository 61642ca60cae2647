package import IntentModel
package import PersonGateway

extension Viewer {
    /// An agent that acts for a principal: it sees the sessions of that principal. Without a principal it acts for whoever uses this machine, and no session is another's.
    package static func agent(of principal: Principal?) -> Viewer {
        principal.map { Viewer(.own($0), isMasked: false) } ?? .unrestricted
    }
}
