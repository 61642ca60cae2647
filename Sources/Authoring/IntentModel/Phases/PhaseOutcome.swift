/// The outcome of one phase of one intent, as a worker reports it.
///
/// Indirect, because an outcome is passed on far more often than it is looked at.
public indirect enum PhaseOutcome: Sendable, Hashable {
    /// The resolve phase ended, with one entry for each parameter, in the order in which they were resolved. With a
    /// confirmation, the person is asked before the intent is handled, even if confirm does not ask. With open
    /// parameters, `summary` is the intent in a sentence with the known values, and `recorded` has the results of
    /// `Context.once` for the next round.
    case resolved(
        [ResolvedParameter], confirmation: ConfirmationRequest? = nil, summary: String? = nil,
        recorded: [String: JSON] = [:])
    /// The confirm or handle phase ended with a response.
    case responded(IntentResponse, confirmation: ConfirmationRequest? = nil)
    /// The phase needs an answer from the person before it can continue.
    case asked(PhaseQuestion)
    /// The phase failed with an error that the worker could identify.
    case failed(IntentFailure)

    package var isFailure: Bool { if case .failed = self { true } else { false } }
}

/// The confirmation that the person is asked for before an intent is handled.
public struct ConfirmationRequest: Sendable, Hashable {
    public var dialog: String?
    /// The intent in a sentence, with its values.
    public var summary: String?
    /// The parameters with a value, in words and in the order of their declaration. The person agrees to these values.
    public var parameters: [PromptParameter]
    /// The labels of the two answers.
    public var action: ConfirmationAction?
    /// The approval that it needs, if others have to agree.
    @Boxed public var approval: Approval? = nil

    public init(
        dialog: String? = nil, summary: String? = nil, parameters: [PromptParameter] = [],
        action: ConfirmationAction? = nil, approval: Approval? = nil
    ) {
        self.dialog = dialog
        self.summary = summary
        self.parameters = parameters
        self.action = action
        self.approval = approval
    }
}
