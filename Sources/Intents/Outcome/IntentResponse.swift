/// What `confirm` and `handle` answer.
public struct IntentResponse: Sendable, Hashable {
    public var code: ResponseCode
    /// What the app gets if it has to go on.
    public var userActivity: UserActivity?
    /// What the person is told.
    public var dialog: String?
    /// What the intent results in, by name (a fare, a ride's identifier).
    public var values: [String: JSON]

    public init(_ code: ResponseCode, userActivity: UserActivity? = nil, dialog: String? = nil, values: [String: JSON] = [:]) {
        self.code = code
        self.userActivity = userActivity
        self.dialog = dialog
        self.values = values
    }
}
