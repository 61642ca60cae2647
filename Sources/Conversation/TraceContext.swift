/// W3C trace context, as text that is passed on unread.
public struct TraceContext: Sendable, Hashable {
    public var parent: String
    public var state: String?

    public init(parent: String, state: String? = nil) {
        self.parent = parent
        self.state = state
    }
}
