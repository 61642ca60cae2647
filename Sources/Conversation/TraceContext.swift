/// W3C trace context, as text that nobody here looks into.
public struct TraceContext: Sendable, Hashable {
    public var parent: String
    public var state: String?

    public init(parent: String, state: String? = nil) {
        self.parent = parent
        self.state = state
    }
}
