import HTTPTypes
package import IntentModel
import PersonGateway

/// What a caller of the console may do.
package enum ConsoleRole: String, Sendable, Hashable, CaseIterable {
    /// Sees all sessions, without the values in them.
    case observer
    /// Asks for intents and answers in sessions of their own.
    case person
    /// Asks for intents, and fills in values, for a person. It agrees to nothing.
    case agent
    /// Sees all sessions, also the values if it asks for them; ends sessions and deals with dead letters.
    case `operator`
}

/// Who calls the console.
package struct Caller: Sendable, Hashable {
    package var principal: Principal?
    package var roles: Set<ConsoleRole>
    /// Whether it is anyone on this machine: then all sessions are theirs, and nothing is masked.
    package var isLocal = false
    /// How long the caller is the caller; `nil` without a token.
    var token: TokenLife?

    package init(principal: Principal?, roles: Set<ConsoleRole>, isLocal: Bool = false) {
        self.principal = principal
        self.roles = roles
        self.isLocal = isLocal
    }

    /// What the caller sees of sessions.
    ///
    /// - Parameter reveal: whether values are asked for. Only operators get them in sessions of others.
    /// - Throws: ``HTTPProblem`` if the caller sees nothing, or may not have values revealed.
    func viewer(reveal: Bool = false) throws(HTTPProblem) -> Viewer {
        if isLocal { return .unrestricted }
        if roles.contains(.operator) { return Viewer(.all, isMasked: !reveal) }
        if reveal { throw HTTPProblem(.forbidden, "only an operator may have values revealed", .unauthorized) }
        if roles.contains(.observer) { return Viewer(.all, isMasked: true) }
        guard roles.contains(.person) || roles.contains(.agent), let principal else {
            throw HTTPProblem(.forbidden, "the token gives none of the roles \(ConsoleRole.names)", .unauthorized)
        }
        return Viewer(.own(principal), isMasked: false)
    }

    /// What the caller sees of one session: their own as it is, also if they see those of others masked.
    func viewer(of session: Identifier, in gateway: Gateway, reveal: Bool = false) throws(HTTPProblem) -> Viewer {
        if !isLocal, roles.contains(.person), let own = ownViewer, gateway.view(for: own).owns(session) { return own }
        return try viewer(reveal: reveal)
    }

    /// What the caller sees as the principal of its own sessions; `nil` without a principal.
    var ownViewer: Viewer? { principal.map { Viewer(.own($0), isMasked: false) } }

    /// `true` if the session is known to be another's. The coordinator decides about a session that is not known here.
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

    /// Whether the caller is the person of their sessions, and not an agent that acts for them.
    var isPerson: Bool { isLocal || roles.contains(.person) }
}

extension ConsoleRole {
    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
