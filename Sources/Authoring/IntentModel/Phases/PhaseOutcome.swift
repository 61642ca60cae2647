/// What a worker reports for one phase of one intent.
public enum PhaseOutcome: Sendable, Hashable {
    /// The resolve phase: one entry for each parameter, in the order in which they are declared. With a confirmation the person is asked before
    /// the intent is handled, also if confirm does not ask. With open parameters, the summary is the intent in a sentence, as far as it is known, and
    /// `recorded` is what `Context.once` has recorded: the next round gets it.
    case resolved(
        [ResolvedParameter], confirmation: ConfirmationRequest? = nil, summary: String? = nil, recorded: [String: JSON] = [:])
    /// The response of the confirm or handle phase.
    case responded(IntentResponse, confirmation: ConfirmationRequest? = nil)
    /// The phase needs an answer of the person before it can continue.
    case asked(PhaseQuestion)
    /// The phase failed with an error that the worker could name.
    case failed(IntentFailure)
}

/// What the person is asked before an intent is handled.
public struct ConfirmationRequest: Sendable, Hashable {
    public var dialog: String?
    /// The intent in a sentence, with its values.
    public var summary: String?
    /// All parameters in words, in the order in which they are declared: what the person agrees to.
    public var parameters: [PromptParameter]
    /// What the two answers are called.
    public var action: ConfirmationAction?

    public init(
        dialog: String? = nil, summary: String? = nil, parameters: [PromptParameter] = [], action: ConfirmationAction? = nil
    ) {
        self.dialog = dialog
        self.summary = summary
        self.parameters = parameters
        self.action = action
    }
}
