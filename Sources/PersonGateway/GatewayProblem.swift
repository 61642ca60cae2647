package import IntentModel

/// Why a gateway has not done what it was asked for.
package struct GatewayProblem: Error, Sendable, Hashable, CustomStringConvertible {
    package var reason: RejectionReason
    /// What is wrong, and what to do about it.
    package var message: String
    /// The member that it is about.
    package var field: String?

    package init(_ reason: RejectionReason, _ message: String, field: String? = nil) {
        self.reason = reason
        self.message = message
        self.field = field
    }

    package var description: String { message }
}
