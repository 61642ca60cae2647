public import IntentKit

/// The codes of SiriKit's ride family (`INRequestRideIntentResponseCode`).
extension ResponseCode {
    /// The person must prove who they are before the account pays.
    public static let failureRequiringAppLaunchMustVerifyCredentials: ResponseCode = "failureRequiringAppLaunchMustVerifyCredentials"
    /// The district is not served.
    public static let failureRequiringAppLaunchNoServiceInArea: ResponseCode = "failureRequiringAppLaunchNoServiceInArea"
    /// The district is served, but not at the moment.
    public static let failureRequiringAppLaunchServiceTemporarilyUnavailable: ResponseCode =
        "failureRequiringAppLaunchServiceTemporarilyUnavailable"
    /// An earlier ride has not been paid or rated.
    public static let failureRequiringAppLaunchPreviousRideNeedsCompletion: ResponseCode =
        "failureRequiringAppLaunchPreviousRideNeedsCompletion"
    /// The time is later than rides can be booked for.
    public static let failureRequiringAppLaunchRideScheduledTooFar: ResponseCode = "failureRequiringAppLaunchRideScheduledTooFar"
}
