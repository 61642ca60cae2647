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
    /// Values that the intent could be done with instead of those that came, by parameter: a table at 18:30, not at 18:45. Confirm says so with `ready`
    /// or `success`, handle with a failure after which nothing has been done. The person is asked in any case; yes makes them the intent's, and it is
    /// handled with them, as a call of its own with another ``InvocationContext/idempotencyKey``. No ends the request, after a failure with that failure.
    public var proposed: [String: JSON] = [:]
    /// Handle, with `success` and ``items``: the person is asked which of them they mean before the request completes.
    public var choice: ItemChoice?
    /// Handle, with `success`: what the session remembers from now on, by key. Parameters with the default ``ParameterDefault/remembered`` and that
    /// key take it up.
    public var remembered: [String: JSON] = [:]
    /// Handle, with `success`: the handler can go on telling how things stand. The pipeline fills it in.
    package var offersUpdates = false
    /// What the person's answers to this phase's questions were taken as, by parameter: later phases have these values, not the words. The pipeline fills
    /// it in.
    package var taken: [String: JSON] = [:]
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

/// The person is asked which of the items they mean that an intent has found.
///
/// The request completes when they have answered, in any way: the intent has been handled by then, so no answer, none of these, and a cancel are not
/// failures. A completion names the chosen item as `chosen`.
public struct ItemChoice: Sendable, Hashable {
    /// What the person is asked; the pipeline's own words unless given.
    public var dialog: String?
    /// What the session remembers of the chosen item: members of its value, by the keys that they are remembered as.
    public var remembers: [String: String]

    public init(dialog: String? = nil, remembers: [String: String] = [:]) {
        self.dialog = dialog
        self.remembers = remembers
    }
}
