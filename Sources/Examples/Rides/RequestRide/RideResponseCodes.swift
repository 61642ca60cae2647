public import IntentKit

/// The codes of SiriKit's ride family (`INRequestRideIntentResponseCode`).
extension ResponseCode {
    /// The person must prove who they are before the account pays.
    public static let failureRequiringAppLaunchMustVerifyCredentials: ResponseCode = "failureRequiringAppLaunchMustVerifyCredentials"
    /// No car goes there.
    public static let failureRequiringAppLaunchNoServiceInArea: ResponseCode = "failureRequiringAppLaunchNoServiceInArea"
    /// Cars go there, but not now.
    public static let failureRequiringAppLaunchServiceTemporarilyUnavailable: ResponseCode =
        "failureRequiringAppLaunchServiceTemporarilyUnavailable"
    /// An earlier ride has not been paid or rated.
    public static let failureRequiringAppLaunchPreviousRideNeedsCompletion: ResponseCode =
        "failureRequiringAppLaunchPreviousRideNeedsCompletion"
    /// The time is further away than rides can be booked for.
    public static let failureRequiringAppLaunchRideScheduledTooFar: ResponseCode = "failureRequiringAppLaunchRideScheduledTooFar"
}
