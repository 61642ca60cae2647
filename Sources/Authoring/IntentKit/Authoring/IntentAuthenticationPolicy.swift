/// The authentication that an intent requires of a person: App Intents' type of the same name.
///
/// The policy is evaluated against the principal of the request (``Context/principal``): the CloudEvents attributes
/// `authtype` and `authid` of `intent.requested.v1`. The person's side sets these attributes for a person whom it has
/// authenticated. Every writer of the topic is trusted to set them; with `intent-coordinator --trust separate` only the
/// writers of `intents.answers` are trusted.
///
/// A principal does not identify the device that the person has unlocked. If the request comes from that device, the
/// person's side also sets the request's attribute `authentication` to `"localDevice"`.
///
/// If the authentication is not sufficient, every phase asks the person to sign in before any of the handler's code
/// runs: a prompt of the kind `signIn`, with ``Intent/signIn``. The `authtype` and `authid` of the answer then replace
/// the principal of the request, and the request resumes with its state. If the person declines, the request ends with
/// the code `failureRequiringInAppAuthentication` and an activity for the app.
public enum IntentAuthenticationPolicy: String, Sendable, Hashable, CaseIterable {
    /// Anyone may use the intent. The default.
    case alwaysAllowed
    /// The principal must be an authenticated person: ``Principal/isPerson``.
    case requiresAuthentication
    /// The principal must be a person who is authenticated on the device that the request comes from.
    case requiresLocalDeviceAuthentication

    /// The name of the request attribute that states where the person is authenticated.
    public static let attribute = SignIn.attribute

    /// The requirement on the answer of a person who has signed in.
    package var requirement: SignIn.Requirement { self == .requiresLocalDeviceAuthentication ? .localDevice : .person }

    /// Returns what the policy requires and the request lacks; `nil` if the policy is met.
    package func missing(from principal: Principal?, attributes: [String: JSON]) -> (message: String, field: String)? {
        if self == .alwaysAllowed { return nil }
        guard principal?.isPerson == true else {
            return (
                "a request of an authenticated person: 'authtype' is app_user or user, and 'authid' says who",
                "authtype"
            )
        }
        if self == .requiresAuthentication || attributes[Self.attribute]?.view.string == SignIn.localDevice {
            return nil
        }
        return ("the attribute '\(Self.attribute)' to be 'localDevice'", "attributes.\(Self.attribute)")
    }
}
