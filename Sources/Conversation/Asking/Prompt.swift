public import IntentModel

/// A question to the person.
public struct Prompt: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// What is the value?
        case value
        /// Which of these?
        case choice
        /// Is this the value?
        case confirmValue
        /// Should it be done?
        case confirmIntent
        /// The person has to sign in first.
        case signIn
    }

    public var id: Identifier
    public var intent: Identifier
    public var kind: Kind
    public var parameter: String?
    /// The facts about the value that is asked for, or asked about.
    public var asked = AskedValue()
    public var dialog: String
    /// What the person reads where ``dialog`` is said aloud.
    public var supportingDialog: String?
    /// What may be shown beside the words.
    public var snippet: Snippet?
    /// Signing in: to what, and where.
    public var signIn: SignIn?
    /// What is to be confirmed.
    public var value: JSON?
    /// Choosing: all options. The person's side gets them in pages.
    public var options: [ParameterOption]
    /// Choosing: whether there are more values than the options. The person finds those by saying them.
    public var omitsOptions = false
    /// The intent's parameters, with what is known of them. Their values are filled in when the prompt is told.
    public var parameters: [PromptParameter] = []
    /// Confirming the intent: what the two answers are called.
    public var action: ConfirmationAction?
    /// The intent in a sentence.
    public var summary: String?
    public var expires: Instant
    /// Confirming: values proposed instead of those that were said. Accepting applies them to the intent.
    public var proposed: [ParameterState] = []
    /// Choosing: the options are items that were found. The intent has been handled.
    public var isAboutItems = false
    /// Choosing: the options are intents that the person may have meant. Nothing has been done yet.
    public var isAboutIntents = false
    /// The number of answers in words that were none.
    public var readings = 0
    /// The facts of a prompt that waits longer than a conversation takes; `nil` if nobody is reminded and nobody else agrees.
    @Boxed public var waiting: Waiting? = nil
    /// The question of a running phase; `nil` if it comes from a resolution, or from the intent's own confirmation.
    public var question: Question?

    public init(
        id: Identifier, intent: Identifier, kind: Kind, parameter: String? = nil, dialog: String, value: JSON? = nil,
        options: [ParameterOption] = [], summary: String? = nil, expires: Instant
    ) {
        self.id = id
        self.intent = intent
        self.kind = kind
        self.parameter = parameter
        self.dialog = dialog
        self.value = value
        self.options = options
        self.summary = summary
        self.expires = expires
    }

    /// What a confirm or handle phase asked, and which phase gets the answer.
    public struct Question: Sendable, Hashable {
        /// ``PhaseQuestion/id``.
        public var id: String
        /// The phase that runs again once the person has answered.
        public var phase: Phase

        public init(id: String, phase: Phase) {
            self.id = id
            self.phase = phase
        }
    }

    /// The facts about the value that a prompt asks for, or asks about.
    public struct AskedValue: Sendable, Hashable {
        /// The parameter's title for people.
        public var title: String?
        /// The index of the element in the parameter's list that the answer replaces.
        public var element: Int?
        /// The values that the parameter may have; see ``ResolvedParameter/declaration``.
        public var declaration: JSON?
        /// Only workers may see the value: it is left out for the person's side.
        public var isSecret = false
        /// How the value that the prompt is about came about.
        @Boxed public var provenance: ParameterState.Provenance? = nil
        /// Why the previous value was not accepted.
        public var unsupportedReason: String?
        /// The previous value, if it was not accepted.
        public var rejectedValue: JSON?

        public init() {}
    }
}
