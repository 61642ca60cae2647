public import IntentModel
public import IntentRuntime

/// An intent of a definition file.
public struct FileIntent: Sendable, Equatable {
    /// Without anybody who fulfils it.
    public var declaration: IntentDeclaration
    /// `nil` if the file does not say who does it.
    public var fulfilment: FulfilmentDeclaration?

    public init(declaration: IntentDeclaration, fulfilment: FulfilmentDeclaration? = nil) {
        self.declaration = declaration
        self.fulfilment = fulfilment
    }

    public var name: String { declaration.name }
}

/// How the intents of a definition file are fulfilled: what its `fulfilment` block says, with what an intent's own changes of it.
public struct FulfilmentDeclaration: Sendable, Hashable {
    /// Where intents are posted: `{url}/{intent}/{phase}`, unless one of the two placeholders stands in it.
    public var url: String
    /// Which of confirm and handle are called; handle is in any case.
    public var phases: Set<Phase>
    /// One try.
    public var timeout: Duration
    /// Within one call; after that the coordinator tries again, as the intent's policy says.
    public var retries: RetryPolicy
    /// The environment variable that the key of the signature is in; `nil` to sign nothing.
    public var secretVariable: String?
    /// No more of an answer is read.
    public var maximumResponseBytes: Int
    /// How many redirects are followed; 0 to 5.
    public var redirects: Int
    /// Added to each request.
    public var headers: [String: String]

    public init(
        url: String, phases: Set<Phase> = [.handle], timeout: Duration = .seconds(5), retries: RetryPolicy = Self.retries,
        secretVariable: String? = nil, maximumResponseBytes: Int = 262_144, redirects: Int = 0, headers: [String: String] = [:]
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

    /// What holds where a file says nothing: three attempts, after 200 ms and 400 ms, never more than 5 s apart.
    public static let retries = RetryPolicy(firstDelay: .milliseconds(200), factor: 2, maximumDelay: .seconds(5), maximumAttempts: 3)
}
