import IntentModel

/// That a session is being ended from outside.
public struct SessionEnding: Sendable, Hashable {
    /// The reason given; at most ``maximumReasonLength`` characters.
    public var reason: String?

    /// A longer reason is cut.
    public static let maximumReasonLength = 1_000

    public init(reason: String? = nil) { self.reason = reason }

    /// The error of each request that was cut short.
    var rejection: Rejection {
        Rejection(.unexpected, "an operator ended the session" + (reason.map { ": \($0)" } ?? ""))
    }
}
