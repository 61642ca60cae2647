/// What a worker answers for one phase of one intent.
public enum PhaseOutcome: Sendable, Hashable {
    /// The resolve phase: one entry for each parameter, in the order in which they are declared.
    case resolved([ResolvedParameter])
    /// The confirm or handle phase.
    case responded(IntentResponse, confirmation: ConfirmationRequest? = nil)
    /// The confirm or handle phase can't go on before the person has answered.
    case asked(PhaseQuestion)
    /// The worker could name what went wrong.
    case failed(IntentFailure)
}

/// What the person is asked before an intent is handled.
public struct ConfirmationRequest: Sendable, Hashable {
    public var dialog: String?
    /// The intent in a sentence, with its values.
    public var summary: String?

    public init(dialog: String? = nil, summary: String? = nil) {
        self.dialog = dialog
        self.summary = summary
    }
}
