/// The answers of confirm and handle, as they are written in a handler: `return .success(dialog: "Mia is on her way")`.
///
/// `values` are what the intent results in, by name; they go into the completion event.
extension IntentResponse {
    /// Confirm: everything is ready to handle the intent.
    public static var ready: IntentResponse { IntentResponse(.ready) }

    /// Confirm: ready, and this is what the person should know before saying yes.
    ///
    /// - Parameters:
    ///   - activity: What the app gets if it has to go on. Without one it gets the intent's name and parameters.
    ///   - validFor: How long the answer holds, such as a fare; longer than nothing. If the person agrees later than that, the intent is
    ///     confirmed anew.
    ///   - proposing: Values that it could be done with instead of those that were said, by parameter: a table at 18:30, not at 18:45. The person
    ///     is asked in any case, and yes makes them the intent's.
    public static func ready(
        dialog: String?, values: [String: any ParameterValue] = [:], activity: UserActivity? = nil, validFor: Duration? = nil,
        proposing: [String: any ParameterValue] = [:]
    ) -> IntentResponse {
        var response = IntentResponse(.ready, dialog: dialog, values: values, activity: activity).valid(for: validFor)
        response.proposed = proposing.mapValues { JSON($0) }
        return response
    }

    /// Confirm: ready once the person has said yes, whatever the intent's policy is.
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
    ///   - items: What was found, for the person to look through and to choose from.
    ///   - choice: Ask the person which of the items they mean, before the request completes.
    ///   - remembering: What the session remembers from now on, by the key of a ``ParameterMemory``.
    ///   - opensIntent: What is to be done next, as a request of its own.
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

    /// Handle: under way; exactly one more answer follows from elsewhere. A handler that can wait calls ``Context/report(fraction:dialog:)``
    /// instead and answers `success` in the end.
    public static func inProgress(dialog: String? = nil, values: [String: any ParameterValue] = [:]) -> IntentResponse {
        IntentResponse(.inProgress, dialog: dialog, values: values, activity: nil)
    }

    /// It did not work.
    ///
    /// - Parameters:
    ///   - code: `.failure`, or one of the intent's own. One that begins with `failureRequiringAppLaunch` brings the app forward.
    ///   - activity: What the app gets if it comes forward. Without one it gets the intent's name and parameters.
    ///   - proposing: Values that it could be done with instead, by parameter. The person is asked, and yes has it handled again with them.
    public static func failure(
        _ code: ResponseCode = .failure, dialog: String? = nil, activity: UserActivity? = nil, proposing: [String: any ParameterValue] = [:]
    ) -> IntentResponse {
        var response = IntentResponse(code, dialog: dialog, values: [:], activity: activity)
        response.proposed = proposing.mapValues { JSON($0) }
        return response
    }

    /// The person goes on in the app, in the foreground.
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
