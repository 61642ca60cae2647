/// An error that a worker reports, with its consequence for the request.
public struct IntentFailure: Error, Sendable, Hashable {
    public enum Disposition: Sendable, Hashable {
        /// Retry this phase after at least this time. A negative time means never, as in SiriKit Cloud Media: the
        /// request has failed.
        case retry(after: Duration)
        /// The request has failed with this code.
        case failure(ResponseCode)
        /// The request can't be performed as it is.
        case reject
    }

    public var disposition: Disposition
    public var reason: RejectionReason
    /// The problem and its remedy, for the author of the request. Contains no parameter values.
    public var message: String
    /// The part of the request that is wrong, such as `parameters.pickup`.
    public var field: String?
    /// The results that `Context.once` has recorded so far, so that a retry does not repeat them. The pipeline fills
    /// them in.
    package var recorded: [String: JSON] = [:]
    /// The activity for the app, if the code brings the app to the foreground. Defaults to confirm's while the intent is
    /// handled, or else to the intent's name and parameters.
    public var activity: UserActivity?

    public init(
        _ disposition: Disposition, reason: RejectionReason, message: String, field: String? = nil,
        activity: UserActivity? = nil
    ) {
        self.disposition = disposition
        self.reason = reason
        self.message = message
        self.field = field
        self.activity = activity
    }
}
