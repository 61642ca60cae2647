package import IntentModel
package import PersonGateway

extension Viewer {
    /// Returns the viewer of an agent that acts for a principal: the agent sees the principal's sessions. Without a
    /// principal, the agent acts for anyone who uses this machine, and sees all sessions.
    package static func agent(of principal: Principal?) -> Viewer {
        principal.map { Viewer(.own($0), isMasked: false) } ?? .unrestricted
    }
}
