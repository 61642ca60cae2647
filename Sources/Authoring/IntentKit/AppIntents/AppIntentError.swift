/// Errors whose code shows the person's side how to proceed: App Intents' families of the same names. These errors are
/// not retried.
public enum AppIntentError {
    /// The person has to act in the app, which is offered with the intent.
    public enum UserActionRequired: String, CustomAppIntentErrorConvertible, Sendable, CaseIterable {
        /// The code `failureAppConfigurationRequired`.
        case accountSetup
        /// The code `failureRequiringAppLaunch`.
        case confirmation
        /// The code `failureRequiringInAppAuthentication`.
        case signin

        public var intentResponse: FailureResponse {
            switch self {
            case .accountSetup:
                .failure(.failureAppConfigurationRequired, dialog: "Set up your account in the app first.")
            case .confirmation: .failure(.failureRequiringAppLaunch, dialog: "Confirm it in the app first.")
            case .signin: .failure(.failureRequiringInAppAuthentication, dialog: "Sign in to the app first.")
            }
        }
    }

    /// The app lacks a required permission. The app is offered with the intent, with the code
    /// `failureAppConfigurationRequired`.
    public enum PermissionRequired: String, CustomAppIntentErrorConvertible, Sendable, CaseIterable {
        case bluetooth, calendar, camera, contacts, focusStatus, health, homeKit, localNetwork, location, microphone,
            motion, notifications
        case photos, reminders, siri, speechRecognition

        public var intentResponse: FailureResponse {
            let words = rawValue.map { $0.isUppercase ? " \($0.lowercased())" : "\($0)" }.joined()
            return .failure(.failureAppConfigurationRequired, dialog: "The app needs permission first: \(words).")
        }
    }

    /// The intent can't be carried out. The code is `failure` followed by the name of the case, such as
    /// `failureEntityNotFound`; the code of `unknown` is `failure`.
    public enum Unrecoverable: String, CustomAppIntentErrorConvertible, Sendable, CaseIterable {
        case entityNotFound, featureCurrentlyRestricted, networkFailure, notAllowed, partialFailure,
            unsupportedOnDevice, unknown

        public var intentResponse: FailureResponse {
            if self == .unknown { return .failure() }
            return .failure(ResponseCode(rawValue: "failure" + rawValue.prefix(1).uppercased() + rawValue.dropFirst()))
        }
    }
}

/// An error with the code and dialog of the phase's failure: App Intents' `CustomAppIntentErrorConvertible`.
///
/// ```swift
/// struct OutOfTea: Error, CustomAppIntentErrorConvertible {
///     var intentResponse: FailureResponse { .failure("failureOutOfTea", dialog: "There is no tea left.") }
/// }
/// ```
/// An error thrown from a resolution must have the code of a failure. After an error of any other type the pipeline
/// retries the phase.
public protocol CustomAppIntentErrorConvertible: Error {
    var intentResponse: FailureResponse { get }
}
