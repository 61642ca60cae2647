/// What `confirm` and `handle` answer.
public struct IntentResponse: Sendable, Hashable {
    public var code: ResponseCode
    /// What the app gets if it has to go on.
    public var userActivity: UserActivity?
    /// What the person is told.
    public var dialog: String?
    /// What the intent results in, by name (a fare, a ride's identifier).
    public var values: [String: JSON]
    /// What was found, for the person to look through and to choose from.
    public var items: [ParameterOption] = []
    /// Confirm: for how long the answer holds, such as a fare. If the person agrees later than that, the intent is confirmed anew.
    public var validFor: Duration?
    /// Handle, with `success`: the handler can go on telling how things stand. The pipeline fills it in.
    public var offersUpdates = false
    /// Handle, with `success`: what is to be done next, as a request of its own.
    public var opensIntent: OpenedIntent?

    public init(_ code: ResponseCode, userActivity: UserActivity? = nil, dialog: String? = nil, values: [String: JSON] = [:]) {
        self.code = code
        self.userActivity = userActivity
        self.dialog = dialog
        self.values = values
    }
}

/// The intent that follows another: App Intents' `opensIntent`.
public struct OpenedIntent: Sendable, Hashable {
    public var intent: String
    public var parameters: [String: JSON]

    public init(intent: String, parameters: [String: JSON] = [:]) {
        self.intent = intent
        self.parameters = parameters
    }
}
