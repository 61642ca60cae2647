public import IntentModel

/// Something for the person's side. Sequences count up by one in a session, beginning at 1.
public struct SessionResult: Sendable, Hashable {
    public enum Body: Sendable, Hashable {
        case prompted(Prompt)
        case reminded(PromptReminder)
        case optionsListed(ListedOptions)
        case answerRead(ReadAnswer)
        case progressed(Progress)
        case handoffOffered(Handoff)
        case handoffClaimed(Handoff)
        /// The app has completed a handoff whose request no longer waits for it.
        case handoffCompleted(Handoff, IntentResponse)
        case completed(Completion)
        case lateOutcome(LateOutcome)
        case updated(intent: Identifier, IntentUpdate)
        /// The error says what was wrong if the end is `invalid`.
        case updatesEnded(intent: Identifier, UpdatesEnd, error: Rejection? = nil)
        case memoryForgotten(ForgottenMemory)
        case rejected(Rejection)
    }

    public var sequence: Int
    /// The request that it is about, if any.
    public var request: Identifier?
    public var body: Body
    public var trace: TraceContext?

    public init(sequence: Int, request: Identifier?, body: Body, trace: TraceContext? = nil) {
        self.sequence = sequence
        self.request = request
        self.body = body
        self.trace = trace
    }
}

/// The progress of a request.
public struct Progress: Sendable, Hashable {
    public var phase: Phase
    public var code: ResponseCode?
    /// From 0 to 1.
    public var fraction: Double?
    public var dialog: String?

    public init(phase: Phase, code: ResponseCode? = nil, fraction: Double? = nil, dialog: String? = nil) {
        self.phase = phase
        self.code = code
        self.fraction = fraction
        self.dialog = dialog
    }
}

/// A success that a handler reported after its request had ended. It is no second completion, but the person should know.
public struct LateOutcome: Sendable, Hashable {
    public var intent: Identifier
    public var code: ResponseCode
    public var response: [String: JSON]
    public var dialog: String?

    public init(intent: Identifier, code: ResponseCode, response: [String: JSON] = [:], dialog: String? = nil) {
        self.intent = intent
        self.code = code
        self.response = response
        self.dialog = dialog
    }
}
