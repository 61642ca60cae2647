public import IntentModel
public import IntentRuntime

/// An intent of a definition file.
public struct FileIntent: Sendable, Equatable {
    /// The declaration without a fulfilment.
    public var declaration: IntentDeclaration
    /// `nil` if the file names no fulfilment.
    public var fulfilment: FulfilmentDeclaration?

    public init(declaration: IntentDeclaration, fulfilment: FulfilmentDeclaration? = nil) {
        self.declaration = declaration
        self.fulfilment = fulfilment
    }

    public var name: String { declaration.name }
}

/// How an intent of a definition file is fulfilled: the file's `fulfilment` block, overridden by the intent's own.
public struct FulfilmentDeclaration: Sendable, Hashable {
    /// Where intents are posted. A URL without the placeholders `{intent}` and `{phase}` is extended to `{url}/{intent}/{phase}`.
    public var url: String
    /// Which of confirm and handle are called. Handle is always called.
    public var phases: Set<Phase>
    /// The timeout of one attempt.
    public var timeout: Duration
    /// Retries within one call. After that, the coordinator retries according to the intent's policy.
    public var retries: RetryPolicy
    /// The environment variable with the key of the signature; `nil` for unsigned requests.
    public var secretVariable: String?
    /// The largest reply that is read.
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

    /// The default retries: three attempts, with delays of 200 ms and 400 ms. A delay is at most 5 s.
    public static let retries = RetryPolicy(firstDelay: .milliseconds(200), factor: 2, maximumDelay: .seconds(5), maximumAttempts: 3)
}
