package import IntentModel

/// Why a gateway has not done what it was asked for.
package struct GatewayProblem: Error, Sendable, Hashable, CustomStringConvertible {
    package var reason: RejectionReason
    /// What is wrong, and what to do about it.
    package var message: String
    /// The member that it is about.
    package var field: String?
    /// Whether it may still be done: it was sent, and not acknowledged in time.
    package var isUndecided: Bool

    package init(_ reason: RejectionReason, _ message: String, field: String? = nil, isUndecided: Bool = false) {
        self.reason = reason
        self.message = message
        self.field = field
        self.isUndecided = isUndecided
    }

    package var description: String { message }
}
