/// An error that a worker can name, and what should be done about it.
public struct IntentFailure: Error, Sendable, Hashable {
    public enum Disposition: Sendable, Hashable {
        /// Try this phase again, not before so long. A negative time is SiriKit Cloud Media's word for never: the request has failed.
        case retry(after: Duration)
        /// The request has failed with this code.
        case failure(ResponseCode)
        /// The request can't be worked on as it is.
        case reject
    }

    public var disposition: Disposition
    public var reason: RejectionReason
    /// What is wrong and what to do about it, for the one who wrote the request. No parameter values.
    public var message: String
    /// The part of the request that it is about, such as `parameters.pickup`.
    public var field: String?
    /// What `Context.once` has recorded by then, so that another try does not repeat it. The pipeline fills it in.
    package var recorded: [String: JSON] = [:]
    /// What the app gets if the code brings it forward; without one it gets the intent's name and parameters.
    public var activity: UserActivity?

    public init(
        _ disposition: Disposition, reason: RejectionReason, message: String, field: String? = nil, activity: UserActivity? = nil
    ) {
        self.disposition = disposition
        self.reason = reason
        self.message = message
        self.field = field
        self.activity = activity
    }
}
