package import IntentModel

/// The reply to a message that came over HTTP.
package enum MCPReply: Sendable {
    /// `application/json`, with this status.
    case json(JSON, status: Int)
    /// `text/event-stream`: each message is the `data:` of an event. To stop reading cancels the request.
    case events(AsyncStream<JSON>)
    /// 202, without a body.
    case accepted
}
