/// What an app needs to go on where the pipeline stops: an `NSUserActivity` as a value.
public struct UserActivity: Sendable, Hashable {
    /// Reverse-DNS by convention, at most 250 characters. Without one of the handler's own it is the intent's name.
    public var activityType: String
    /// At most 250 characters.
    public var title: String?
    /// Any JSON object, at most 3 KiB. Keep a key in it and the rest elsewhere if you have more.
    public var userInfo: [String: JSON]
    public var webpageURL: String?

    public init(activityType: String, title: String? = nil, userInfo: [String: JSON] = [:], webpageURL: String? = nil) {
        self.activityType = activityType
        self.title = title
        self.userInfo = userInfo
        self.webpageURL = webpageURL
    }

    public static let maximumTextLength = 250
    public static let maximumUserInfoBytes = 3 * 1024
}
