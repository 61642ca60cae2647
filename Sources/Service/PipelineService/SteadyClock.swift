package import Conversation
import Foundation
import Synchronization

/// The time of this machine without its jumps: deadlines must not expire early or late because the machine's clock is set.
///
/// It begins with the machine's time and counts by a clock that is never set. If the machine's time differs by up to ``limit``, it follows by at most a tenth. So it
/// never goes back, and a time limit of two minutes takes two minutes, give or take twelve seconds. It does not follow a jump, which is more than that.
package final class SteadyClock: Sendable {
    private struct State {
        /// The clock that is never set, when it was last read.
        var elapsed: Duration
        /// The time then, in milliseconds since 1970.
        var time: Double
    }

    /// The largest difference of the machine's clock that is no jump.
    package static let limit: Duration = .seconds(60)

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

    package var now: Instant { Instant(milliseconds: Int64(read().time)) }

    /// By how much the machine's clock is ahead of the time that has passed, if it has jumped; negative if it is behind. `nil` if it has not jumped, or has jumped
    /// back.
    package var jump: Duration? {
        let ahead = read().ahead
        return abs(ahead) > Self.limit / .milliseconds(1) ? .milliseconds(Int64(ahead)) : nil
    }

    /// - Returns: The time, and by how much the machine's clock is ahead of it.
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
