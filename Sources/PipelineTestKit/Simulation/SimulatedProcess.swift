import Conversation
import Pipeline
import RecordLog
import Synchronization

/// One process of a history, including its restarts.
final class SimulatedProcess {
    enum Body {
        case coordinator(Coordinator)
        case worker(Worker)
    }

    let name: String
    let clock: ProcessClock
    /// The latest time that the clock had when it was set. A life with that time may have left work alone that is not late by the clock of this one.
    var latest = Instant(milliseconds: .min)
    var lives = 0
    var body: Body?
    var isPaused = false
    /// Whether a record of this life may have failed with later ones behind it.
    var mayMissRecords = false
    /// The client of this life, and its wrapper that the process uses.
    var client: InMemoryClient?
    var limited: SimulatedClient?
    /// Follows the partitions of others; `nil` in most processes. Its client is its own.
    var standby: Standby?
    var follower: SimulatedClient?
    /// Keeps what is remembered about people; `nil` in workers. Its client is its own.
    var keeper: MemoryKeeper?
    var keeperClient: SimulatedClient?
    /// When it is the standby's turn.
    var turns = SimulationRandom(seed: 0, "")
    /// Clients of earlier lives that may still be members of the group.
    var graves: [InMemoryClient] = []
    /// The counters of all lives that have ended.
    var report = SimulationReport()

    init(name: String, base: ManualClock) {
        self.name = name
        clock = ProcessClock(base)
    }

    /// The dead letters that the log has refused to lives that have ended.
    private(set) var deadLettersLostBefore = 0

    /// This life's name.
    var life: String { "\(name)-\(lives)" }

    var coordinator: Coordinator? { if case .coordinator(let coordinator)? = body { coordinator } else { nil } }
    var worker: Worker? { if case .worker(let worker)? = body { worker } else { nil } }
    /// The dead letters that the log has refused for good.
    var deadLettersLost: Int { deadLettersLostBefore + (coordinator?.counters.deadLettersLost ?? worker?.counters.deadLettersLost ?? 0) }

    /// This life is over.
    func end() {
        deadLettersLostBefore = deadLettersLost
        follower?.inner.crash(.beforeSending)
        (standby, follower) = (nil, nil)
        if let client = keeperClient?.inner {
            client.crash(.beforeSending)
            graves.append(client)
        }
        (keeper, keeperClient) = (nil, nil)
        body = nil
        isPaused = false
    }

    /// Its groups give its partitions to others, and it notices that only some polls later.
    func evict(noticedAfter polls: Int) {
        client?.evict(noticedAfter: polls)
        keeperClient?.inner.evict(noticedAfter: polls)
    }

    /// The records are written that it had queued before it was paused.
    func writeQueues() {
        client?.writeQueue()
        keeperClient?.inner.writeQueue()
    }

    var isRunning: Bool { body != nil && !isPaused }
}

/// The clock of one process: the shared clock plus a skew.
final class ProcessClock: Sendable {
    private let base: ManualClock
    private let state = Mutex((skew: Int64(0), isTicking: false))

    init(_ base: ManualClock) { self.base = base }

    var now: Instant {
        let skew = state.withLock { state in
            // A process that waits in its own loop has to see time pass.
            if state.isTicking { state.skew += 250 }
            return state.skew
        }
        return base.now.advanced(byMilliseconds: skew)
    }

    /// Sets the skew in milliseconds, unless the clock would go back and may not.
    func skew(by skew: Int64, mayGoBack: Bool) { state.withLock { $0.skew = mayGoBack ? skew : max(skew, $0.skew) } }

    /// `true` if the clock is about an hour off.
    var isFarOff: Bool { state.withLock { abs($0.skew) >= 3_000_000 } }

    /// Runs a loop that waits for time to pass.
    func ticking<Result>(_ body: () -> Result) -> Result {
        let before = state.withLock { state in
            state.isTicking = true
            return state.skew
        }
        defer {
            state.withLock { $0 = (before, false) }
        }
        return body()
    }
}
