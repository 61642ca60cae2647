import IntentModel

/// That a session is being ended from outside.
public struct SessionEnding: Sendable, Hashable {
    /// What whoever ends it gave as the reason; at most ``maximumReasonLength`` characters.
    public var reason: String?

    /// A longer reason is cut.
    public static let maximumReasonLength = 1_000

    public init(reason: String? = nil) { self.reason = reason }

    /// What is told of each request that did not get to its own end.
    var rejection: Rejection {
        Rejection(.unexpected, "an operator ended the session" + (reason.map { ": \($0)" } ?? ""))
    }
}
