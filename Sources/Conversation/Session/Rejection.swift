public import IntentModel

/// Why an event was not accepted, and what to do about it.
public struct Rejection: Sendable, Hashable {
    public var reason: RejectionReason
    public var message: String
    public var field: String?
    /// The id of the event that was not accepted.
    public var event: Identifier?
    /// When it may be sent again, from now; `nil` if that is not known, or of no use.
    public var retryAfter: Duration?

    public init(
        _ reason: RejectionReason, _ message: String, field: String? = nil, event: Identifier? = nil,
        retryAfter: Duration? = nil
    ) {
        self.reason = reason
        self.message = message
        self.field = field
        self.event = event
        self.retryAfter = retryAfter
    }
}
