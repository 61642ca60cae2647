public import IntentModel

/// A request that has succeeded and can be taken back, for a time.
///
/// The session keeps the values of the inverse intent, and the person's side only names the request: secrets stay secret,
/// the time limit holds, and nothing is taken back twice.
public struct UndoableRequest: Sendable, Hashable {
    /// The request that can be taken back, without its parameters.
    public var request: IntentRequest
    /// The intent that takes it back.
    public var undo: OpenedIntent
    /// The request that is taking it back now.
    public var undoneBy: Identifier?
    public var expires: Instant

    public init(request: IntentRequest, undo: OpenedIntent, expires: Instant) {
        self.request = request
        self.undo = undo
        self.expires = expires
    }
}

/// The person wants a request taken back.
public struct UndoRequest: Sendable, Hashable {
    /// The id of the event, which becomes that of the request for the inverse intent.
    public var id: Identifier
    /// The request to take back; `nil` for the last one that can be.
    public var request: Identifier?
    public var trace: TraceContext?
    /// Which workers get the work of the inverse, as the coordinator has read it in the catalogue.
    public var route: IntentRoute?

    public init(id: Identifier, request: Identifier? = nil, trace: TraceContext? = nil) {
        self.id = id
        self.request = request
        self.trace = trace
    }
}

extension Session {
    /// The place of the request that this takes back, if it can be.
    func undoable(_ undo: UndoRequest, at now: Instant) -> Int? {
        undoable.lastIndex { $0.request.id == undo.request ?? $0.request.id && $0.expires > now }
    }

    /// The intent that takes it back, if it can be.
    package func inverse(_ undo: UndoRequest, at now: Instant) -> Identifier? {
        undoable(undo, at: now).map { undoable[$0].undo.intent }
    }
}

/// What a completion says of taking the request back.
public struct OfferedUndo: Sendable, Hashable {
    public var intent: Identifier
    public var title: String?
    public var expires: Instant

    public init(intent: Identifier, title: String?, expires: Instant) {
        self.intent = intent
        self.title = title
        self.expires = expires
    }
}
