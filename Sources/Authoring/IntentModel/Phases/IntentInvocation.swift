/// One call into a handler: one phase of one intent.
public struct IntentInvocation: Sendable, Hashable {
    public var phase: Phase
    /// The intent's name.
    public var intent: String
    /// The parameters that have values so far, in any order.
    public var parameters: [ParameterState]
    public var context: InvocationContext
    /// Whether the intent has succeeded, and the handler is called to report updates: see ``LiveUpdating``.
    public var isUpdating = false

    public init(phase: Phase, intent: String, parameters: [ParameterState], context: InvocationContext) {
        self.phase = phase
        self.intent = intent
        self.parameters = parameters
        self.context = context
    }
}

/// The context of an invocation: its session, its request and its attempt.
public struct InvocationContext: Sendable, Hashable {
    public var session: Identifier
    public var request: Identifier
    /// 1 for the first attempt.
    public var attempt: Int
    /// When an outcome is no longer of use; milliseconds since 1970.
    public var deadline: Int64?
    /// The same for every repeat of one handle call: pass it on to every call that must not happen twice.
    public var idempotencyKey: Identifier
    /// A BCP 47 tag such as `en-GB`.
    public var locale: String?
    /// The person's time zone, by its IANA name: `Europe/Amsterdam`.
    public var timeZone: String?
    /// When the person said it; milliseconds since 1970.
    public var now: Int64?
    public var attributes: [String: JSON]
    /// Whether the app's workers do this instead of the extension's: after `handleInApp`.
    public var isInApp: Bool
    /// The person's answers to this phase's questions so far.
    public var answers: [PhaseAnswer]
    /// What `Context.once` has recorded in this phase so far, by name.
    public var recorded: [String: JSON]
    /// What this session remembers, by the keys under which parameters are remembered.
    public var memory: [String: JSON]
    /// Who has requested the intent; `nil` if they are not authenticated.
    public var principal: Principal?
    /// Where another process sends the deferred outcome after `inProgress`. Only the pipeline reads it; empty if there is no such address.
    package var replyTo = ""
    /// The request's place in its sender's trace: the W3C header `traceparent`, for calls made on its behalf. The pipeline does not read it.
    public var traceparent: String?

    public init(
        session: Identifier, request: Identifier, attempt: Int = 1, deadline: Int64? = nil, idempotencyKey: Identifier = "",
        locale: String? = nil,
        attributes: [String: JSON] = [:], isInApp: Bool = false, answers: [PhaseAnswer] = [], recorded: [String: JSON] = [:],
        memory: [String: JSON] = [:], principal: Principal? = nil, timeZone: String? = nil, now: Int64? = nil
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
        self.principal = principal
        self.timeZone = timeZone
        self.now = now
    }
}
