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
