/// One call into a handler: one phase of one intent.
public struct IntentInvocation: Sendable, Hashable {
    public var phase: Phase
    /// The intent's name.
    public var intent: String
    /// The parameters that have values so far, in any order.
    public var parameters: [ParameterState]
    public var context: InvocationContext
    /// `true` if the intent has succeeded and the handler is called to report updates: see ``LiveUpdating``.
    public var isUpdating = false

    @inlinable public init(phase: Phase, intent: String, parameters: [ParameterState], context: InvocationContext) {
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
    /// The number of the attempt, from 1.
    public var attempt: Int
    /// The time after which an outcome is no longer of use, in milliseconds since 1970.
    public var deadline: Int64?
    /// The same key for every repeat of one handle call. Pass it to every call that must not happen twice.
    public var idempotencyKey: Identifier
    /// The locale as a BCP 47 tag, such as `en-GB`.
    public var locale: String?
    /// The person's time zone, by its IANA name: `Europe/Amsterdam`.
    public var timeZone: String?
    /// The time of the person's words that this phase reads, in milliseconds since 1970.
    public var now: Int64?
    public var attributes: [String: JSON]
    /// `true` if the app's workers handle the intent instead of the extension's, after `handleInApp`.
    public var isInApp: Bool
    /// The person's answers to this phase's questions so far.
    public var answers: [PhaseAnswer] = []
    /// The answers in words that the resolver reads, each with its question.
    public var said: [SaidAnswer] = []
    /// The results that `Context.once` has recorded in this phase so far, by name.
    public var recorded: [String: JSON] = [:]
    /// The values that this session remembers, by memory key.
    public var memory: [String: JSON] = [:]
    /// The principal that has requested the intent; `nil` if it is not authenticated.
    public var principal: Principal?
    /// The address to which another process sends the deferred outcome after `inProgress`. Only the pipeline reads it;
    /// empty if there is no address.
    @usableFromInline package var replyTo = ""
    /// The request's place in its sender's trace: the W3C header `traceparent`, for calls on behalf of the request. The
    /// pipeline does not read it.
    public var traceparent: String?

    @inlinable public init(
        session: Identifier, request: Identifier, attempt: Int = 1, deadline: Int64? = nil,
        idempotencyKey: Identifier = "", locale: String? = nil, attributes: [String: JSON] = [:],
        isInApp: Bool = false
    ) {
        self.session = session
        self.request = request
        self.attempt = attempt
        self.deadline = deadline
        self.idempotencyKey = idempotencyKey
        self.locale = locale
        self.attributes = attributes
        self.isInApp = isInApp
    }
}
