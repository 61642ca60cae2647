public import IntentKit

/// The codes of SiriKit's message family (`INSendMessageIntentResponseCode` and its like).
extension ResponseCode {
    /// The service is not there at the moment.
    public static let failureMessageServiceNotAvailable: ResponseCode = "failureMessageServiceNotAvailable"
    /// So many were found that showing them is of no use.
    public static let failureMessageTooManyResults: ResponseCode = "failureMessageTooManyResults"
    /// One of the messages is no longer there.
    public static let failureMessageNotFound: ResponseCode = "failureMessageNotFound"
    /// One of the messages can't be marked so.
    public static let failureMessageAttributeNotSet: ResponseCode = "failureMessageAttributeNotSet"
}
