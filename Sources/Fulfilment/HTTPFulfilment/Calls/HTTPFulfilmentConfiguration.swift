public import IntentKit

/// How the intents of one definition are fulfilled over HTTP: the settings of its `fulfilment` block.
///
/// ```swift
/// var configuration = HTTPFulfilmentConfiguration(url: "https://rides.example.com/intents")
/// configuration.secret = environment["RIDES_SECRET"]
/// let fulfilment = try HTTPIntentFulfilment(configuration, client: client)
/// ```
public struct HTTPFulfilmentConfiguration: Sendable {
    /// Where intents are posted: `{url}/{intent}/{phase}`, such as `https://rides.example.com/intents/RequestRide/confirm`. If the URL contains
    /// the placeholder `{intent}` or `{phase}`, they are filled in and nothing is appended.
    public var url: String
    /// The phases that call the service. Handle always calls it. If confirm is not listed, it reports `ready` without a call. Resolve is called
    /// for each parameter that its declaration leaves to the fulfilment, whatever is listed here.
    public var phases: Set<Phase> = [.handle]
    /// The timeout of one attempt, including redirects and reading the reply; more than zero, at most one hour. The deadline of the work item can
    /// shorten it.
    public var timeout: Duration = .seconds(5)
    /// Retries within one call; 1 to 20 attempts. After that, the coordinator retries according to the intent's policy.
    public var retries = RetryPolicy(firstDelay: .milliseconds(200), factor: 2, maximumDelay: .seconds(5), maximumAttempts: 3)
    /// The key of `X-Intent-Signature`; must not be empty. Requests are unsigned if it is `nil`.
    public var secret: String?
    /// The largest reply that is read; 1 to 262,144 bytes.
    public var maximumResponseBytes = 262_144
    /// How many redirects are followed; 0 to 5. Only status 307 and 308, and only to allowed hosts.
    public var redirects = 0
    /// Headers added to each request. They can't include those that the pipeline sends itself.
    public var headers: [String: String] = [:]
    /// Whether the intent's ``IntentEffect`` is `atMostOnce`: handle is then not called again after a request that may have arrived.
    public var isAtMostOnce = false

    public init(url: String) { self.url = url }

    public static let maximumResponseBytes = 262_144
    public static let maximumRedirects = 5
    public static let maximumAttempts = 20

    /// The first problem of these settings; `nil` if there is none. Whether the host is allowed depends on the ``HTTPFulfilmentClient``.
    public var violation: HTTPFulfilmentError? {
        do { _ = try FulfilmentURL(filling: url, intent: "Intent", phase: .handle) } catch {
            return HTTPFulfilmentError("url", error.message)
        }
        if timeout <= .zero || timeout > .seconds(3_600) { return HTTPFulfilmentError("timeout", "must be more than zero and at most 1 h") }
        if !(1...Self.maximumAttempts ~= retries.maximumAttempts) {
            return HTTPFulfilmentError("retries.attempts", "must be 1 to \(Self.maximumAttempts)")
        }
        if !(1...Self.maximumResponseBytes ~= maximumResponseBytes) {
            return HTTPFulfilmentError("maximumResponseBytes", "must be 1 to \(Self.maximumResponseBytes)")
        }
        if !(0...Self.maximumRedirects ~= redirects) { return HTTPFulfilmentError("redirects", "must be 0 to \(Self.maximumRedirects)") }
        if secret?.isEmpty == true {
            return HTTPFulfilmentError("secret", "is empty: set its environment variable, or leave the secret out")
        }
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            if let message = HeaderRules.violation(name, value) { return HTTPFulfilmentError("headers.\(name.prefix(80))", message) }
        }
        return nil
    }
}

/// An invalid setting of a fulfilment or of the client.
public struct HTTPFulfilmentError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The setting, such as `url` or `retries.attempts`.
    public var field: String
    /// What is wrong and how to fix it. Contains no values of secrets or headers.
    public var message: String

    public init(_ field: String, _ message: String) {
        self.field = field
        self.message = message
    }

    public var description: String { "'\(field)' \(message)" }
}
