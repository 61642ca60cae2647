public import IntentKit

/// The codes of SiriKit's message family (`INSendMessageIntentResponseCode` and similar).
extension ResponseCode {
    /// The service is not available at the moment.
    public static let failureMessageServiceNotAvailable: ResponseCode = "failureMessageServiceNotAvailable"
    /// Too many messages were found to show them.
    public static let failureMessageTooManyResults: ResponseCode = "failureMessageTooManyResults"
    /// The inbox of the recipient is full.
    public static let failureInboxFull: ResponseCode = "failureInboxFull"
    /// One of the messages no longer exists.
    public static let failureMessageNotFound: ResponseCode = "failureMessageNotFound"
    /// One of the messages can't have this attribute.
    public static let failureMessageAttributeNotSet: ResponseCode = "failureMessageAttributeNotSet"
}
