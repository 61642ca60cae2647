/// Who may use an intent: App Intents' type of the same name.
///
/// The person's side sets the request's attribute `authentication`: `"authenticated"` if one of the person's devices is unlocked, `"localDevice"` if
/// that is the device that the request came from. Without it, the person is not authenticated. The pipeline trusts every producer that may write to
/// `intents.requests`.
///
/// If the authentication is not sufficient, every phase ends with the code `failureRequiringInAppAuthentication` and an activity for the app, before
/// any of the handler's code runs.
public enum IntentAuthenticationPolicy: String, Sendable, Hashable, CaseIterable {
    /// Anyone. The default.
    case alwaysAllowed
    /// A person who has unlocked one of their devices.
    case requiresAuthentication
    /// A person who has unlocked the device that the request comes from.
    case requiresLocalDeviceAuthentication

    /// The name of the attribute with the person's authentication.
    public static let attribute = "authentication"

    /// The attribute's values that are sufficient.
    package var accepted: [String] {
        switch self {
        case .alwaysAllowed: []
        case .requiresAuthentication: ["authenticated", "localDevice"]
        case .requiresLocalDeviceAuthentication: ["localDevice"]
        }
    }

    package func isMet(by stated: String?) -> Bool {
        self == .alwaysAllowed || stated.map(accepted.contains) ?? false
    }
}
