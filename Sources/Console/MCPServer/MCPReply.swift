package import IntentModel

/// The reply to a message that came over HTTP.
package enum MCPReply: Sendable {
    /// `application/json`, with this status.
    case json(JSON, status: Int)
    /// `text/event-stream`: each message is the `data:` of an event. To stop reading ends the call; in version 2026-07-28 it also cancels its request, unless the process ends.
    case events(AsyncStream<JSON>)
    /// 202, without a body.
    case accepted
}
