/// A sign-in that a person has to complete before an intent can continue.
///
/// The request waits with its current state. Once the person has signed in, their side answers the prompt, and the
/// phase runs again.
public struct SignIn: Sendable, Hashable {
    /// The authentication that the answer must carry.
    public enum Requirement: String, Sendable, Hashable, CaseIterable {
        /// A person's principal, as the person's side has authenticated them: ``Principal/isPerson``. It becomes the
        /// request's principal.
        case person
        /// The same as ``person``, authenticated on the device that the request comes from: the answer's value is
        /// `localDevice`.
        case localDevice
    }

    /// The address at which the person signs in: an absolute URL of at most 2,048 bytes, with the scheme of the web or
    /// of an app. `nil` if the person's side knows the address.
    public var url: String?
    /// The code that the person enters at ``url``, as in OAuth's device flow (`user_code` of RFC 8628): at most 64
    /// bytes. The code is shown to the person.
    public var code: String?
    /// The name, for people, of the account or service to sign in to: at most 128 bytes.
    public var title: String?
    /// The validity of ``url`` and ``code``: a second to a day. Defaults to the coordinator's 10 minutes.
    public var validFor: Duration?
    /// The required authentication; `nil` if the phase itself finds out whether the person has signed in, as with an
    /// account of another service.
    public var requires: Requirement?

    public init(
        url: String? = nil, code: String? = nil, title: String? = nil, validFor: Duration? = nil,
        requires: Requirement? = nil
    ) {
        self.url = url
        self.code = code
        self.title = title
        self.validFor = validFor
        self.requires = requires
    }

    package static let maximumURLBytes = 2_048
    package static let codeBytes = 1...64
    package static let titleBytes = 1...128

    /// The value of an answer with which the person was authenticated on the device that the request comes from. The
    /// request's attribute `authentication` has this value afterwards.
    public static let localDevice = "localDevice"
    /// The name of the attribute that says where the person was authenticated.
    public static let attribute = "authentication"

    /// The rule that the sign-in breaks, with the member's name; `nil` if it is valid.
    package var violation: (message: String, field: String)? {
        if let url, !Self.isAbsolute(url) {
            return (
                "'signIn.url' is an absolute URL of at most 2,048 bytes, with the scheme of the web or of an app",
                "signIn.url"
            )
        }
        if let code, !(Self.codeBytes ~= code.utf8.count) { return ("'signIn.code' has 1 to 64 bytes", "signIn.code") }
        if let title, !(Self.titleBytes ~= title.utf8.count) {
            return ("'signIn.title' has 1 to 128 bytes", "signIn.title")
        }
        if let validFor, !(.seconds(1) ... .seconds(86_400) ~= validFor) {
            return ("'signIn.validFor' is a second to a day", "signIn.validFor")
        }
        return nil
    }

    /// `true` if the URL is absolute and its scheme is allowed. Schemes whose URLs run in the page that shows them, or
    /// name a file of the reader, are not allowed.
    private static func isAbsolute(_ url: String) -> Bool {
        guard url.utf8.count <= maximumURLBytes, url.utf8.allSatisfy({ 0x21..<0x7F ~= $0 }),
            let colon = url.firstIndex(of: ":")
        else {
            return false
        }
        let scheme = url[..<colon].lowercased()
        guard scheme.first?.isLetter == true, colon < url.index(before: url.endIndex),
            scheme.allSatisfy({ $0.isLetter || $0.isNumber || "+-.".contains($0) })
        else { return false }
        return !["javascript", "vbscript", "data", "file", "blob", "about"].contains(scheme)
    }
}
