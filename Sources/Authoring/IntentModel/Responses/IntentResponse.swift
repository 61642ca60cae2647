/// The response that an author's `confirm` or `handle` returns.
public struct IntentResponse: Sendable, Hashable {
    // Optionals that the initializer sets are spelled out: one that begins as `nil` makes it copy the whole value.
    public var code: ResponseCode
    /// The activity for the app, if the person has to continue there.
    public var userActivity: Optional<UserActivity>
    /// The text for the person.
    public var dialog: Optional<String>
    /// The results of the intent by name (a fare, a ride's identifier).
    public var values: [String: JSON]
    /// The items that were found, for the person to look through and choose from.
    public var items: [ParameterOption] = []
    /// Confirm: the validity of the response, such as that of a fare. If the person accepts after it, the intent is
    /// confirmed again.
    public var validFor: Duration?
    /// Values that the intent could be handled with instead of the requested ones, by parameter: a table at 18:30, not
    /// at 18:45.
    ///
    /// Confirm returns them with `ready` or `success`, handle with a failure after which nothing has been done. The
    /// person is asked in any case. If the person accepts, the values become the intent's, and the intent is handled
    /// with them in a separate call with another ``InvocationContext/idempotencyKey``. If the person declines, the
    /// request ends; after a failure it ends with that failure.
    public var proposed: [String: JSON] = [:]
    /// Handle, with `success` and ``items``: the choice among the items that the person is offered before the request
    /// completes.
    public var choice: ItemChoice?
    /// Handle, with `success`: the values that the session remembers from now on, by key. Parameters with the default
    /// ``ParameterDefault/remembered`` and the same key use them.
    public var remembered: [String: JSON] = [:]
    /// Handle, with `success`: `true` if the handler can report later updates. The pipeline fills it in.
    package var offersUpdates = false
    /// The values that the person's answers to this phase's questions were resolved to, by parameter. Later phases get
    /// these values instead of the person's words. The pipeline fills them in.
    package var appliedAnswers: [String: JSON] = [:]
    /// Handle, with `success`: the intent to continue with, as a request of its own.
    public var opensIntent: OpenedIntent?
    private var rare: Rare?

    public init(
        _ code: ResponseCode, userActivity: UserActivity? = nil, dialog: String? = nil, values: [String: JSON] = [:]
    ) {
        self.code = code
        self.userActivity = userActivity
        self.dialog = dialog
        self.values = values
    }

    /// The rare members, out of line because responses are copied often.
    private indirect enum Rare: Sendable, Hashable {
        case parts(Parts)
    }

    /// The members that few responses have.
    package struct Parts: Sendable, Hashable {
        package var supportingDialog: String?
        package var snippet: Snippet?
        package var undo: UndoOffer?
        package var results: [ElementResult] = []
        package var rememberedForPerson: [String: JSON] = [:]
        @Boxed package var approval: Approval? = nil

        package init() {}
    }

    package var parts: Parts {
        get {
            guard case .parts(let parts) = rare else { return Parts() }
            return parts
        }
        set { rare = newValue == Parts() ? nil : .parts(newValue) }
    }
}

extension IntentResponse {
    /// The text to read beside a ``snippet``, where ``dialog`` says everything aloud (App Intents:
    /// `IntentDialog.supporting`).
    public var supportingDialog: String? {
        get { parts.supportingDialog }
        set { parts.supportingDialog = newValue }
    }

    /// The card that the person's side may show beside the words.
    public var snippet: Snippet? {
        get { parts.snippet }
        set { parts.snippet = newValue }
    }

    /// Handle, with `success` or ``ResponseCode/partialSuccess``: the intent that undoes this one.
    public var undo: UndoOffer? {
        get { parts.undo }
        set { parts.undo = newValue }
    }

    /// Handle: the result for each element, if the intent was about several. At most ``ElementResult/maximumCount``.
    public var results: [ElementResult] {
        get { parts.results }
        set { parts.results = newValue }
    }

    /// Handle, with `success`: the values that are remembered for the person from now on, by key, in later sessions
    /// too. The session remembers them if the person is not authenticated.
    public var rememberedForPerson: [String: JSON] {
        get { parts.rememberedForPerson }
        set { parts.rememberedForPerson = newValue }
    }

    /// Confirm: the approval that these values need, instead of that of the intent's policy.
    public var approval: Approval? {
        get { parts.approval }
        set { parts.approval = newValue }
    }

    /// `true` if any of the rare members has a value.
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

/// Asks the person to choose one of the items that an intent has found.
///
/// The request completes with success whatever the person answers, because the intent has already been handled: no
/// answer, none of the items, and a cancel are not failures. A completion names the chosen item as `chosen`.
public struct ItemChoice: Sendable, Hashable {
    /// The question for the person. Defaults to the pipeline's own words.
    public var dialog: String?
    /// The members of the chosen item's value that the session remembers: the name of each member, by its memory key.
    public var remembers: [String: String]

    public init(dialog: String? = nil, remembers: [String: String] = [:]) {
        self.dialog = dialog
        self.remembers = remembers
    }
}
