import Conversation
import IntentModel
import Pipeline
import PipelineTestKit
import RecordEncryption
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
    /// What a coordinator knows of the catalogue, or what a worker publishes there, with a client of its own; `nil` in most histories.
    var catalogue: CatalogueFollower?
    var publisher: CataloguePublisher?
    var catalogueClient: SimulatedClient?
    /// When the publisher took its last step, and since when it has taken them without a break.
    var publishedAt: Instant?
    var servesSince: Instant?
    /// When it is the standby's turn.
    var turns = SimulationRandom(seed: 0, "")
    /// Which key file it has, and the clients that encrypt with it.
    var keyFile = 0
    var encrypting: [EncryptingClient] = []
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
        catalogueClient?.inner.crash(.beforeSending)
        (catalogue, publisher, catalogueClient) = (nil, nil, nil)
        (publishedAt, servesSince) = (nil, nil)
        body = nil
        isPaused = false
    }

    /// Whether keys have come, or a record waits for one: then more happens, although the process knows nothing of it.
    var isReadingKeys: Bool {
        !encrypting.isEmpty
            && (encrypting.contains(where: \.isWaiting) || [limited, follower, keeperClient].contains { $0?.isBusy == true })
    }

    /// A record that a client has written in plain, and should not have, since the last call.
    func takeExposed() -> Record? { [limited, follower, keeperClient].lazy.compactMap { $0?.takeExposed() }.first }

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
