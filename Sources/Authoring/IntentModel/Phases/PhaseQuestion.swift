/// A question that a phase asks the person while it runs: App Intents' `requestValue`, `requestConfirmation`, `requestDisambiguation` and
/// `requestChoice`, and to sign in. Resolve only asks to sign in: all else it says with its resolutions.
///
/// It ends the call. The coordinator holds the prompt. When the person has answered, the phase runs again from the start with the answer in
/// ``InvocationContext/answers``, in any of the role's processes.
public struct PhaseQuestion: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// The person is asked for a value.
        case value
        /// The person is asked to choose one of these. At least two.
        case choice([ParameterOption])
        /// The person is asked whether this is the value.
        case confirmValue(JSON)
        /// The person is asked whether to do it.
        case confirmIntent
        /// The person is asked to sign in. Resolve may ask this, too.
        case signIn(SignIn)

        package var isSignIn: Bool {
            if case .signIn = self { true } else { false }
        }
    }

    /// The same in every run of the phase, so that the answer is found again; unique among the questions of one phase.
    public var id: String
    public var kind: Kind
    /// The parameter that it is about, if any: the answer becomes its value.
    public var parameter: String?
    /// The parameter's name for people.
    public var title: String?
    public var dialog: String?
    /// What the person reads where ``dialog`` is said aloud, beside the options or the ``snippet``.
    public var supportingDialog: String?
    /// What the person's side may show beside the words.
    public var snippet: Snippet?
    /// Why the previous answer was rejected.
    public var unsupportedReason: String?
    /// The intent in a sentence.
    public var summary: String?
    /// What values the parameter may have; see ``ResolvedParameter/declaration``.
    public var declaration: JSON?
    /// Whether to do it: all parameters in words.
    public var parameters: [PromptParameter] = []
    /// Whether to do it: what the two answers are called.
    public var action: ConfirmationAction?
    /// What `Context.once` has recorded in this run and the previous ones.
    public var recorded: [String: JSON]

    public init(
        id: String, kind: Kind, parameter: String? = nil, title: String? = nil, dialog: String? = nil, unsupportedReason: String? = nil,
        summary: String? = nil, recorded: [String: JSON] = [:]
    ) {
        self.id = id
        self.kind = kind
        self.parameter = parameter
        self.title = title
        self.dialog = dialog
        self.unsupportedReason = unsupportedReason
        self.summary = summary
        self.recorded = recorded
    }
}

/// What the person answered to a ``PhaseQuestion``.
public struct PhaseAnswer: Sendable, Hashable {
    /// The question's ``PhaseQuestion/id``.
    public var question: String
    /// `false` if the person declined, chose none of the options, or did not sign in.
    public var isAccepted: Bool
    /// The value given, or that of the chosen option; `nil` if the question was a plain yes or no. After signing in the code that was sent with the answer, if one was.
    public var value: JSON?

    public init(question: String, isAccepted: Bool, value: JSON? = nil) {
        self.question = question
        self.isAccepted = isAccepted
        self.value = value
    }
}
