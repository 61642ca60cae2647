/// A question that a confirm or handle phase has to the person while it runs: App Intents' `requestValue`, `requestConfirmation`,
/// `requestDisambiguation` and `requestChoice`.
///
/// It ends the call. The coordinator holds the prompt, and when the person has answered, the phase runs again from the top with the answer
/// in ``InvocationContext/answers``, in whatever process takes it up.
public struct PhaseQuestion: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// What is the value?
        case value
        /// Which of these? At least two.
        case choice([ParameterOption])
        /// Is this the value?
        case confirmValue(JSON)
        /// Shall it be done?
        case confirmIntent
    }

    /// The same in every run of the phase, so that its answer finds it; no two questions of one phase share it.
    public var id: String
    public var kind: Kind
    /// The parameter that it is about, if it is about one: the answer becomes its value.
    public var parameter: String?
    /// How a person is told of the parameter.
    public var title: String?
    public var dialog: String?
    /// Why the answer before was not taken.
    public var unsupportedReason: String?
    /// The intent in a sentence.
    public var summary: String?
    /// What `Context.once` has recorded in this run and the ones before it.
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
    /// `false` if the person said no, or none of these.
    public var isAccepted: Bool
    /// The value given, or that of the option chosen; `nil` if a plain yes or no was asked for.
    public var value: JSON?

    public init(question: String, isAccepted: Bool, value: JSON? = nil) {
        self.question = question
        self.isAccepted = isAccepted
        self.value = value
    }
}
