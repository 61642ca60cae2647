package import IntentModel

/// Why a gateway has not done what it was asked for.
package struct GatewayProblem: Error, Sendable, Hashable, CustomStringConvertible {
    package var reason: RejectionReason
    /// What is wrong, and what to do about it.
    package var message: String
    /// The member that it is about.
    package var field: String?
    /// Whether it may be done after all: it is on its way, and nobody knows what became of it.
    package var isUndecided: Bool

    package init(_ reason: RejectionReason, _ message: String, field: String? = nil, isUndecided: Bool = false) {
        self.reason = reason
        self.message = message
        self.field = field
        self.isUndecided = isUndecided
    }

    package var description: String { message }
}
