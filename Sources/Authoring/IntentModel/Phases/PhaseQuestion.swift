/// A question that a phase asks the person while it runs: App Intents' `requestValue`, `requestConfirmation`,
/// `requestDisambiguation` and `requestChoice`, and a sign-in. Resolve only asks for a sign-in; it asks everything else
/// with its resolutions.
///
/// The question ends the call. The coordinator holds the prompt. After the person has answered, the phase runs again
/// from the start with the answer in ``InvocationContext/answers``, in any of the role's processes.
public struct PhaseQuestion: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// The person is asked for a value.
        case value
        /// The person is asked to choose one of these options. There are at least two.
        case choice([ParameterOption])
        /// The person is asked to confirm this value.
        case confirmValue(JSON)
        /// The person is asked to confirm the intent.
        case confirmIntent
        /// The person is asked to sign in. Resolve may ask this too.
        case signIn(SignIn)

        package var isSignIn: Bool {
            if case .signIn = self { true } else { false }
        }
    }

    /// The question's identifier: the same in every run of the phase, so that the answer is found again, and unique
    /// among the questions of one phase.
    public var id: String
    public var kind: Kind
    /// The parameter that the question is about, if any. The answer becomes its value.
    public var parameter: String?
    /// The parameter's name for people.
    public var title: String?
    public var dialog: String?
    /// The text to read where ``dialog`` is said aloud, beside the options or the ``snippet``.
    public var supportingDialog: String?
    /// The card that the person's side may show beside the words.
    public var snippet: Snippet?
    /// The reason why the previous answer was rejected.
    public var unsupportedReason: String?
    /// The intent in a sentence.
    public var summary: String?
    /// The values that the parameter may have; see ``ResolvedParameter/declaration``.
    public var declaration: JSON?
    /// With `confirmIntent`: the parameters with a value, in words.
    public var parameters: [PromptParameter] = []
    /// With `confirmIntent`: the labels of the two answers.
    public var action: ConfirmationAction?
    /// The results that `Context.once` has recorded in this run and in earlier runs.
    public var recorded: [String: JSON]

    public init(
        id: String, kind: Kind, parameter: String? = nil, title: String? = nil, dialog: String? = nil,
        unsupportedReason: String? = nil,
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

/// The person's answer to a ``PhaseQuestion``.
public struct PhaseAnswer: Sendable, Hashable {
    /// The question's ``PhaseQuestion/id``.
    public var question: String
    /// `false` if the person declined, chose none of the options, or did not sign in.
    public var isAccepted: Bool
    /// The given value, or the value of the chosen option; `nil` if the question was a plain yes or no. After a
    /// sign-in: the code that was sent with the answer, if any.
    public var value: JSON?

    public init(question: String, isAccepted: Bool, value: JSON? = nil) {
        self.question = question
        self.isAccepted = isAccepted
        self.value = value
    }
}
