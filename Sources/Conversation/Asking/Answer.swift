public import IntentModel

/// An answer to a prompt. Accept, decline and cancel are three different things.
public struct Answer: Sendable, Hashable {
    public enum Action: String, Sendable, Hashable, CaseIterable {
        /// Yes; or here is the value.
        case accept
        /// No; or none of these.
        case decline
        /// Cancel the whole request.
        case cancel
        /// Let another principal agree in the sender's place: the answer's ``Answer/delegate``.
        case delegate
    }

    public var prompt: Identifier
    public var action: Action
    /// The value asked for.
    public var value: JSON?
    /// The id of the option chosen.
    public var option: String?
    /// Other parameters that the person changed with the answer.
    public var parameters: [ParameterState]
    /// The person's words, instead of an action, a value or an option.
    public var utterance: Optional<Utterance>
    /// `true` if the person goes on without a value: with `decline`, which otherwise asks for another one.
    var isSkip = false
    /// `true` if the words are no answer to a confirmation, and may change the intent: a resolver reads them.
    var isChange = false
    /// The principal who may agree instead of the sender, with ``Action/delegate``.
    public var delegate: Optional<Principal>
    /// The roles of the sender, as their channel has authenticated them.
    public var roles: [Identifier] = []
    /// Whether its sender has marked it as an agent's: such an answer fills in what is asked for, and agrees to nothing.
    public var isFromAgent = false

    public init(
        prompt: Identifier, action: Action, value: JSON? = nil, option: String? = nil, parameters: [ParameterState] = []
    ) {
        self.prompt = prompt
        self.action = action
        self.value = value
        self.option = option
        self.parameters = parameters
        utterance = nil
        delegate = nil
    }

    /// An answer in words, which are read when it is decided on.
    public init(prompt: Identifier, utterance: Utterance) {
        self.init(prompt: prompt, action: .accept)
        self.utterance = utterance
    }
}

/// A parameter that the person changes without being asked.
public struct Correction: Sendable, Hashable {
    /// Without an id, the active request.
    public var request: Identifier?
    public var parameter: String
    public var value: JSON

    public init(request: Identifier? = nil, parameter: String, value: JSON) {
        self.request = request
        self.parameter = parameter
        self.value = value
    }
}
