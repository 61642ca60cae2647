package import IntentModel

/// Responses as they are in events, for tests of the stages after a handler.
extension IntentResponse {
    package static var ready: Self { Self(.ready) }
    package static var success: Self { Self(.success) }
    package static var handleInApp: Self { Self(.handleInApp) }

    package static func ready(dialog: String?) -> Self { Self(.ready, dialog: dialog) }
    package static func success(dialog: String? = nil, values: [String: JSON] = [:]) -> Self {
        Self(.success, dialog: dialog, values: values)
    }
    package static func userConfirmationRequired(dialog: String? = nil) -> Self {
        Self(.userConfirmationRequired, dialog: dialog)
    }
    package static func inProgress(dialog: String? = nil) -> Self { Self(.inProgress, dialog: dialog) }
    package static func continueInApp(_ activity: UserActivity? = nil, dialog: String? = nil) -> Self {
        Self(.continueInApp, userActivity: activity, dialog: dialog)
    }
    package static func failure(_ code: ResponseCode = .failure, dialog: String? = nil, activity: UserActivity? = nil)
        -> Self
    {
        Self(code, userActivity: activity, dialog: dialog)
    }
}
