package import IntentModel

/// The reason why an outcome of a worker, or a reply of a service, is rejected.
package struct OutcomeError: Error, Sendable, Hashable {
    package var reason: RejectionReason
    /// The problem, without values of parameters.
    package var message: String
    /// The part of the outcome or reply that is wrong.
    package var field: String

    /// Creates the error for JSON that can't be read.
    package init(_ message: String, _ field: String) { self.init(.unparseable, message, field) }

    package init(_ reason: RejectionReason, _ message: String, _ field: String) {
        self.reason = reason
        self.message = message
        self.field = field
    }
}
