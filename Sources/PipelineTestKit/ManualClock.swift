public import Conversation
import Synchronization

/// A clock that stands still until it is moved.
public final class ManualClock: Sendable {
    private let time: Mutex<Instant>

    /// - Parameter start: 2026-01-01T12:00:00Z unless told otherwise.
    public init(_ start: Instant = Instant(milliseconds: 1_767_268_800_000)) { time = Mutex(start) }

    public var now: Instant { time.withLock { $0 } }

    /// Moves the clock, back if the duration is negative.
    public func advance(by duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
}
