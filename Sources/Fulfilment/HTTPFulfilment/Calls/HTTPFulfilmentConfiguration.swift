public import IntentKit

/// The settings for fulfilling the intents of one definition over HTTP, as in its `fulfilment` block.
///
/// ```swift
/// var configuration = HTTPFulfilmentConfiguration(url: "https://rides.example.com/intents")
/// configuration.secret = environment["RIDES_SECRET"]
/// let fulfilment = try HTTPIntentFulfilment(configuration, client: client)
/// ```
public struct HTTPFulfilmentConfiguration: Sendable {
    /// The URL to which intents are posted: `{url}/{intent}/{phase}`, such as
    /// `https://rides.example.com/intents/RequestRide/confirm`. If the URL contains the placeholder `{intent}` or
    /// `{phase}`, the placeholders are filled in and nothing is appended.
    public var url: String
    /// The phases that call the service. Handle always calls the service. If confirm is not listed, it reports `ready`
    /// without a call. Resolve is called for each parameter whose declaration leaves resolving to the fulfilment,
    /// whatever is listed here.
    public var phases: Set<Phase> = [.handle]
    /// The timeout of one attempt, including redirects and reading the reply; more than zero, at most one hour. The
    /// deadline of the work item can shorten the timeout.
    public var timeout: Duration = .seconds(5)
    /// The retries within one call; 1 to 20 attempts. After that, the coordinator retries according to the intent's
    /// policy.
    public var retries = RetryPolicy(
        firstDelay: .milliseconds(200), factor: 2, maximumDelay: .seconds(5), maximumAttempts: 3)
    /// The key of `X-Intent-Signature`, which must not be empty; `nil` for unsigned requests.
    public var secret: String?
    /// The maximum size of a reply; 1 to 262,144 bytes.
    public var maximumResponseBytes = 262_144
    /// The maximum number of redirects; 0 to 5. Only status 307 and 308 are followed, and only to allowed hosts.
    public var redirects = 0
    /// The headers added to each request. Headers that the pipeline sends itself are not allowed.
    public var headers: [String: String] = [:]
    /// `true` if the intent's ``IntentEffect`` is `atMostOnce`. Handle is then not called again after a request that
    /// may have arrived.
    public var isAtMostOnce = false

    public init(url: String) { self.url = url }

    public static let maximumResponseBytes = 262_144
    public static let maximumRedirects = 5
    public static let maximumAttempts = 20

    /// The first problem of these settings; `nil` if there is none. The ``HTTPFulfilmentClient`` decides whether the
    /// host is allowed.
    public var violation: HTTPFulfilmentError? {
        do { _ = try FulfilmentURL(filling: url, intent: "Intent", phase: .handle) } catch {
            return HTTPFulfilmentError("url", error.message)
        }
        if timeout <= .zero || timeout > .seconds(3_600) {
            return HTTPFulfilmentError("timeout", "must be more than zero and at most 1 h")
        }
        if !(1...Self.maximumAttempts ~= retries.maximumAttempts) {
            return HTTPFulfilmentError("retries.attempts", "must be 1 to \(Self.maximumAttempts)")
        }
        if !(1...Self.maximumResponseBytes ~= maximumResponseBytes) {
            return HTTPFulfilmentError("maximumResponseBytes", "must be 1 to \(Self.maximumResponseBytes)")
        }
        if !(0...Self.maximumRedirects ~= redirects) {
            return HTTPFulfilmentError("redirects", "must be 0 to \(Self.maximumRedirects)")
        }
        if secret?.isEmpty == true {
            return HTTPFulfilmentError("secret", "is empty: set its environment variable, or leave the secret out")
        }
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            if let message = HeaderRules.violation(name, value) {
                return HTTPFulfilmentError("headers.\(name.prefix(80))", message)
            }
        }
        return nil
    }
}

/// An invalid setting of a fulfilment or of the client.
public struct HTTPFulfilmentError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The setting, such as `url` or `retries.attempts`.
    public var field: String
    /// A description of the problem and how to fix it, without values of secrets or headers.
    public var message: String

    public init(_ field: String, _ message: String) {
        self.field = field
        self.message = message
    }

    public var description: String { "'\(field)' \(message)" }
}
