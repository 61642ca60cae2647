import DequeModule
import Synchronization

/// The queue of events for one reader. A reader that is too slow is disconnected: the queue has at most
/// ``maximumEvents`` and ``maximumBytes``.
package final class Subscription: Sendable {
    package enum Ending: Sendable, Hashable {
        /// The reader was too slow. It can resume after the last event that it has.
        case tooSlow
        /// The gateway has closed.
        case closed
        /// The reader has left.
        case cancelled
    }

    package enum Next: Sendable {
        /// The events that have arrived. An empty list is a sign of life after a time without events.
        case events([TimelineEvent])
        case ended(Ending)
    }

    fileprivate struct State {
        var waiting: Deque<TimelineEvent> = []
        var bytes = 0
        var hasPulse = false
        var ending: Ending?
        var reader: CheckedContinuation<Next, Never>?
        var atEnd: [CheckedContinuation<Ending, Never>] = []
    }

    package static let maximumEvents = 1_000
    package static let maximumBytes = 1 << 20

    private let state = Mutex(State())
    /// The turn in which the reader gets a sign of life; see ``Readers/turns``.
    let turn: Int

    /// - Parameter events: The events that come first.
    init(_ events: [TimelineEvent] = [], turn: Int = 0) {
        self.turn = turn
        state.withLock { state in
            state.waiting = Deque(events)
            state.bytes = events.reduce(0) { $0 + $1.bytes }
        }
    }

    /// Returns the events since the last call, oldest first. Waits until there is one.
    package func next() async -> Next {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let now: Next? = state.withLock { state in
                    if let next = state.popNext() { return next }
                    state.reader = continuation
                    return nil
                }
                if let now { continuation.resume(returning: now) }
            }
        } onCancel: {
            end(.cancelled)
        }
    }

    /// Waits until the subscription ends.
    package func ended() async -> Ending {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ending: Ending? = state.withLock { state in
                    if state.ending == nil { state.atEnd.append(continuation) }
                    return state.ending
                }
                if let ending { continuation.resume(returning: ending) }
            }
        } onCancel: {
            end(.cancelled)
        }
    }

    package var ending: Ending? { state.withLock { $0.ending } }

    /// Adds events to the queue.
    ///
    /// - Returns: `true` if the reader was disconnected because it is too slow.
    func offer(_ events: some Collection<TimelineEvent>) -> Bool {
        let bytes = events.reduce(0) { $0 + $1.bytes }
        let isTooMuch = state.withLock { state in
            guard state.ending == nil else { return false }
            // A reader with an empty queue is not too slow, so the queue accepts a batch of any size.
            let isFull =
                state.waiting.count + events.count > Self.maximumEvents || state.bytes + bytes > Self.maximumBytes
            if isFull, !state.waiting.isEmpty { return true }
            state.waiting.append(contentsOf: events)
            state.bytes += bytes
            return false
        }
        if isTooMuch { end(.tooSlow) } else { wake() }
        return isTooMuch
    }

    /// Sends the reader a sign of life.
    func pulse() {
        state.withLock { $0.hasPulse = true }
        wake()
    }

    package func end(_ ending: Ending) {
        let waiting = state.withLock { state in
            guard state.ending == nil else { return [CheckedContinuation<Ending, Never>]() }
            state.ending = ending
            // When the gateway closes, the reader still gets the events in the queue.
            if ending != .closed { state.waiting = [] }
            defer { state.atEnd = [] }
            return state.atEnd
        }
        for continuation in waiting { continuation.resume(returning: ending) }
        wake()
    }

    private func wake() {
        let woken = state.withLock { state -> (CheckedContinuation<Next, Never>, Next)? in
            guard let reader = state.reader, let next = state.popNext() else { return nil }
            state.reader = nil
            return (reader, next)
        }
        if let (reader, next) = woken { reader.resume(returning: next) }
    }
}

extension Subscription.State {
    fileprivate mutating func popNext() -> Subscription.Next? {
        if let ending, waiting.isEmpty { return .ended(ending) }
        guard !waiting.isEmpty || hasPulse else { return nil }
        hasPulse = false
        bytes = 0
        defer { waiting = [] }
        return .events(Array(waiting))
    }
}
