/// Who may have an intent done: App Intents' type of the same name.
///
/// The person's side says in the request's attribute `authentication` what it knows: `"authenticated"` if one of the person's devices is
/// unlocked, `"localDevice"` if it is the device that the request came from. Without it nobody has been authenticated. Whoever may write
/// to `intents.requests` is believed.
///
/// Where that is not enough, every phase ends with the code `failureRequiringInAppAuthentication` and an activity for the app, before any of
/// the handler's code has run.
public enum IntentAuthenticationPolicy: String, Sendable, Hashable, CaseIterable {
    /// Anyone. The default.
    case alwaysAllowed
    /// Somebody who has unlocked one of the person's devices.
    case requiresAuthentication
    /// Somebody who has unlocked the device that the request comes from.
    case requiresLocalDeviceAuthentication

    /// The name of the attribute that says how far the person is known.
    public static let attribute = "authentication"

    /// The attribute's values that are enough.
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
