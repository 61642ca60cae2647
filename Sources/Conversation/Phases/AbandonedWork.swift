public import IntentModel

/// A request that ended while a handler was still running.
public struct AbandonedWork: Sendable, Hashable {
    public var request: Identifier
    public var intent: Identifier
    /// The step that the handler has.
    public var step: Int
    /// The ticket of its work; `nil` if an earlier version dispatched it.
    public var ticket: Ticket?
    public var trace: TraceContext?

    public init(request: Identifier, intent: Identifier, step: Int, ticket: Ticket? = nil, trace: TraceContext? = nil) {
        self.request = request
        self.intent = intent
        self.step = step
        self.ticket = ticket
        self.trace = trace
    }
}
