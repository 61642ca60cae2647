import Conversation
import IntentEvents
import IntentModel

/// The sessions and the figures that a gateway derives from events.
struct Timeline: Sendable {
    private(set) var board: SessionBoard
    private(set) var figures = Figures()
    private var filter = SequenceFilter()
    private var changed: Set<Identifier> = []

    init(board: SessionBoard) { self.board = board }

    /// Applies an event of a result.
    ///
    /// - Parameter isPast: `true` for an event from before the gateway started.
    /// - Returns: `false` if the result is a copy.
    mutating func apply(_ event: TimelineEvent, of result: ReceivedResult, at now: Instant, isPast: Bool = false)
        -> Bool
    {
        switch filter.judge(result) {
        case .new: break
        case .copy:
            figures.copy()
            return false
        case .gap: figures.gap()
        }
        return apply(event, at: now, isPast: isPast)
    }

    /// Applies an event.
    ///
    /// - Returns: `false` if the event is a copy.
    mutating func apply(_ event: TimelineEvent, at now: Instant, isPast: Bool = false) -> Bool {
        let (isNew, ended) = board.apply(event)
        guard isNew else { return false }
        figures.count(event, ended: ended, at: now, isPast: isPast)
        if let session = event.session { changed.insert(session) }
        return true
    }

    /// Returns the sessions that have changed since the last call, and clears them.
    mutating func drainChanged() -> Set<Identifier> {
        defer { changed = [] }
        return changed
    }
}
