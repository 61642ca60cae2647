import Conversation
import IntentEvents
package import IntentModel

/// The viewer of sessions at a gateway: which sessions it sees, and whether values are masked.
package struct Viewer: Sendable, Hashable {
    package enum Scope: Sendable, Hashable {
        /// All sessions.
        case all
        /// The sessions of one principal.
        case own(Principal)
    }

    package var scope: Scope
    /// `true` if values are left out, and everything that may contain values.
    package var isMasked: Bool
    /// The principal and the roles by which the viewer may agree to what others have requested; `nil` for an agent.
    package var approver: Approver?

    package struct Approver: Sendable, Hashable {
        package var principal: Principal
        package var roles: [Identifier]

        package init(_ principal: Principal, roles: [Identifier]) {
            self.principal = principal
            self.roles = roles
        }
    }

    package init(_ scope: Scope, isMasked: Bool) {
        self.scope = scope
        self.isMasked = isMasked
    }

    /// A viewer of everything, without masking.
    package static let unrestricted = Viewer(.all, isMasked: false)

    package func sees(_ session: FollowedSession) -> Bool {
        switch scope {
        case .all: true
        case .own(let principal): session.person == principal
        }
    }

    /// `true` if the session asks for an approval in which the viewer has a say, whether they have agreed or not.
    package func mayApprove(_ session: FollowedSession) -> Bool {
        guard let approver, let approval = session.prompt?.approval else { return false }
        return session.owner?.isSame(as: approver.principal) != true
            && approval.includes(approver.principal, approver.roles)
    }

    /// `true` if the session waits for the viewer's agreement.
    func isAskedToApprove(_ session: FollowedSession) -> Bool {
        guard let approver, session.openPrompt != nil, mayApprove(session) else { return false }
        return session.prompt?.approval?.hasAgreed(approver.principal) == false
    }

    /// `true` if the session's owner is known and the viewer may see none of the results.
    package func isShutOut(of session: FollowedSession) -> Bool {
        guard case .own(let principal) = scope, let owner = session.owner else { return false }
        return owner != principal
    }

    /// Returns the event as this viewer may see it; `nil` if the viewer may not.
    ///
    /// A viewer of all sessions sees every event. A viewer with a principal sees the results of the principal's
    /// sessions, and the events that the principal has sent.
    package func view(_ event: TimelineEvent) -> TimelineEvent? {
        if case .own(let principal) = scope, event.principal != principal { return nil }
        return isMasked ? event.masked : event
    }
}

extension FollowedSession {
    /// The owner of the session. Before the first result, the principal that has sent all events of the session; `nil`
    /// if several have sent events.
    package var person: Principal? {
        if let owner { return owner }
        guard let first = events.first?.principal, events.allSatisfy({ $0.principal == first }) else { return nil }
        return first
    }
}
