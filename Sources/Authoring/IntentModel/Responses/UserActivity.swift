/// The data that an app needs to continue where the pipeline stops: an `NSUserActivity` as a value.
public struct UserActivity: Sendable, Hashable {
    /// The type in reverse-DNS notation by convention, at most 250 characters. Defaults to the intent's name.
    public var activityType: String
    /// The title, at most 250 characters.
    public var title: String?
    /// The data for the app: at most 3 KiB of JSON, made of strings, numbers, booleans, arrays, dictionaries and
    /// `null`, with dates as RFC 3339 and URLs as text. If you have more data, put a key here and store the rest
    /// elsewhere.
    public var userInfo: [String: JSON]
    public var webpageURL: String?
    /// The keys of ``userInfo`` that are needed to continue later. All of them have to be present. If there are any,
    /// only these keys are stored with an activity for later: an activity of the confirm phase, or one that was claimed
    /// and returned.
    public var requiredUserInfoKeys: [String] = []
    /// The time at which the activity expires, if that is before the end of the handoff; milliseconds since 1970.
    public var expirationDate: Int64?
    /// An identifier of at most 250 characters. A newer activity with the same identifier replaces an activity that has
    /// not been claimed.
    public var persistentIdentifier: String?
    /// Search terms for the person: at most 32, each of at most 250 characters.
    public var keywords: [String] = []

    public init(activityType: String, title: String? = nil, userInfo: [String: JSON] = [:], webpageURL: String? = nil) {
        self.activityType = activityType
        self.title = title
        self.userInfo = userInfo
        self.webpageURL = webpageURL
    }

    /// Creates the activity for an app when no handler gives one: it is named after the intent, as in SiriKit, and has
    /// the values, in their order, that fit into its user info.
    package init(activityType: String, fitting values: [(name: String, json: JSON)]) {
        self.init(activityType: activityType)
        for value in values {
            userInfo[value.name] = value.json
            if userInfoBytes > Self.maximumUserInfoBytes { userInfo[value.name] = nil }
        }
    }

    public static let maximumTextLength = 250
    public static let maximumUserInfoBytes = 3 * 1024
    public static let maximumKeywords = 32
}

/// The limits of an activity. They hold for every source of activities.
extension UserActivity {
    /// A rule that an activity breaks, and its remedy.
    public struct Violation: Sendable, Hashable {
        public enum Code: String, Sendable, Hashable {
            case textTooLong, userInfoTooLarge, requiredUserInfoKeyMissing, tooManyKeywords
        }

        public var code: Code
        public var message: String
        /// The part that is wrong, such as `activity.userInfo`.
        public var field: String

        /// The reason on the wire.
        public var reason: RejectionReason { code == .requiredUserInfoKeyMissing ? .invalid : .complex }
    }

    /// The first rule that the activity breaks; `nil` if it breaks none.
    public var violation: Violation? {
        let texts = [
            ("activityType", activityType), ("title", title ?? ""),
            ("persistentIdentifier", persistentIdentifier ?? ""),
        ]
        for (field, text) in texts + keywords.map({ ("keywords", $0) }) where text.count > Self.maximumTextLength {
            let message = "the activity's \(field) has \(text.count) characters; \(Self.maximumTextLength) are allowed"
            return Violation(code: .textTooLong, message: message, field: "activity.\(field)")
        }
        if keywords.count > Self.maximumKeywords {
            let message = "the activity has \(keywords.count) keywords; \(Self.maximumKeywords) are allowed"
            return Violation(code: .tooManyKeywords, message: message, field: "activity.keywords")
        }
        let bytes = userInfoBytes
        if bytes > Self.maximumUserInfoBytes {
            let message =
                "the activity's userInfo has \(bytes) bytes; \(Self.maximumUserInfoBytes) are allowed. Put a key in it and store the rest elsewhere"
            return Violation(code: .userInfoTooLarge, message: message, field: "activity.userInfo")
        }
        if let key = requiredUserInfoKeys.first(where: { userInfo[$0] == nil }) {
            let message = "the activity requires the key '\(key.prefix(80))', which its userInfo does not have"
            return Violation(
                code: .requiredUserInfoKeyMissing, message: message, field: "activity.requiredUserInfoKeys")
        }
        return nil
    }

    /// The activity as it is stored for later: with only the required keys of its user info, if there are any.
    public var forRestoration: UserActivity {
        if requiredUserInfoKeys.isEmpty { return self }
        var activity = self
        activity.userInfo = userInfo.filter { requiredUserInfoKeys.contains($0.key) }
        return activity
    }

    /// The size of the user info as one JSON object.
    public var userInfoBytes: Int {
        var writer = JSONWriter()
        writer.beginObject()
        for (name, value) in userInfo { writer.member(named: name, value) }
        writer.endObject()
        return writer.bytes.count
    }
}
