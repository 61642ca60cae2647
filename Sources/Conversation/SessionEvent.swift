public import IntentModel

/// What can happen to a session.
public enum SessionEvent: Sendable, Hashable {
    /// Somebody asks for an intent.
    case requested(IntentRequest)
    /// The person answers a prompt.
    case answered(Answer)
    /// The person changes a parameter without being asked.
    case corrected(Correction)
    /// The person takes a request back; without an id, the active one.
    case cancelled(request: String?)
    /// An app takes up a handoff.
    case handoffClaimed(handoff: String, claimant: String)
    /// The app that took up a handoff has finished.
    case handoffCompleted(handoff: String, claimant: String, response: IntentResponse)
    /// What the session remembers of these keys is to be forgotten; without keys, all of it.
    case forgotten(keys: [String]?)
    /// Somebody ends the session from outside, whatever it is at: an operator, not the person.
    case ended(reason: String?)
    /// The app that took up a handoff gives it back: another may take it up.
    case handoffReturned(handoff: String, claimant: String)
    /// Somebody wants to hear how things go on with a request that has succeeded.
    case updatesStarted(request: String)
    /// Nobody wants to hear more of that.
    case updatesStopped(request: String)
    /// A worker answers.
    case outcome(Outcome)
    /// A worker answered with what can't be read: the request fails if a worker has it.
    case unreadableOutcome(Rejection)
    /// Somebody sent what could be read but not accepted. The session only tells them so.
    case refused(Rejection)
    /// Time has passed: whatever is due at `now` happens.
    case timer
}

/// A request for an intent, as it was accepted.
public struct IntentRequest: Sendable, Hashable {
    public enum WhenBusy: String, Sendable, Hashable, CaseIterable {
        /// Wait for the active request to end.
        case queue
        /// Cancel the active request.
        case replace
        /// Don't wait: be told that the session is busy.
        case reject
        /// Go first if the active request waits for the person, and let it go on afterwards.
        case interrupt
    }

    /// The event's id. The same id again is the same request.
    public var id: String
    public var intent: String
    public var parameters: [ParameterState]
    public var whenBusy: WhenBusy
    /// When an answer is no longer of use to the one who asks.
    public var deadline: Instant?
    /// A BCP 47 tag such as `en-GB`.
    public var locale: String?
    public var attributes: [String: JSON]
    /// Where the request stands in the sender's trace, passed on to everything that comes of it.
    public var trace: TraceContext?
    /// How many requests led to it, each opened by the one before; 0 if somebody asked for it.
    public var depth = 0

    public init(
        id: String, intent: String, parameters: [ParameterState] = [], whenBusy: WhenBusy = .queue, deadline: Instant? = nil,
        locale: String? = nil, attributes: [String: JSON] = [:], trace: TraceContext? = nil
    ) {
        self.id = id
        self.intent = intent
        self.parameters = parameters
        self.whenBusy = whenBusy
        self.deadline = deadline
        self.locale = locale
        self.attributes = attributes
        self.trace = trace
    }

    /// Bytes of its values, roughly.
    var size: Int {
        parameters.reduce(intent.utf8.count) { $0 + $1.size } + attributes.reduce(0) { $0 + $1.key.utf8.count + $1.value.bytes.count }
    }
}

extension ParameterState {
    /// Bytes of its name and value.
    var size: Int { name.utf8.count + (value?.bytes.count ?? 0) }
}

/// W3C trace context, as text that nobody here looks into.
public struct TraceContext: Sendable, Hashable {
    public var parent: String
    public var state: String?

    public init(parent: String, state: String? = nil) {
        self.parent = parent
        self.state = state
    }
}

/// An answer to a prompt. Accept, decline and cancel are three different things.
public struct Answer: Sendable, Hashable {
    public enum Action: String, Sendable, Hashable, CaseIterable {
        /// Yes; or here is the value.
        case accept
        /// No; or none of these.
        case decline
        /// Forget the whole request.
        case cancel
    }

    public var prompt: String
    public var action: Action
    /// The value asked for.
    public var value: JSON?
    /// The id of the option chosen.
    public var option: String?
    /// Other parameters that the person changed along the way.
    public var parameters: [ParameterState]

    public init(prompt: String, action: Action, value: JSON? = nil, option: String? = nil, parameters: [ParameterState] = []) {
        self.prompt = prompt
        self.action = action
        self.value = value
        self.option = option
        self.parameters = parameters
    }
}

/// A parameter that the person changes without being asked.
public struct Correction: Sendable, Hashable {
    /// Without an id, the active request.
    public var request: String?
    public var parameter: String
    public var value: JSON

    public init(request: String? = nil, parameter: String, value: JSON) {
        self.request = request
        self.parameter = parameter
        self.value = value
    }
}

/// A worker's answer to a work item.
public struct Outcome: Sendable, Hashable {
    public enum Content: Sendable, Hashable {
        /// The phase is done.
        case finished(PhaseOutcome)
        /// The handle phase goes on; `fraction` is from 0 to 1.
        case progressed(fraction: Double?, dialog: String?)
        /// The worker stopped because it was told to.
        case cancelled
        /// A handler that may be called once is about to be, if it is permitted: `claim` is like no other.
        case starting(claim: String)
        /// How things stand after the request has succeeded.
        case updated(IntentUpdate)
        /// Nothing more will be told of that.
        case updatesEnded(UpdatesEnd)
    }

    public var request: String
    /// The step of the work item that is answered.
    public var step: Int
    public var phase: Phase
    public var content: Content
    /// Resolve: what the intent asks of the conversation.
    public var policy: IntentPolicy?

    public init(request: String, step: Int, phase: Phase, content: Content) {
        self.request = request
        self.step = step
        self.phase = phase
        self.content = content
    }
}
