package import IntentModel

/// The reply to a request.
package enum A2AReply: Sendable {
    /// One value, with the status of HTTP.
    case json(JSON, status: Int)
    /// `text/event-stream`: each value is the `data:` of an event.
    case events(AsyncStream<JSON>)
}
