/// A question that a confirm or handle phase asks the person while it runs: App Intents' `requestValue`, `requestConfirmation`,
/// `requestDisambiguation` and `requestChoice`.
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
    }

    /// The same in every run of the phase, so that the answer is found again; unique among the questions of one phase.
    public var id: String
    public var kind: Kind
    /// The parameter that it is about, if any: the answer becomes its value.
    public var parameter: String?
    /// The parameter's name for people.
    public var title: String?
    public var dialog: String?
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
    /// `false` if the person declined, or chose none of the options.
    public var isAccepted: Bool
    /// The value given, or that of the chosen option; `nil` if the question was a plain yes or no.
    public var value: JSON?

    public init(question: String, isAccepted: Bool, value: JSON? = nil) {
        self.question = question
        self.isAccepted = isAccepted
        self.value = value
    }
}
