import Synchronization

/// Whether this process is alive, has started, and is ready: what an orchestrator asks.
///
/// It says nothing of the broker. If that is away, it would help nobody to start every process again.
package final class Health: Sendable {
    private struct State {
        var loops: [Heartbeat] = []
        /// How many loops have to be members of consumer groups; `nil` until that is known.
        var members: Int?
        var isDraining = false
        /// A signal to end has come. The loops may not know it yet.
        var isToEnd = false
        var hasStarted = false
        /// Why the process is not ready, whatever its loops say; `nil` if nothing is wrong.
        var cause: String?
    }

    /// How long a loop may be silent. Loops wait for at most a second, so a minute of silence means that one hangs.
    package static let limit: Duration = .seconds(60)

    private let now: @Sendable () -> Duration
    private let state = Mutex(State())

    /// - Parameter now: a clock that is never set.
    package init(now: @escaping @Sendable () -> Duration) { self.now = now }

    package convenience init() {
        let start = ContinuousClock.now
        self.init { start.duration(to: .now) }
    }

    /// Says how many loops will be members of consumer groups. The process is ready when all of them are.
    package func expect(members: Int) { state.withLock { $0.members = members } }

    /// A loop begins.
    ///
    /// - Parameters:
    ///   - isMember: whether it is a member of a consumer group, and so has to be ready.
    ///   - stop: asks it to end, from any thread; `nil` if it holds nothing that has to be closed.
    package func begin(_ name: String, isMember: Bool, stop: (@Sendable () -> Void)? = nil) -> Heartbeat {
        let loop = Heartbeat(name, isMember: isMember, stop: stop, now)
        state.withLock { $0.loops.append(loop) }
        return loop
    }

    /// The loop has ended as it should.
    package func end(_ loop: Heartbeat) { state.withLock { $0.loops.removeAll { $0 === loop } } }

    /// The process ends: it takes no more work.
    package func drain() { state.withLock { $0.isDraining = true } }

    /// Whether the loops were told to end.
    package var isDraining: Bool { state.withLock { $0.isDraining } }

    /// A signal to end has come: the process is not ready from now on.
    package func noteSignal() { state.withLock { $0.isToEnd = true } }

    /// Keeps the process unready.
    ///
    /// - Parameter cause: a sentence for operators, without quotation marks; `nil` ends it.
    package func suspend(because cause: String?) { state.withLock { $0.cause = cause } }

    /// Why the process is kept unready; `nil` if it is not.
    package var cause: String? { state.withLock { $0.cause } }

    /// Asks all loops to end.
    package func stopLoops() {
        drain()
        for loop in loops { loop.stop?() }
    }

    /// Whether no loop is left that has something to close.
    package var areLoopsClosed: Bool { loops.allSatisfy { $0.stop == nil } }

    package var loops: [Heartbeat] { state.withLock { $0.loops } }

    /// The loops that have been silent for too long.
    package var silent: [Heartbeat] { loops.filter { $0.silence > Self.limit } }

    package var isLive: Bool { silent.isEmpty }

    /// Whether it has joined its groups, knows its share, and works on it.
    package var isReady: Bool {
        state.withLock { state in
            let members = state.loops.filter(\.isMember)
            // A loop that hangs does not work, whatever it said when it polled last.
            let isReady =
                !state.isDraining && !state.isToEnd && state.cause == nil && state.members.map { members.count >= $0 } == true
                && members.allSatisfy(\.isReady)
                && state.loops.allSatisfy { $0.silence <= Self.limit }
            if isReady { state.hasStarted = true }
            return isReady
        }
    }

    /// `true` once the process was ready, or each of its loops has said that it has started. A rebalance does not change that.
    package var hasStarted: Bool {
        if isReady { return true }
        return state.withLock { state in
            let members = state.loops.filter(\.isMember)
            if state.cause == nil, state.members.map({ members.count >= $0 }) == true, members.allSatisfy(\.hasStarted) {
                state.hasStarted = true
            }
            return state.hasStarted
        }
    }
}

/// The sign of life of one loop. The loop's thread writes it, others read it.
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

    /// The loop has polled.
    ///
    /// - Parameter hasStarted: `true` if a restart would not help, although the loop is not ready: it works on all of its share but what an operator has to repair.
    package func beat(isReady: Bool = true, hasStarted: Bool = false) {
        last.store(Self.milliseconds(now()), ordering: .relaxed)
        ready.store(isReady, ordering: .relaxed)
        if isReady || hasStarted { started.store(true, ordering: .relaxed) }
    }

    /// `true` once the loop was ready, or said that it has started.
    var hasStarted: Bool { started.load(ordering: .relaxed) }

    package var isReady: Bool { ready.load(ordering: .relaxed) }

    /// How long ago it has polled.
    package var silence: Duration { .milliseconds(max(0, Self.milliseconds(now()) - last.load(ordering: .relaxed))) }

    private static func milliseconds(_ duration: Duration) -> Int64 { Int64(duration / .milliseconds(1)) }
}
