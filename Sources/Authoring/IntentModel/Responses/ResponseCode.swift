/// The result of an intent's confirm or handle phase, in SiriKit's words.
///
/// An intent may have codes of its own. Codes that begin with `failure` are failures. Codes that begin with
/// `failureRequiringAppLaunch`, or equal one of SiriKit's two related codes, also bring the app to the foreground.
public struct ResponseCode: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    public var rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }

    /// Must not be returned, and is treated as a failure.
    public static let unspecified: ResponseCode = "unspecified"
    /// Confirm: everything is ready to handle the intent.
    public static let ready: ResponseCode = "ready"
    /// Confirm: the intent is handled once the person has accepted, whatever the intent's own policy is.
    public static let userConfirmationRequired: ResponseCode = "userConfirmationRequired"
    /// Handle: under way; exactly one more outcome follows.
    public static let inProgress: ResponseCode = "inProgress"
    /// Handle: done. At confirm, `success` means `ready`, as in SiriKit's payment sample.
    public static let success: ResponseCode = "success"
    /// Handle: done for some of the elements of a list, as ``IntentResponse/results`` says. The request has succeeded,
    /// so that nothing is repeated for the elements that are done. App Intents' `partialFailure` is an error, after which
    /// a client may send a message again to people who have it.
    public static let partialSuccess: ResponseCode = "partialSuccess"
    /// The person continues in the app, in the foreground.
    public static let continueInApp: ResponseCode = "continueInApp"
    /// The app handles the intent in the background, and the person stays where they are.
    public static let handleInApp: ResponseCode = "handleInApp"
    public static let failure: ResponseCode = "failure"
    /// The intent failed, and the person can resolve the cause in the app.
    public static let failureRequiringAppLaunch: ResponseCode = "failureRequiringAppLaunch"
    /// The person has to be authenticated in the app before the intent can be handled.
    public static let failureRequiringInAppAuthentication: ResponseCode = "failureRequiringInAppAuthentication"
    /// The app has to be set up before the intent can be handled.
    public static let failureAppConfigurationRequired: ResponseCode = "failureAppConfigurationRequired"

    public var isFailure: Bool { rawValue.hasPrefix("failure") || self == .unspecified }

    /// `true` for a failure whose cause the person can resolve in the app.
    public var requiresAppLaunch: Bool {
        rawValue.hasPrefix("failureRequiringAppLaunch") || rawValue == "failureRequiringInAppAuthentication"
            || rawValue == "failureAppConfigurationRequired"
    }

    public var description: String { rawValue }
}

extension ResponseCode {
    /// Reported by the pipeline, not by a handler: an entity existed when its parameter was resolved, and no longer
    /// exists (App Intents: `AppIntentError.Unrecoverable.entityNotFound`).
    public static let entityNotFound: ResponseCode = "failureEntityNotFound"

    /// Reported by the pipeline, not by a handler: the request waits for another request of its session, which waits
    /// for the person or an app.
    public static let queued: ResponseCode = "queued"

    /// Reported by the pipeline, not by a handler: the handler's task was cancelled and it rethrew the
    /// `CancellationError`.
    public static let cancelled: ResponseCode = "cancelled"
}
