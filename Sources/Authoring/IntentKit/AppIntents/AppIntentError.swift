/// Errors with a meaning for the person's side: App Intents' families of the same names. They are not retried.
public enum AppIntentError {
    /// The person has to do something in the app; it is offered with the intent.
    public enum UserActionRequired: String, CustomAppIntentErrorConvertible, Sendable, CaseIterable {
        /// Code `failureAppConfigurationRequired`.
        case accountSetup
        /// Code `failureRequiringAppLaunch`.
        case confirmation
        /// Code `failureRequiringInAppAuthentication`.
        case signin

        public var intentResponse: FailureResponse {
            switch self {
            case .accountSetup: .failure(.failureAppConfigurationRequired, dialog: "Set up your account in the app first.")
            case .confirmation: .failure(.failureRequiringAppLaunch, dialog: "Confirm it in the app first.")
            case .signin: .failure(.failureRequiringInAppAuthentication, dialog: "Sign in to the app first.")
            }
        }
    }

    /// The app lacks a permission that it needs; it is offered with the intent, with the code `failureAppConfigurationRequired`.
    public enum PermissionRequired: String, CustomAppIntentErrorConvertible, Sendable, CaseIterable {
        case bluetooth, calendar, camera, contacts, focusStatus, health, homeKit, localNetwork, location, microphone, motion, notifications
        case photos, reminders, siri, speechRecognition

        public var intentResponse: FailureResponse {
            let words = rawValue.map { $0.isUppercase ? " \($0.lowercased())" : "\($0)" }.joined()
            return .failure(.failureAppConfigurationRequired, dialog: "The app needs permission first: \(words).")
        }
    }

    /// The intent can't be carried out. The code is `failure` followed by the case's name, such as `failureEntityNotFound`; that of `unknown` is
    /// `failure`.
    public enum Unrecoverable: String, CustomAppIntentErrorConvertible, Sendable, CaseIterable {
        case entityNotFound, featureCurrentlyRestricted, networkFailure, notAllowed, partialFailure, unsupportedOnDevice, unknown

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
/// If it is thrown from a resolution, its code has to be a failure. After any other error the pipeline retries the phase.
public protocol CustomAppIntentErrorConvertible: Error {
    var intentResponse: FailureResponse { get }
}
