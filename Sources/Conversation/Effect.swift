public import IntentModel

/// What a decision wants done.
public enum Effect: Sendable, Hashable {
    /// Write to a work topic.
    case work(Work)
    /// Tell the person's side.
    case result(SessionResult)
    /// Nothing: the event came too late, twice, or for something that is not there.
    case ignored(Ignored)
    /// Forget the session.
    case ended
}

extension [Effect] {
    /// Whether the event changed nothing.
    public var isIgnored: Bool { if case .ignored? = first { true } else { false } }
}
