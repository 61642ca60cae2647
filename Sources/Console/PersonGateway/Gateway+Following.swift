import IntentModel
import Synchronization

// The readers of events.
extension Gateway {
    func publish(_ events: [TimelineEvent]) {
        if events.isEmpty { return }
        for (readers, events) in state.withLock({ $0.readers.recipients(of: events) }) {
            let events = readers.count > 1 ? events.map(\.forReaders) : events
            let cut = readers.count { $0.offer(events) }
            if cut > 0 { state.withLock { $0.readers.cut += cut } }
        }
    }

    /// Follows the events of a session until ``cancel(_:of:)``.
    ///
    /// - Parameter after: The place of the last result that the reader has. Later results come first if they are stored
    ///   here. `nil` for new events only.
    /// - Returns: The subscription, and the offsets of results that should have come first but are not stored here.
    func follow(_ session: Identifier, after: LogPosition? = nil) -> (events: Subscription, missing: Range<Int64>?) {
        state.withLock { state in
            let known = state.timeline.board[session]
            let stored = after.map { known?.results(after: $0) } ?? []
            let missing = stored == nil ? after.flatMap(state.followed.results) : nil
            return (state.readers.add(stored ?? [], of: session), missing)
        }
    }

    /// Follows the events of all sessions from now on.
    ///
    /// - Returns: The subscription, and the offset of the first result to come, by partition.
    func followAll() -> (events: Subscription, from: [Int32: Int64]) {
        state.withLock { state in (state.readers.add(of: nil), state.followed.nextResults) }
    }

    /// Ends a subscription and removes it.
    func cancel(_ subscription: Subscription, of session: Identifier? = nil) {
        subscription.end(.cancelled)
        state.withLock { $0.readers.remove(subscription, of: session) }
    }
}
