/// What an author's `confirm` or `handle` returns.
public struct IntentResponse: Sendable, Hashable {
    public var code: ResponseCode
    /// What the app gets if the person has to continue there.
    public var userActivity: UserActivity?
    /// What the person is told.
    public var dialog: String?
    /// What the intent results in, by name (a fare, a ride's identifier).
    public var values: [String: JSON]
    /// What was found, for the person to look through and choose from.
    public var items: [ParameterOption] = []
    /// Confirm: how long the response is valid, such as a fare. If the person accepts later than that, the intent is confirmed again.
    public var validFor: Duration?
    /// Values that the intent could be handled with instead of the requested ones, by parameter: a table at 18:30, not at 18:45. Confirm returns them
    /// with `ready` or `success`, handle with a failure after which nothing has been done. The person is asked in any case. If they accept, the
    /// values become the intent's, and it is handled with them as a separate call with another ``InvocationContext/idempotencyKey``. If they decline,
    /// the request ends, after a failure with that failure.
    public var proposed: [String: JSON] = [:]
    /// Handle, with `success` and ``items``: before the request completes, the person is asked which of the items they mean.
    public var choice: ItemChoice?
    /// Handle, with `success`: what the session remembers from now on, by key. Parameters with the default ``ParameterDefault/remembered`` and that
    /// key use it.
    public var remembered: [String: JSON] = [:]
    /// Handle, with `success`: the handler can report later updates. The pipeline fills it in.
    package var offersUpdates = false
    /// The values that the person's answers to this phase's questions were resolved to, by parameter. Later phases get these values instead of the
    /// words. The pipeline fills it in.
    package var appliedAnswers: [String: JSON] = [:]
    /// Handle, with `success`: the intent to continue with, as a request of its own.
    public var opensIntent: OpenedIntent?
    private var rare: Rare?

    public init(_ code: ResponseCode, userActivity: UserActivity? = nil, dialog: String? = nil, values: [String: JSON] = [:]) {
        self.code = code
        self.userActivity = userActivity
        self.dialog = dialog
        self.values = values
    }

    /// What few responses have. Boxed, because responses are copied often.
    private indirect enum Rare: Sendable, Hashable {
        case parts(Parts)
    }

    private struct Parts: Sendable, Hashable {
        var supportingDialog: String?
        var snippet: Snippet?
        var undo: UndoOffer?
        var results: [ElementResult] = []
        var rememberedForPerson: [String: JSON] = [:]
    }

    private var parts: Parts {
        get {
            guard case .parts(let parts) = rare else { return Parts() }
            return parts
        }
        set { rare = newValue == Parts() ? nil : .parts(newValue) }
    }
}

extension IntentResponse {
    /// What the person reads beside a ``snippet``, where ``dialog`` says everything aloud: App Intents' `IntentDialog.supporting`.
    public var supportingDialog: String? {
        get { parts.supportingDialog }
        set { parts.supportingDialog = newValue }
    }

    /// What the person's side may show beside the words.
    public var snippet: Snippet? {
        get { parts.snippet }
        set { parts.snippet = newValue }
    }

    /// Handle, with `success` or ``ResponseCode/partialSuccess``: the intent that takes this one back.
    public var undo: UndoOffer? {
        get { parts.undo }
        set { parts.undo = newValue }
    }

    /// Handle: what came of each element, if the intent was about several. At most ``ElementResult/maximumCount``.
    public var results: [ElementResult] {
        get { parts.results }
        set { parts.results = newValue }
    }

    /// Handle, with `success`: what is remembered for the person from now on, by key, also in later sessions; by the session if they are not authenticated.
    public var rememberedForPerson: [String: JSON] {
        get { parts.rememberedForPerson }
        set { parts.rememberedForPerson = newValue }
    }

    /// Whether it has any of these.
    package var hasRareParts: Bool { rare != nil }
}

/// The intent that follows another: App Intents' `opensIntent`.
public struct OpenedIntent: Sendable, Hashable {
    public var intent: Identifier
    public var parameters: [String: JSON]

    public init(intent: Identifier, parameters: [String: JSON] = [:]) {
        self.intent = intent
        self.parameters = parameters
    }
}

/// Asks the person which of the items that an intent has found they mean.
///
/// The request completes with success whatever they answer, because the intent has been handled by then: no answer, none of these, and a cancel are
/// not failures. A completion names the chosen item as `chosen`.
public struct ItemChoice: Sendable, Hashable {
    /// What the person is asked. Defaults to the pipeline's own words.
    public var dialog: String?
    /// What the session remembers of the chosen item: members of its value, by the keys under which they are remembered.
    public var remembers: [String: String]

    public init(dialog: String? = nil, remembers: [String: String] = [:]) {
        self.dialog = dialog
        self.remembers = remembers
    }
}
