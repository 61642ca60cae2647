/// W3C trace context, as text that is passed on unread.
public struct TraceContext: Sendable, Hashable {
    public var parent: String
    public var state: String?

    public init(parent: String, state: String? = nil) {
        self.parent = parent
        self.state = state
    }
}

extension TraceContext? {
    /// A header of W3C's Trace Context by its name: `traceparent` or `tracestate`. There is no `tracestate` without the other.
    package subscript(header name: String) -> String? {
        get {
            switch name {
            case "traceparent": self?.parent
            case "tracestate": self?.state
            default: nil
            }
        }
        set {
            switch name {
            case "traceparent": self = newValue.map { TraceContext(parent: $0, state: self?.state) }
            case "tracestate": self?.state = newValue
            default: break
            }
        }
    }
}
