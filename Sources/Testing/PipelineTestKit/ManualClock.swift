public import Conversation
import Synchronization

/// A clock that moves only when ``advance(by:)`` is called.
public final class ManualClock: Sendable {
    private let time: Mutex<Instant>

    /// - Parameter start: The first time. Defaults to 2026-01-01T12:00:00Z.
    public init(_ start: Instant = Instant(milliseconds: 1_767_268_800_000)) { time = Mutex(start) }

    public var now: Instant { time.withLock { $0 } }

    /// Moves the clock. A negative duration moves it back.
    public func advance(by duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
}
