/// How an intent's confirm or handle phase went, in SiriKit's words.
///
/// An intent may have codes of its own; those that begin with `failure` are failures, and those that begin with `failureRequiringAppLaunch` (or
/// name one of SiriKit's two relatives) bring the app forward as well.
public struct ResponseCode: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    public var rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }

    /// Never to be answered; treated as a failure.
    public static let unspecified: ResponseCode = "unspecified"
    /// Confirm: everything is ready to handle the intent.
    public static let ready: ResponseCode = "ready"
    /// Confirm: handle it once the person has said yes, whatever the intent's own policy is.
    public static let userConfirmationRequired: ResponseCode = "userConfirmationRequired"
    /// Handle: under way; exactly one more answer follows.
    public static let inProgress: ResponseCode = "inProgress"
    /// Handle: done. At confirm it means `ready`, as in SiriKit's payment sample.
    public static let success: ResponseCode = "success"
    /// The person goes on in the app, in the foreground.
    public static let continueInApp: ResponseCode = "continueInApp"
    /// The app handles it in the background; the person stays where they are.
    public static let handleInApp: ResponseCode = "handleInApp"
    public static let failure: ResponseCode = "failure"
    /// It failed, and the person can mend that in the app.
    public static let failureRequiringAppLaunch: ResponseCode = "failureRequiringAppLaunch"
    /// The person has to be authenticated in the app before it can be done.
    public static let failureRequiringInAppAuthentication: ResponseCode = "failureRequiringInAppAuthentication"
    /// The app has to be set up before it can be done.
    public static let failureAppConfigurationRequired: ResponseCode = "failureAppConfigurationRequired"

    public var isFailure: Bool { rawValue.hasPrefix("failure") || self == .unspecified }

    /// A failure that the person can mend in the app.
    public var requiresAppLaunch: Bool {
        rawValue.hasPrefix("failureRequiringAppLaunch") || rawValue == "failureRequiringInAppAuthentication"
            || rawValue == "failureAppConfigurationRequired"
    }

    public var description: String { rawValue }
}

extension ResponseCode {
    /// Not an answer of a handler but of the pipeline: an entity was there when its parameter was resolved, and is gone now. App Intents'
    /// `AppIntentError.Unrecoverable.entityNotFound`.
    public static let entityNotFound: ResponseCode = "failureEntityNotFound"

    /// Not an answer of a handler but of the pipeline: its task was cancelled and it let the `CancellationError` through.
    public static let cancelled: ResponseCode = "cancelled"
}
