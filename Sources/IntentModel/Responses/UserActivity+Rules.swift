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
