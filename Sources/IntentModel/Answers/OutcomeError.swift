/// Why an answer of a worker, or of a service in its place, is not taken.
package struct OutcomeError: Error, Sendable, Hashable {
    package var reason: RejectionReason
    /// What is wrong, without values of parameters.
    package var message: String
    /// The part of the answer that it is about.
    package var field: String

    /// Nobody can read it.
    package init(_ message: String, _ field: String) { self.init(.unparseable, message, field) }

    package init(_ reason: RejectionReason, _ message: String, _ field: String) {
        self.reason = reason
        self.message = message
        self.field = field
    }
}
