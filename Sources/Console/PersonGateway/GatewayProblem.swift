package import IntentModel

/// The reason for which a gateway has not done what it was asked for.
package struct GatewayProblem: Error, Sendable, Hashable, CustomStringConvertible {
    package var reason: RejectionReason
    /// A description of the problem and how to fix it.
    package var message: String
    /// The member of the event that the problem is about.
    package var field: String?
    /// `true` if the record may still arrive: it was sent, and not acknowledged in time.
    package var isUndecided: Bool

    package init(_ reason: RejectionReason, _ message: String, field: String? = nil, isUndecided: Bool = false) {
        self.reason = reason
        self.message = message
        self.field = field
        self.isUndecided = isUndecided
    }

    package var description: String { message }
}
