public import IntentModel

/// An intent that an app may go on with.
public struct Handoff: Sendable, Hashable {
    public enum Mode: String, Sendable, Hashable, CaseIterable {
        /// The person goes to the app.
        case foreground
        /// The app works for the person where they are.
        case background
    }

    public var id: Identifier
    public var request: Identifier
    public var mode: Mode
    public var activity: UserActivity
    /// Where the activity comes from: SiriKit fills in `interaction` before it delivers an activity.
    public var interaction: Interaction
    public var expires: Instant
    /// The app that has claimed it.
    public var claimant: Claimant?
    /// How often it was claimed and returned.
    public var returns = 0

    public init(
        id: Identifier, request: Identifier, mode: Mode, activity: UserActivity, interaction: Interaction,
        expires: Instant,
        claimant: Claimant? = nil
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

/// An app that claims a handoff.
public struct Claimant: Sendable, Hashable, ExpressibleByStringLiteral {
    /// As everyone is told.
    public var name: Identifier
    /// The SHA-256 of the secret that the app has sent with its claim, in hexadecimal. Only who knows the secret can complete or return the handoff. `nil` for
    /// one that is not known to have a secret.
    public var proof: String?

    public init(_ name: Identifier, proof: String? = nil) {
        self.name = name
        self.proof = proof
    }

    public init(stringLiteral name: String) { self.init(Identifier(name)) }
}

/// An intent and how far it got.
public struct Interaction: Sendable, Hashable {
    public var intent: Identifier
    public var parameters: [ParameterState]
    public var code: ResponseCode
    /// What the response says in addition to its code.
    public var response: [String: JSON]

    public init(intent: Identifier, parameters: [ParameterState], code: ResponseCode, response: [String: JSON] = [:]) {
        self.intent = intent
        self.parameters = parameters
        self.code = code
        self.response = response
    }
}
