package import Conversation
import Foundation
import Synchronization

/// The time of this machine without its jumps: deadlines must not expire early or late because the machine's clock is set.
///
/// It begins with the machine's time and counts by a clock that is never set. If the machine's time differs, it follows by at most a tenth: an hour takes ten
/// hours. So it never goes back, and a time limit of two minutes takes two minutes, give or take twelve seconds.
package final class SteadyClock: Sendable {
    private struct State {
        /// The clock that is never set, when it was last read.
        var elapsed: Duration
        /// The time then, in milliseconds since 1970.
        var time: Double
    }

    private let wall: @Sendable () -> Double
    private let elapsed: @Sendable () -> Duration
    private let state: Mutex<State>

    /// - Parameters:
    ///   - wall: the machine's time, in milliseconds since 1970.
    ///   - elapsed: a time that is never set.
    package init(wall: @escaping @Sendable () -> Double, elapsed: @escaping @Sendable () -> Duration) {
        self.wall = wall
        self.elapsed = elapsed
        state = Mutex(State(elapsed: elapsed(), time: wall()))
    }

    /// The clock of this machine.
    package convenience init() {
        let start = ContinuousClock.now
        self.init(wall: { Date().timeIntervalSince1970 * 1_000 }, elapsed: { start.duration(to: .now) })
    }

    package var now: Instant {
        let time = state.withLock { state in
            let now = elapsed()
            let passed = max(0, (now - state.elapsed) / .milliseconds(1))
            let difference = wall() - (state.time + passed)
            state.time += passed + max(-passed / 10, min(passed / 10, difference))
            state.elapsed = now
            return state.time
        }
        return Instant(milliseconds: Int64(time))
    }
}
