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
