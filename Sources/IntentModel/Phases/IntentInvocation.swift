/// One phase of one intent, to be worked on.
public struct IntentInvocation: Sendable, Hashable {
    public var phase: Phase
    /// The intent's name.
    public var intent: String
    /// The parameters that have been mentioned so far, in any order.
    public var parameters: [ParameterState]
    public var context: InvocationContext
    /// It has succeeded, and the handler is to tell how things go on: see ``LiveUpdating``.
    public var isUpdating = false

    public init(phase: Phase, intent: String, parameters: [ParameterState], context: InvocationContext) {
        self.phase = phase
        self.intent = intent
        self.parameters = parameters
        self.context = context
    }
}

/// Where and for whom a phase is worked on.
public struct InvocationContext: Sendable, Hashable {
    public var session: String
    public var request: String
    /// 1 for the first try.
    public var attempt: Int
    /// When an answer is no longer of use; milliseconds since 1970.
    public var deadline: Int64?
    /// The same for every repeat of one handle: pass it on to whatever must not happen twice.
    public var idempotencyKey: String
    /// A BCP 47 tag such as `en-GB`.
    public var locale: String?
    public var attributes: [String: JSON]
    /// The app's workers do this, not the extension's: after `handleInApp`.
    public var isInApp: Bool
    /// What the person has answered to this phase's questions so far.
    public var answers: [PhaseAnswer]
    /// What `Context.once` has recorded in this phase so far, by name.
    public var recorded: [String: JSON]
    /// What this session remembers, by the keys under which parameters are remembered.
    public var memory: [String: JSON]
    /// Where an answer goes that somebody else gives in the handler's place, after `inProgress`. Only the pipeline reads it; empty where nobody can.
    package var replyTo = ""
    /// Where the request stands in its sender's trace: the header `traceparent` of W3C, for calls that are made on its behalf. Never looked into.
    public var traceparent: String?

    public init(
        session: String, request: String, attempt: Int = 1, deadline: Int64? = nil, idempotencyKey: String = "", locale: String? = nil,
        attributes: [String: JSON] = [:], isInApp: Bool = false, answers: [PhaseAnswer] = [], recorded: [String: JSON] = [:],
        memory: [String: JSON] = [:]
    ) {
        self.session = session
        self.request = request
        self.attempt = attempt
        self.deadline = deadline
        self.idempotencyKey = idempotencyKey
        self.locale = locale
        self.attributes = attributes
        self.isInApp = isInApp
        self.answers = answers
        self.recorded = recorded
        self.memory = memory
    }
}
