import IntentEvents
public import IntentModel

/// The reason for which a deferred outcome was rejected.
public struct CallbackProblem: Error, Sendable, Hashable {
    /// The status of the HTTP response.
    public enum Status: Int, Sendable, Hashable {
        case badRequest = 400
        case notFound = 404
        case methodNotAllowed = 405
        /// The request was sent too slowly.
        case requestTimeout = 408
        /// The outcome arrived too late.
        case gone = 410
        case contentTooLarge = 413
        /// The log can't be written at present. The service should post the outcome again.
        case unavailable = 503
    }

    public var status: Status
    public var reason: RejectionReason
    /// A description of the problem and how to fix it.
    public var message: String
    /// The invalid field of the body.
    public var field: String?

    public init(_ status: Status, _ reason: RejectionReason, _ message: String, field: String? = nil) {
        self.status = status
        self.reason = reason
        self.message = message
        self.field = field
    }

    init(_ error: OutcomeError) {
        self.init(
            error.reason == .complex ? .contentTooLarge : .badRequest, error.reason, error.message,
            field: error.field.isEmpty ? nil : error.field)
    }

    /// Makes a problem from a reply that the intent's declaration does not allow, or from an intent that only other
    /// workers serve.
    init(_ failure: IntentFailure) {
        let isElsewhere = failure.disposition == .reject
        let message =
            isElsewhere ? "this handler does not serve the intent of the call: post it again" : failure.message
        self.init(isElsewhere ? .unavailable : .badRequest, failure.reason, message, field: failure.field)
    }

    /// The body of the response: `{"error":{"reason":…,"message":…,"field":…}}`.
    var body: [UInt8] {
        JSON.make { writer in
            writer.beginObject()
            writer.name("error")
            writer.beginObject()
            writer.member("reason", reason.rawValue)
            writer.member("message", message)
            writer.member("field", ifPresent: field)
            writer.endObject()
            writer.endObject()
        }.bytes
    }
}
