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
