public import IntentModel
public import IntentRuntime

/// An intent of a definition file.
public struct FileIntent: Sendable, Equatable {
    /// The declaration without a fulfilment.
    public var declaration: IntentDeclaration
    /// The fulfilment; `nil` if the file names none.
    public var fulfilment: FulfilmentDeclaration?

    public init(declaration: IntentDeclaration, fulfilment: FulfilmentDeclaration? = nil) {
        self.declaration = declaration
        self.fulfilment = fulfilment
    }

    public var name: String { declaration.name }
}

/// The fulfilment of an intent of a definition file: the file's `fulfilment` block, overridden by the intent's own.
public struct FulfilmentDeclaration: Sendable, Hashable {
    /// The URL to which intents are posted. A URL without the placeholders `{intent}` and `{phase}` is extended to
    /// `{url}/{intent}/{phase}`.
    public var url: String
    /// The phases that are called, of confirm and handle. Handle is always called.
    public var phases: Set<Phase>
    /// The timeout of one attempt.
    public var timeout: Duration
    /// The retries within one call. After that, the coordinator retries according to the intent's policy.
    public var retries: RetryPolicy
    /// The environment variable with the key of the signature; `nil` for unsigned requests.
    public var secretVariable: String?
    /// The maximum size of a reply in bytes.
    public var maximumResponseBytes: Int
    /// The maximum number of redirects; 0 to 5.
    public var redirects: Int
    /// The headers added to each request.
    public var headers: [String: String]
    /// The positions of the members in the file.
    package var places = Places()

    public init(
        url: String, phases: Set<Phase> = [.handle], timeout: Duration = .seconds(5),
        retries: RetryPolicy = Self.retries,
        secretVariable: String? = nil, maximumResponseBytes: Int = 262_144, redirects: Int = 0,
        headers: [String: String] = [:]
    ) {
        self.url = url
        self.phases = phases
        self.timeout = timeout
        self.retries = retries
        self.secretVariable = secretVariable
        self.maximumResponseBytes = maximumResponseBytes
        self.redirects = redirects
        self.headers = headers
    }

    /// The default retries: three attempts, with delays of 200 ms and 400 ms. A delay is at most 5 s.
    public static let retries = RetryPolicy(
        firstDelay: .milliseconds(200), factor: 2, maximumDelay: .seconds(5), maximumAttempts: 3)
}

extension FulfilmentDeclaration {
    /// The positions of the members of a fulfilment, for messages. Two fulfilments may differ in them and be equal, so
    /// that moving an intent within its file is no change.
    package struct Places: Sendable, Hashable {
        var members: [String: DefinitionNode.Place] = [:]

        package static func == (a: Places, b: Places) -> Bool { true }
        package func hash(into hasher: inout Hasher) {}
    }

    /// Returns the start of a message about a member of the fulfilment of an intent, such as `rides.intents.yaml:4:3:
    /// intents.RequestRide.fulfilment.url`.
    package func place(of member: String, in intent: IntentDeclaration) -> String {
        let name = member.split(separator: ".").first.map(String.init) ?? member
        let mark = places.members[name].map { ":\($0.line):\($0.column)" } ?? ""
        return "\(intent.source.map { "\($0)\(mark): " } ?? "")intents.\(intent.name).fulfilment.\(member)"
    }
}
