import Synchronization

/// The liveness, startup and readiness of this process, for an orchestrator's probes.
///
/// Health does not depend on the broker: restarting every process would not help while the broker is away.
package final class Health: Sendable {
    private struct State {
        var loops: [Heartbeat] = []
        /// The number of loops that must be members of consumer groups; `nil` until it is known.
        var members: Int?
        var isDraining = false
        /// `true` after a signal to end. The loops may not know of it yet.
        var isTerminating = false
        var hasStarted = false
        /// The reason why the process is unready, whatever its loops report; `nil` if there is none.
        var cause: String?
    }

    /// The maximum silence of a loop. Loops wait for at most a second, so a minute of silence means that a loop hangs.
    package static let limit: Duration = .seconds(60)

    private let now: @Sendable () -> Duration
    private let state = Mutex(State())

    /// - Parameter now: Returns the time of a clock that is never set.
    package init(now: @escaping @Sendable () -> Duration) { self.now = now }

    package convenience init() {
        let start = ContinuousClock.now
        self.init { start.duration(to: .now) }
    }

    /// Sets the number of loops that will be members of consumer groups. The process is ready when all of them are
    /// ready.
    package func expect(members: Int) { state.withLock { $0.members = members } }

    /// Registers a loop.
    ///
    /// - Parameters:
    ///   - isMember: `true` if the loop is a member of a consumer group and must be ready.
    ///   - stop: Asks the loop to end, from any thread; `nil` if the loop holds nothing that must be closed.
    package func begin(_ name: String, isMember: Bool, stop: (@Sendable () -> Void)? = nil) -> Heartbeat {
        let loop = Heartbeat(name, isMember: isMember, stop: stop, now)
        state.withLock { $0.loops.append(loop) }
        return loop
    }

    /// Removes a loop that has ended.
    package func end(_ loop: Heartbeat) { state.withLock { $0.loops.removeAll { $0 === loop } } }

    /// Marks the process as ending: it accepts no more work.
    package func drain() { state.withLock { $0.isDraining = true } }

    /// `true` after the loops were asked to end.
    package var isDraining: Bool { state.withLock { $0.isDraining } }

    /// Marks the process as unready after a signal to end.
    package func markTerminating() { state.withLock { $0.isTerminating = true } }

    /// Makes the process unready while there is a cause.
    ///
    /// - Parameter cause: A sentence for operators, without quotation marks; `nil` removes the cause.
    package func suspend(because cause: String?) { state.withLock { $0.cause = cause } }

    /// The cause of ``suspend(because:)``; `nil` if there is none.
    package var cause: String? { state.withLock { $0.cause } }

    /// Asks all loops to end.
    package func stopLoops() {
        drain()
        for loop in loops { loop.stop?() }
    }

    /// `true` if no loop is left that must be closed.
    package var areLoopsClosed: Bool { loops.allSatisfy { $0.stop == nil } }

    package var loops: [Heartbeat] { state.withLock { $0.loops } }

    /// The loops whose silence exceeds ``limit``.
    package var silent: [Heartbeat] { loops.filter { $0.silence > Self.limit } }

    package var isLive: Bool { silent.isEmpty }

    /// `true` if the process has joined its groups, has been assigned its share, and works on it.
    package var isReady: Bool {
        state.withLock { state in
            let members = state.loops.filter(\.isMember)
            // A loop that hangs does not work, whatever it reported with its last poll.
            let isReady =
                !state.isDraining && !state.isTerminating && state.cause == nil
                && state.members.map { members.count >= $0 } == true
                && members.allSatisfy(\.isReady)
                && state.loops.allSatisfy { $0.silence <= Self.limit }
            if isReady { state.hasStarted = true }
            return isReady
        }
    }

    /// `true` once the process was ready, or each of its members has reported its start. A rebalance does not change
    /// the value.
    package var hasStarted: Bool {
        if isReady { return true }
        return state.withLock { state in
            let members = state.loops.filter(\.isMember)
            if state.cause == nil, state.members.map({ members.count >= $0 }) == true, members.allSatisfy(\.hasStarted)
            {
                state.hasStarted = true
            }
            return state.hasStarted
        }
    }
}

/// The liveness signal of one loop. The loop's thread writes it, other threads read it.
package final class Heartbeat: Sendable {
    package let name: String
    package let isMember: Bool
    let stop: (@Sendable () -> Void)?
    private let now: @Sendable () -> Duration
    private let last: Atomic<Int64>
    private let ready = Atomic<Bool>(false)
    private let started = Atomic<Bool>(false)

    init(_ name: String, isMember: Bool, stop: (@Sendable () -> Void)?, _ now: @escaping @Sendable () -> Duration) {
        self.stop = stop
        (self.name, self.isMember, self.now) = (name, isMember, now)
        last = Atomic(Self.milliseconds(now()))
    }

    /// Reports a poll of the loop.
    ///
    /// - Parameter hasStarted: `true` if a restart would not help although the loop is not ready: it serves all of its
    ///   partitions except those that an operator must repair.
    package func beat(isReady: Bool = true, hasStarted: Bool = false) {
        last.store(Self.milliseconds(now()), ordering: .relaxed)
        ready.store(isReady, ordering: .relaxed)
        if isReady || hasStarted { started.store(true, ordering: .relaxed) }
    }

    /// `true` once the loop was ready, or has reported its start.
    var hasStarted: Bool { started.load(ordering: .relaxed) }

    package var isReady: Bool { ready.load(ordering: .relaxed) }

    /// The time since the last poll.
    package var silence: Duration { .milliseconds(max(0, Self.milliseconds(now()) - last.load(ordering: .relaxed))) }

    private static func milliseconds(_ duration: Duration) -> Int64 { Int64(duration / .milliseconds(1)) }
}
