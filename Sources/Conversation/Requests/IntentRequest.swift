public import IntentModel

/// A request for an intent, as it was accepted.
public struct IntentRequest: Sendable, Hashable {
    public enum WhenBusy: String, Sendable, Hashable, CaseIterable {
        /// Wait for the active request to end.
        case queue
        /// Cancel the active request.
        case replace
        /// Don't wait: be told that the session is busy.
        case reject
        /// Go first if the active request waits for the person, and resume that one afterwards.
        case interrupt
    }

    /// The event's id. The same id again is the same request.
    public var id: Identifier
    public var intent: Identifier
    public var parameters: [ParameterState]
    public var whenBusy: WhenBusy
    /// When the sender no longer needs an outcome.
    public var deadline: Instant?
    /// A BCP 47 tag such as `en-GB`.
    public var locale: String?
    public var attributes: [String: JSON]
    /// Where and when the person says it, if the request tells.
    public var clock: PersonClock?
    /// The sender's trace context, passed on to everything that the request causes.
    public var trace: TraceContext?
    /// Who requests it; `nil` if they are not authenticated.
    public var principal: Principal?
    /// The intents that the person may have meant, instead of ``intent``. They are gone once it is known which.
    public var candidates: [IntentCandidate] = []
    /// With candidates: the intent that takes over if it is none of them.
    public var fallback: Identifier?
    /// Which workers get the work of the fallback.
    public var fallbackRoute: IntentRoute?
    /// How many requests opened one another before it; 0 if it came from outside.
    public var depth = 0
    /// Which workers get its work; `nil` for those of the default service.
    public var route: IntentRoute?
    /// `true` if an agent, or a producer that is not trusted to speak for the person, has made the request or filled in a value, and the person has not agreed to it since.
    /// Nothing is remembered from such a request.
    public var isUnagreed = false
    /// The part of the person's memory that concerns the request. Most requests have none.
    @Boxed private var memory: RequestMemory? = nil

    public init(
        id: Identifier, intent: Identifier, parameters: [ParameterState] = [], whenBusy: WhenBusy = .queue,
        deadline: Instant? = nil,
        locale: String? = nil, attributes: [String: JSON] = [:], trace: TraceContext? = nil, principal: Principal? = nil
    ) {
        self.id = id
        self.intent = intent
        self.parameters = parameters
        self.whenBusy = whenBusy
        self.deadline = deadline
        self.locale = locale
        self.attributes = attributes
        self.trace = trace
        self.principal = principal
    }

    /// The values that are remembered for the person for its intent: the coordinator has looked it up when the request came, and the session keeps it up to date.
    public var remembered: [RememberedValue] {
        get { memory?.values ?? [] }
        set { change { $0.values = newValue } }
    }

    /// The newest forgetting of the person that was known when the request came.
    public var memorySince: MemoryPosition? {
        get { memory?.since }
        set { change { $0.since = newValue } }
    }

    /// The number up to which the session's changes are done; of use only while the request is decided on.
    public var memoryDone: Int {
        get { memory?.done ?? 0 }
        set { change { $0.done = newValue } }
    }

    /// `true` if the person has had something forgotten since. Nothing of the request is remembered for them.
    public var isForgotten: Bool {
        get { memory?.isForgotten ?? false }
        set { change { $0.isForgotten = newValue } }
    }

    package var knowsMemory: Bool { _memory.hasValue }

    private mutating func change(_ body: (inout RequestMemory) -> Void) {
        var changed = memory ?? RequestMemory()
        body(&changed)
        if changed != RequestMemory() { memory = changed } else if knowsMemory { memory = nil }
    }

    /// Bytes of its values, roughly.
    var size: Int {
        (parameters + candidates.flatMap(\.parameters)).reduce(intent.utf8.count) { $0 + $1.size }
            + attributes.reduce(0) { $0 + $1.key.utf8.count + $1.value.bytes.count }
    }
}

private struct RequestMemory: Sendable, Hashable {
    var values: [RememberedValue] = []
    var since: MemoryPosition?
    var done = 0
    var isForgotten = false
}

extension ParameterState {
    /// Bytes of its name and value.
    var size: Int { name.utf8.count + (value?.bytes.count ?? 0) + (hasProvenance ? provenance?.bytes ?? 0 : 0) }
}
