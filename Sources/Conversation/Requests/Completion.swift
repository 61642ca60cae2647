public import IntentModel

/// How a request ended.
public struct Completion: Sendable, Hashable {
    public enum Status: String, Sendable, Hashable, CaseIterable {
        case success, failure, cancelled, timedOut, unsupported, deferredToApp
    }

    public var intent: Identifier
    public var status: Status
    public var code: ResponseCode
    public var parameters: [ParameterState]
    /// What the intent resulted in, by name.
    public var response: [String: JSON]
    public var dialog: String?
    /// What the person reads where ``dialog`` is said aloud.
    public var supportingDialog: String?
    /// What may be shown beside the words.
    public var snippet: Snippet?
    /// What came of each element, if the intent was about several.
    public var results: [ElementResult] = []
    /// What takes it back.
    public var undo: OfferedUndo?
    public var activity: UserActivity?
    /// What went wrong, if the code alone does not say it.
    public var error: Rejection?
    /// How many prompts it took.
    public var turns: Int
    /// What was found, for the person to look through.
    public var items: [ParameterOption] = []
    /// The item that the person chose.
    public var chosen: String?
    /// The approval of the values, if it was needed and was given.
    @Boxed public var agreement: Agreement? = nil
    /// The request that follows it in this session.
    public var opens: OpenedRequest?
    /// Live updates can be started for it.
    public var offersUpdates = false

    public init(
        intent: Identifier, status: Status, code: ResponseCode, parameters: [ParameterState],
        response: [String: JSON] = [:],
        dialog: String? = nil,
        activity: UserActivity? = nil, error: Rejection? = nil, turns: Int
    ) {
        self.intent = intent
        self.status = status
        self.code = code
        self.parameters = parameters
        self.response = response
        self.dialog = dialog
        self.activity = activity
        self.error = error
        self.turns = turns
    }
}

/// A request that another one has opened: App Intents' `opensIntent`.
public struct OpenedRequest: Sendable, Hashable {
    public var request: Identifier
    public var intent: Identifier

    public init(request: Identifier, intent: Identifier) {
        self.request = request
        self.intent = intent
    }
}
