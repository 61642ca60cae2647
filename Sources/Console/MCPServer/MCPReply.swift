package import IntentModel

/// The reply to a message that was received over HTTP.
package enum MCPReply: Sendable {
    /// `application/json`, with this status.
    case json(JSON, status: Int)
    /// `text/event-stream`: each message is the `data:` of an event. The call ends when the client stops reading. In
    /// version 2026-07-28, this also cancels the request, unless the process ends.
    case events(AsyncStream<JSON>)
    /// 202, without a body.
    case accepted
}
