public import IntentKit

/// The codes of SiriKit's call family (`INStartCallIntentResponseCode`).
extension ResponseCode {
    public static let failureCallingServiceNotAvailable: ResponseCode = "failureCallingServiceNotAvailable"
    /// The contact can be called, but not by this app.
    public static let failureContactNotSupportedByApp: ResponseCode = "failureContactNotSupportedByApp"
    public static let failureAirplaneModeEnabled: ResponseCode = "failureAirplaneModeEnabled"
    /// The person is on the phone already.
    public static let failureCallInProgress: ResponseCode = "failureCallInProgress"
    /// The phone is ringing.
    public static let failureCallRinging: ResponseCode = "failureCallRinging"
}
