/// A span that is over: what took how long, in a trace.
public struct FinishedSpan: Sendable, Hashable {
    /// OpenTelemetry's kinds, by their numbers in OTLP.
    public enum Kind: Int, Sendable {
        case `internal` = 1
        case server, client, producer, consumer
    }

    public enum Value: Sendable, Hashable {
        case text(String)
        case number(Int)
        case real(Double)
        case bool(Bool)
        case list([Value])
    }

    public struct Event: Sendable, Hashable {
        public var name: String
        public var nanoseconds: UInt64
        public var attributes: [String: Value]

        public init(name: String, nanoseconds: UInt64, attributes: [String: Value] = [:]) {
            (self.name, self.nanoseconds, self.attributes) = (name, nanoseconds, attributes)
        }
    }

    public var context: SpanContext
    /// The span that it is a part of; `nil` if the trace begins with it.
    public var parent: UInt64?
    public var name: String
    public var kind: Kind
    /// In nanoseconds since 1970.
    public var start: UInt64
    public var end: UInt64
    public var attributes: [String: Value]
    /// The message of the error that it ended with; empty if there is none to tell, `nil` if it did not end with one.
    public var error: String?
    public var events: [Event] = []
    public var links: [SpanContext] = []

    public init(
        _ context: SpanContext, parent: UInt64?, _ name: String, _ kind: Kind, start: UInt64, end: UInt64,
        attributes: [String: Value] = [:],
        error: String? = nil
    ) {
        (self.context, self.parent, self.name, self.kind) = (context, parent, name, kind)
        (self.start, self.end, self.attributes, self.error) = (start, end, attributes, error)
    }
}

/// Where finished spans go. It drops what it has no room for, and does not wait.
public protocol SpanRecorder: Sendable {
    func record(_ span: FinishedSpan)
    /// Whether a trace that came from elsewhere is recorded if, and only if, its sender records it.
    var followsSender: Bool { get }
    /// Whether a trace is recorded that came from elsewhere.
    func isRecorded(_ context: SpanContext) -> Bool
    /// A trace for what came without one, and whether it is recorded.
    func newTrace() -> (high: UInt64, low: UInt64, isSampled: Bool)
}
