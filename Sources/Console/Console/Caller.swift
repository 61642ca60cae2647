import HTTPTypes
package import IntentModel
import PersonGateway

/// A role of a caller, which decides what the caller may do at the console.
package enum ConsoleRole: String, Sendable, Hashable, CaseIterable {
    /// Sees all sessions, without the values in them.
    case observer
    /// Requests intents, and answers in sessions of their own.
    case person
    /// Requests intents and fills in values for a person. An agent never agrees.
    case agent
    /// Sees all sessions, and on request the values in them. Ends sessions, and replays or drops dead letters.
    case `operator`
}

/// A caller of the console: the principal and its roles.
package struct Caller: Sendable, Hashable {
    package var principal: Principal?
    package var roles: Set<ConsoleRole>
    /// All roles that the token names, for approvals; those of the console are among them.
    package var claimedRoles: [Identifier] = []
    /// `true` if the console identifies no callers. Then all sessions belong to the caller, and nothing is masked.
    package var isLocal = false
    /// The lifetime of the caller's token; `nil` without a token.
    var token: TokenLife?

    package init(principal: Principal?, roles: Set<ConsoleRole>, isLocal: Bool = false) {
        self.principal = principal
        self.roles = roles
        self.isLocal = isLocal
    }

    /// Returns the viewer that decides which sessions the caller sees, and whether values are masked.
    ///
    /// - Parameter reveal: `true` if the caller asks for values. Only operators get the values of sessions of others.
    /// - Throws: ``HTTPProblem`` if the caller may see nothing, or may not have values revealed.
    func viewer(reveal: Bool = false) throws(HTTPProblem) -> Viewer {
        if isLocal { return approving(.unrestricted) }
        if roles.contains(.operator) { return approving(Viewer(.all, isMasked: !reveal)) }
        if reveal { throw HTTPProblem(.forbidden, "only an operator may have values revealed", .unauthorized) }
        if roles.contains(.observer) { return approving(Viewer(.all, isMasked: true)) }
        guard roles.contains(.person) || roles.contains(.agent), let principal else {
            throw HTTPProblem(.forbidden, "the token gives none of the roles \(ConsoleRole.names)", .unauthorized)
        }
        return approving(Viewer(.own(principal), isMasked: false))
    }

    private func approving(_ viewer: Viewer) -> Viewer {
        guard isPerson, let principal else { return viewer }
        var viewer = viewer
        viewer.approver = Viewer.Approver(principal, roles: claimedRoles)
        return viewer
    }

    /// Returns the caller's viewer of one session. A person sees their own session unmasked, even if the sessions of
    /// others are masked for them.
    func viewer(of session: Identifier, in gateway: Gateway, reveal: Bool = false) throws(HTTPProblem) -> Viewer {
        if !isLocal, roles.contains(.person), let own = ownViewer, gateway.view(for: own).owns(session) { return own }
        return try viewer(reveal: reveal)
    }

    /// The caller's viewer of its own sessions; `nil` without a principal.
    var ownViewer: Viewer? { principal.map { approving(Viewer(.own($0), isMasked: false)) } }

    /// `true` if a session of another asks for an approval that the caller may give.
    func mayApprove(_ session: Identifier, in gateway: Gateway) -> Bool {
        ownViewer.map { gateway.view(for: $0).mayApprove(session) } ?? false
    }

    /// `true` if the caller has no principal, or if the session is known to belong to another principal. The
    /// coordinator decides about a session that this console does not know.
    func isShutOut(of session: Identifier, in gateway: Gateway) -> Bool {
        if isLocal { return false }
        guard let own = ownViewer else { return true }
        return gateway.view(for: own).isOfAnother(session)
    }

    /// - Throws: ``HTTPProblem`` unless the caller has one of the roles.
    func require(_ allowed: ConsoleRole...) throws(HTTPProblem) { try require(allowed) }

    /// - Throws: ``HTTPProblem`` unless the caller has one of the roles.
    func require(_ allowed: [ConsoleRole]) throws(HTTPProblem) {
        if isLocal || allowed.contains(where: roles.contains) { return }
        let names = allowed.map(\.rawValue).joined(separator: " or ")
        throw HTTPProblem(.forbidden, "this needs the role \(names)", .unauthorized)
    }

    /// `true` if the caller is the person, and not an agent that acts for the person.
    var isPerson: Bool { isLocal || roles.contains(.person) }
}

extension ConsoleRole {
    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
