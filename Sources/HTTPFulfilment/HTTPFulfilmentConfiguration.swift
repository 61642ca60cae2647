public import IntentKit

/// How the intents of one definition are fulfilled over HTTP: what its `fulfilment` block says.
///
/// ```swift
/// var configuration = HTTPFulfilmentConfiguration(url: "https://rides.example.com/intents")
/// configuration.secret = environment["RIDES_SECRET"]
/// let fulfilment = try HTTPIntentFulfilment(configuration, client: client)
/// ```
public struct HTTPFulfilmentConfiguration: Sendable {
    /// Where intents are posted: `{url}/{intent}/{phase}`, such as `https://rides.example.com/intents/RequestRide/confirm`. If the placeholder
    /// `{intent}` or `{phase}` stands in it, they are filled in and nothing is appended.
    public var url: String
    /// The phases of a whole intent that are called. Of the others, confirm is ready at once; handle is always called. Resolve is called for each
    /// parameter that its declaration leaves to the fulfilment, whatever stands here.
    public var phases: Set<Phase> = [.handle]
    /// One try, redirects and reading included; more than zero, at most an hour. The deadline of the work shortens it.
    public var timeout: Duration = .seconds(5)
    /// Within one call. After that the coordinator tries again, as the intent's own policy says. 1 to 20 attempts.
    public var retries = RetryPolicy(firstDelay: .milliseconds(200), factor: 2, maximumDelay: .seconds(5), maximumAttempts: 3)
    /// The key of `X-Intent-Signature`; without it nothing is signed. Never empty.
    public var secret: String?
    /// No more of an answer is read; 1 to 262,144 bytes.
    public var maximumResponseBytes = 262_144
    /// How many redirects are followed, only with status 307 or 308 and only to allowed hosts; 0 to 5.
    public var redirects = 0
    /// Added to each request; none of those that the pipeline itself sends.
    public var headers: [String: String] = [:]
    /// The intent's ``IntentEffect`` is `atMostOnce`: handle is not called again once it may have arrived.
    public var isAtMostOnce = false

    public init(url: String) { self.url = url }

    public static let maximumResponseBytes = 262_144
    public static let maximumRedirects = 5
    public static let maximumAttempts = 20

    /// What is wrong with it; `nil` if nothing is. Whether the host is allowed depends on the ``HTTPFulfilmentClient``.
    public var violation: HTTPFulfilmentError? {
        do { _ = try FulfilmentURL(filling: url, intent: "Intent", phase: .handle) } catch {
            return HTTPFulfilmentError("url", error.message)
        }
        if timeout <= .zero || timeout > .seconds(3_600) { return HTTPFulfilmentError("timeout", "is more than zero and at most an hour") }
        if !(1...Self.maximumAttempts ~= retries.maximumAttempts) {
            return HTTPFulfilmentError("retries.attempts", "is 1 to \(Self.maximumAttempts)")
        }
        if !(1...Self.maximumResponseBytes ~= maximumResponseBytes) {
            return HTTPFulfilmentError("maximumResponseBytes", "is 1 to \(Self.maximumResponseBytes)")
        }
        if !(0...Self.maximumRedirects ~= redirects) { return HTTPFulfilmentError("redirects", "is 0 to \(Self.maximumRedirects)") }
        if secret?.isEmpty == true {
            return HTTPFulfilmentError("secret", "is empty: set the variable that it is read from, or leave it out")
        }
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            if let message = HeaderRules.violation(name, value) { return HTTPFulfilmentError("headers.\(name.prefix(80))", message) }
        }
        return nil
    }
}

/// A setting of a fulfilment, or of the client, that can't be used.
public struct HTTPFulfilmentError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The setting, such as `url` or `retries.attempts`.
    public var field: String
    /// What is wrong with it and what to do; no values of secrets or headers.
    public var message: String

    public init(_ field: String, _ message: String) {
        self.field = field
        self.message = message
    }

    public var description: String { "'\(field)' \(message)" }
}
