public import IntentModel

/// Something for the person's side. Sequences count up by one in a session, beginning at 1.
public struct SessionResult: Sendable, Hashable {
    public enum Body: Sendable, Hashable {
        case prompted(Prompt)
        case progressed(Progress)
        case handoffOffered(Handoff)
        case handoffClaimed(Handoff)
        case completed(Completion)
        case answeredLate(LateAnswer)
        case updated(intent: String, IntentUpdate)
        /// The error says what was wrong if the end is `invalid`.
        case updatesEnded(intent: String, UpdatesEnd, error: Rejection? = nil)
        case rejected(Rejection)
    }

    public var sequence: Int
    /// The request it is about, if there is one.
    public var request: String?
    public var body: Body
    public var trace: TraceContext?

    public init(sequence: Int, request: String?, body: Body, trace: TraceContext? = nil) {
        self.sequence = sequence
        self.request = request
        self.body = body
        self.trace = trace
    }
}
