public import IntentModel

/// A question to the person.
public struct Prompt: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// What is the value?
        case value
        /// Which of these?
        case choice
        /// Is this the value?
        case confirmValue
        /// Shall it be done?
        case confirmIntent
    }

    public var id: String
    public var intent: String
    public var kind: Kind
    public var parameter: String?
    public var dialog: String
    /// What is to be confirmed.
    public var value: JSON?
    public var options: [ParameterOption]
    /// Why the value before was not taken.
    public var unsupportedReason: String?
    /// The intent in a sentence.
    public var summary: String?
    public var expires: Instant
    /// How a person is told of the parameter.
    public var title: String?
    /// The element of the parameter's list that it is about, from 0: the answer takes its place.
    public var element: Int?
    /// Nobody but workers may see the value: the person's side is told everything but that.
    public var isSecret = false
    /// Confirming: values that the intent would be done with instead of those that were said. Yes makes them the intent's.
    public var proposed: [ParameterState] = []
    /// Choosing: the options are items that were found. The intent has been handled.
    public var isAboutItems = false
    /// The question of a running phase that it asks; `nil` if a resolution led to it, or the intent's own confirmation.
    public var question: Question?

    public init(
        id: String, intent: String, kind: Kind, parameter: String? = nil, dialog: String, value: JSON? = nil,
        options: [ParameterOption] = [],
        unsupportedReason: String? = nil, summary: String? = nil, expires: Instant
    ) {
        self.id = id
        self.intent = intent
        self.kind = kind
        self.parameter = parameter
        self.dialog = dialog
        self.value = value
        self.options = options
        self.unsupportedReason = unsupportedReason
        self.summary = summary
        self.expires = expires
    }

    /// What a confirm or handle phase asked, and where the answer goes.
    public struct Question: Sendable, Hashable {
        /// ``PhaseQuestion/id``.
        public var id: String
        /// The phase that runs again once the person has answered.
        public var phase: Phase

        public init(id: String, phase: Phase) {
            self.id = id
            self.phase = phase
        }
    }
}

/// How a request is getting on.
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

/// An intent that an app may go on with.
public struct Handoff: Sendable, Hashable {
    public enum Mode: String, Sendable, Hashable {
        /// The person goes to the app.
        case foreground
        /// The app works for the person where they are.
        case background
    }

    public var id: String
    public var request: String
    public var mode: Mode
    public var activity: UserActivity
    /// What the activity came from: SiriKit fills `interaction` in before it delivers an activity.
    public var interaction: Interaction
    public var expires: Instant
    /// Who took it up.
    public var claimant: String?
    /// How often it was taken up and given back.
    public var returns = 0

    public init(
        id: String, request: String, mode: Mode, activity: UserActivity, interaction: Interaction, expires: Instant, claimant: String? = nil
    ) {
        self.id = id
        self.request = request
        self.mode = mode
        self.activity = activity
        self.interaction = interaction
        self.expires = expires
        self.claimant = claimant
    }
}

/// An intent and how far it got.
public struct Interaction: Sendable, Hashable {
    public var intent: String
    public var parameters: [ParameterState]
    public var code: ResponseCode
    /// What the response said beside its code.
    public var response: [String: JSON]

    public init(intent: String, parameters: [ParameterState], code: ResponseCode, response: [String: JSON] = [:]) {
        self.intent = intent
        self.parameters = parameters
        self.code = code
        self.response = response
    }
}

/// What a handler answered after its request had ended without it: no second end, but something that the person should know of.
public struct LateAnswer: Sendable, Hashable {
    public var intent: String
    public var code: ResponseCode
    public var response: [String: JSON]
    public var dialog: String?

    public init(intent: String, code: ResponseCode, response: [String: JSON] = [:], dialog: String? = nil) {
        self.intent = intent
        self.code = code
        self.response = response
        self.dialog = dialog
    }
}

/// How a request ended.
public struct Completion: Sendable, Hashable {
    public enum Status: String, Sendable, Hashable, CaseIterable {
        case success, failure, cancelled, timedOut, unsupported, deferredToApp
    }

    public var intent: String
    public var status: Status
    public var code: ResponseCode
    public var parameters: [ParameterState]
    /// What the intent resulted in, by name.
    public var response: [String: JSON]
    public var dialog: String?
    public var activity: UserActivity?
    /// What went wrong, if the handler did not say it with a code alone.
    public var error: Rejection?
    /// How many prompts it took.
    public var turns: Int
    /// What was found, for the person to look through.
    public var items: [ParameterOption] = []
    /// The item that the person chose.
    public var chosen: String?
    /// The request that follows it in this session.
    public var opens: OpenedRequest?
    /// Whoever asks for it is told how things go on.
    public var offersUpdates = false

    public init(
        intent: String, status: Status, code: ResponseCode, parameters: [ParameterState], response: [String: JSON] = [:],
        dialog: String? = nil,
        activity: UserActivity? = nil, error: Rejection? = nil, turns: Int
    ) {
        self.intent = intent
        self.status = status
        self.code = code
        self.parameters = parameters
        self.response = response
        self.dialog = dialog
        self.activity = activity
        self.error = error
        self.turns = turns
    }
}

/// A request that another one led to: App Intents' `opensIntent`.
public struct OpenedRequest: Sendable, Hashable {
    public var request: String
    public var intent: String

    public init(request: String, intent: String) {
        self.request = request
        self.intent = intent
    }
}

/// Why something was not taken, and what to do about it.
public struct Rejection: Sendable, Hashable {
    public var reason: RejectionReason
    public var message: String
    public var field: String?
    /// The id of the event that was not taken.
    public var event: String?

    public init(_ reason: RejectionReason, _ message: String, field: String? = nil, event: String? = nil) {
        self.reason = reason
        self.message = message
        self.field = field
        self.event = event
    }
}
