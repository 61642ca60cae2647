/// Who may use an intent: App Intents' type of the same name.
///
/// It goes by the principal of the request (``Context/principal``): the CloudEvents attributes `authtype` and `authid` of `intent.requested.v1`. The person's
/// side sets them for a person whom it has authenticated. Every writer of the topic is trusted with that; with
/// `intent-coordinator --trust separate` only those of `intents.answers` are.
///
/// A principal does not say which device the person has unlocked. If it is the one that the request comes from, the person's side also sets the request's
/// attribute `authentication` to `"localDevice"`.
///
/// If the authentication is not sufficient, every phase asks the person to sign in, before any of the handler's code runs: a prompt of the kind `signIn`, with
/// ``Intent/signIn``. The answer's own `authtype` and `authid` say who they are; from then on they are the request's principal, and the request goes on with all
/// that is known of it. If the person declines, the request ends with the code `failureRequiringInAppAuthentication` and an activity for the app.
public enum IntentAuthenticationPolicy: String, Sendable, Hashable, CaseIterable {
    /// Anyone. The default.
    case alwaysAllowed
    /// A person who is authenticated: ``Principal/isPerson``.
    case requiresAuthentication
    /// A person who is authenticated on the device that the request comes from.
    case requiresLocalDeviceAuthentication

    /// The name of the attribute that says where the person is authenticated.
    public static let attribute = SignIn.attribute

    /// What the answer of a person who has signed in has to bring.
    package var requirement: SignIn.Requirement { self == .requiresLocalDeviceAuthentication ? .localDevice : .person }

    /// What is missing; `nil` if the policy is met.
    package func missing(from principal: Principal?, attributes: [String: JSON]) -> (message: String, field: String)? {
        if self == .alwaysAllowed { return nil }
        guard principal?.isPerson == true else {
            return ("a request of an authenticated person: 'authtype' is app_user or user, and 'authid' says who", "authtype")
        }
        if self == .requiresAuthentication || attributes[Self.attribute]?.view.string == SignIn.localDevice { return nil }
        return ("the attribute '\(Self.attribute)' to be 'localDevice'", "attributes.\(Self.attribute)")
    }
}
