package import Conversation
import Foundation
import Synchronization

/// The time of this machine without its jumps, so that setting the machine's clock does not make deadlines expire early
/// or late.
///
/// The clock begins with the machine's time and is driven by a clock that is never set. If the machine's time differs
/// by up to ``limit``, this clock follows it, running at most a tenth faster or slower. It therefore never goes back,
/// and a time limit of two minutes takes two minutes, give or take twelve seconds. It does not follow a jump, which is
/// a larger difference.
package final class SteadyClock: Sendable {
    private struct State {
        /// The last reading of the clock that is never set.
        var elapsed: Duration
        /// The time of this clock at that reading, in milliseconds since 1970.
        var time: Double
    }

    /// The largest difference of the machine's clock that is not a jump.
    package static let limit: Duration = .seconds(60)

    private let wall: @Sendable () -> Double
    private let elapsed: @Sendable () -> Duration
    private let state: Mutex<State>

    /// - Parameters:
    ///   - wall: Returns the machine's time, in milliseconds since 1970.
    ///   - elapsed: Returns the time of a clock that is never set.
    package init(wall: @escaping @Sendable () -> Double, elapsed: @escaping @Sendable () -> Duration) {
        self.wall = wall
        self.elapsed = elapsed
        state = Mutex(State(elapsed: elapsed(), time: wall()))
    }

    /// Creates the clock of this machine.
    package convenience init() {
        let start = ContinuousClock.now
        self.init(wall: { Date().timeIntervalSince1970 * 1_000 }, elapsed: { start.duration(to: .now) })
    }

    package var now: Instant { Instant(milliseconds: Int64(read().time)) }

    /// The lead of the machine's clock over this clock after a jump; negative if the machine's clock is behind. `nil`
    /// if the machine's clock has not jumped, or has returned to within ``limit``.
    package var jump: Duration? {
        let ahead = read().ahead
        return abs(ahead) > Self.limit / .milliseconds(1) ? .milliseconds(Int64(ahead)) : nil
    }

    /// Reads and advances the clock.
    ///
    /// - Returns: The time, and the lead of the machine's clock over it.
    private func read() -> (time: Double, ahead: Double) {
        state.withLock { state in
            let now = elapsed()
            let passed = max(0, (now - state.elapsed) / .milliseconds(1))
            state.elapsed = now
            state.time += passed
            let ahead = wall() - state.time
            if abs(ahead) <= Self.limit / .milliseconds(1) { state.time += max(-passed / 10, min(passed / 10, ahead)) }
            return (state.time, ahead)
        }
    }
}
