import Conversation
import IntentEvents
package import IntentModel

/// Who looks at sessions through a gateway, and what of them they may see.
package struct Viewer: Sendable, Hashable {
    package enum Scope: Sendable, Hashable {
        /// All sessions.
        case all
        /// The sessions of one principal.
        case own(Principal)
    }

    package var scope: Scope
    /// Whether values are left out, and whatever may contain them.
    package var isMasked: Bool

    package init(_ scope: Scope, isMasked: Bool) {
        self.scope = scope
        self.isMasked = isMasked
    }

    /// Everything, as it is.
    package static let unrestricted = Viewer(.all, isMasked: false)

    package func sees(_ session: FollowedSession) -> Bool {
        switch scope {
        case .all: true
        case .own(let principal): session.person == principal
        }
    }

    /// Whether no result of the session is theirs.
    package func isShutOut(of session: FollowedSession) -> Bool {
        guard case .own(let principal) = scope, let owner = session.owner else { return false }
        return owner != principal
    }

    /// The event as this viewer may see it; `nil` if they may not.
    ///
    /// A result is told to the one whose session it is. What was said to the session is told to who has said it.
    package func view(_ event: TimelineEvent) -> TimelineEvent? {
        if case .own(let principal) = scope, event.principal != principal { return nil }
        return isMasked ? event.masked : event
    }
}

extension FollowedSession {
    /// Whose session it is. Before its first result, that of who alone has said something in it.
    package var person: Principal? {
        if let owner { return owner }
        guard let first = events.first?.principal, events.allSatisfy({ $0.principal == first }) else { return nil }
        return first
    }
}
