/// What an app needs to go on where the pipeline stops: an `NSUserActivity` as a value.
public struct UserActivity: Sendable, Hashable {
    /// Reverse-DNS by convention, at most 250 characters. Without one of the handler's own it is the intent's name.
    public var activityType: String
    /// At most 250 characters.
    public var title: String?
    /// At most 3 KiB of JSON: strings, numbers, booleans, arrays, dictionaries and `null`; dates as RFC 3339 and URLs as text. Keep a key in it and
    /// the rest elsewhere if you have more.
    public var userInfo: [String: JSON]
    public var webpageURL: String?
    /// The keys of ``userInfo`` that it takes to go on later. All have to be there. If any are named, no others are kept of an activity that is put by
    /// for later use: one of the confirm phase, and one that was claimed and returned.
    public var requiredUserInfoKeys: [String] = []
    /// When it is no longer of use, if that is before the handoff ends anyway; milliseconds since 1970.
    public var expirationDate: Int64?
    /// At most 250 characters. A newer activity with the same identifier takes the place of one that nobody has claimed.
    public var persistentIdentifier: String?
    /// What a person may find it by; at most 32, each of at most 250 characters.
    public var keywords: [String] = []

    public init(activityType: String, title: String? = nil, userInfo: [String: JSON] = [:], webpageURL: String? = nil) {
        self.activityType = activityType
        self.title = title
        self.userInfo = userInfo
        self.webpageURL = webpageURL
    }

    public static let maximumTextLength = 250
    public static let maximumUserInfoBytes = 3 * 1024
    public static let maximumKeywords = 32
}

/// The bounds of an activity, whoever made it.
extension UserActivity {
    /// A rule that an activity breaks, and what to do about it.
    public struct Violation: Sendable, Hashable {
        public enum Code: String, Sendable, Hashable {
            case textTooLong, userInfoTooLarge, requiredUserInfoKeyMissing, tooManyKeywords
        }

        public var code: Code
        public var message: String
        /// The part that it is about, such as `activity.userInfo`.
        public var field: String

        /// How it is told on the wire.
        public var reason: RejectionReason { code == .requiredUserInfoKeyMissing ? .invalid : .complex }
    }

    /// The first rule that it breaks; `nil` if it is as it should be.
    public var violation: Violation? {
        let texts = [("activityType", activityType), ("title", title ?? ""), ("persistentIdentifier", persistentIdentifier ?? "")]
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
                "the activity's userInfo has \(bytes) bytes; \(Self.maximumUserInfoBytes) are allowed. Keep a key in it and the rest elsewhere"
            return Violation(code: .userInfoTooLarge, message: message, field: "activity.userInfo")
        }
        if let key = requiredUserInfoKeys.first(where: { userInfo[$0] == nil }) {
            let message = "the activity requires '\(key.prefix(80))' of its userInfo, and it is not there"
            return Violation(code: .requiredUserInfoKeyMissing, message: message, field: "activity.requiredUserInfoKeys")
        }
        return nil
    }

    /// What is kept of it for later: of its user info the required keys, if it names any.
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
