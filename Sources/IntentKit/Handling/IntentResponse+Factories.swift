/// The responses of confirm and handle, as they are written in a handler: `return .success(dialog: "Mia is on her way")`.
///
/// `values` are the results of the intent, by name; they are part of the completion event.
extension IntentResponse {
    /// Confirm: everything is ready to handle the intent.
    public static var ready: IntentResponse { IntentResponse(.ready) }

    /// Confirm: ready, with what the person should know before they accept.
    ///
    /// - Parameters:
    ///   - activity: What the app gets if the person has to continue there. Defaults to the intent's name and parameters.
    ///   - validFor: How long the response is valid, such as a fare; more than 0. If the person accepts later than that, the intent is confirmed
    ///     again.
    ///   - proposing: Values that the intent could be handled with instead of the requested ones, by parameter: a table at 18:30, not at 18:45. The
    ///     person is asked in any case; if they accept, the values become the intent's.
    public static func ready(
        dialog: String?, values: [String: any ParameterValue] = [:], activity: UserActivity? = nil, validFor: Duration? = nil,
        proposing: [String: any ParameterValue] = [:]
    ) -> IntentResponse {
        var response = IntentResponse(.ready, dialog: dialog, values: values, activity: activity).valid(for: validFor)
        response.proposed = proposing.mapValues { JSON($0) }
        return response
    }

    /// Confirm: ready once the person has accepted, whatever the intent's policy is.
    ///
    /// - Parameter validFor: As for `ready`.
    public static func userConfirmationRequired(
        dialog: String? = nil, values: [String: any ParameterValue] = [:], activity: UserActivity? = nil, validFor: Duration? = nil
    ) -> IntentResponse {
        IntentResponse(.userConfirmationRequired, dialog: dialog, values: values, activity: activity).valid(for: validFor)
    }

    /// Handle: done.
    public static var success: IntentResponse { IntentResponse(.success) }

    /// Handle: done.
    ///
    /// - Parameters:
    ///   - items: What was found, for the person to look through and choose from.
    ///   - choice: Asks the person which of the items they mean, before the request completes.
    ///   - remembering: What the session remembers from now on, by the key of a ``ParameterMemory``.
    ///   - opensIntent: The intent to continue with, as a request of its own.
    public static func success(
        dialog: String? = nil, values: [String: any ParameterValue] = [:], items: [any ParameterValue] = [], choice: ItemChoice? = nil,
        remembering: [String: any ParameterValue] = [:], opensIntent: (any Intent)? = nil, activity: UserActivity? = nil
    ) -> IntentResponse {
        var response = IntentResponse(.success, dialog: dialog, values: values, activity: activity)
        response.items = ParameterOption.list(items, in: Context.current?.locale)
        response.choice = choice
        response.remembered = remembering.mapValues { JSON($0) }
        response.opensIntent = opensIntent.map { OpenedIntent($0) }
        return response
    }

    /// Handle: under way; exactly one more outcome follows from elsewhere. A handler that can wait calls ``Context/report(fraction:dialog:)`` instead
    /// and finally returns `success`.
    public static func inProgress(dialog: String? = nil, values: [String: any ParameterValue] = [:]) -> IntentResponse {
        IntentResponse(.inProgress, dialog: dialog, values: values, activity: nil)
    }

    /// The intent has failed.
    ///
    /// - Parameters:
    ///   - code: `.failure`, or one of the intent's own. A code that begins with `failureRequiringAppLaunch` brings the app to the foreground.
    ///   - activity: What the app gets if it comes to the foreground. Defaults to the intent's name and parameters.
    ///   - proposing: Values that the intent could be handled with instead, by parameter. The person is asked; if they accept, it is handled again
    ///     with them.
    public static func failure(
        _ code: ResponseCode = .failure, dialog: String? = nil, activity: UserActivity? = nil, proposing: [String: any ParameterValue] = [:]
    ) -> IntentResponse {
        var response = IntentResponse(code, dialog: dialog, values: [:], activity: activity)
        response.proposed = proposing.mapValues { JSON($0) }
        return response
    }

    /// The person continues in the app, in the foreground.
    public static func continueInApp(_ activity: UserActivity? = nil, dialog: String? = nil) -> IntentResponse {
        IntentResponse(.continueInApp, dialog: dialog, values: [:], activity: activity)
    }

    /// The app's own workers handle it in the background; the person stays where they are.
    public static var handleInApp: IntentResponse { IntentResponse(.handleInApp) }

    /// The app's own workers handle it in the background; the person stays where they are.
    public static func handleInApp(_ activity: UserActivity? = nil, dialog: String? = nil) -> IntentResponse {
        IntentResponse(.handleInApp, dialog: dialog, values: [:], activity: activity)
    }

    private func valid(for duration: Duration?) -> IntentResponse {
        var response = self
        response.validFor = duration
        return response
    }

    private init(_ code: ResponseCode, dialog: String?, values: [String: any ParameterValue], activity: UserActivity?) {
        self.init(code, userActivity: activity, dialog: dialog, values: values.mapValues { JSON($0) })
    }
}
