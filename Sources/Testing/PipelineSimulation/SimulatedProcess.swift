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

    /// The part of a process that follows the catalogue or publishes to it. Most histories have neither.
    struct CatalogueSide {
        /// A coordinator's follower.
        var follower: CatalogueFollower?
        /// A worker's publisher.
        var publisher: CataloguePublisher?
        /// The own client of the follower or the publisher.
        var client: SimulatedClient?
        /// The time of the publisher's last step.
        var publishedAt: Instant?
        /// The time since which the publisher has stepped without a break.
        var servesSince: Instant?
    }

    let name: String
    let clock: ProcessClock
    /// The latest time to which the clock was set. An earlier run may have skipped work as late that is not late by the
    /// clock of this run.
    var latest = Instant(milliseconds: .min)
    var runs = 0
    var body: Body?
    var isPaused = false
    /// `true` if a record of this run may have failed with later records behind it.
    var mayMissRecords = false
    /// The client of this run.
    var client: InMemoryClient?
    /// The wrapper of the client that the process uses.
    var limited: SimulatedClient?
    /// The standby that follows partitions of other owners; `nil` in most processes.
    var standby: Standby?
    /// The standby's own client.
    var follower: SimulatedClient?
    /// The keeper of the memory of people; `nil` in workers.
    var keeper: MemoryKeeper?
    /// The keeper's own client.
    var keeperClient: SimulatedClient?
    var catalogue = CatalogueSide()
    /// The random choices of the process's standby, keeper and catalogue clients: the order of their steps and the
    /// events per poll.
    var sideRandom = SimulationRandom(seed: 0, "")
    /// The stage of the process's key file.
    var keyFile = 0
    /// The clients that encrypt with the key file.
    var encrypting: [EncryptingClient] = []
    /// Clients of earlier runs that may still be members of the group.
    var earlierClients: [InMemoryClient] = []
    /// The counters of all runs that have ended.
    var report = SimulationReport()

    init(name: String, base: ManualClock) {
        self.name = name
        clock = ProcessClock(base)
    }

    /// The number of dead letters that the log refused for good in runs that have ended.
    private(set) var deadLettersLostBefore = 0

    /// The name of this run.
    var runName: String { "\(name)-\(runs)" }

    var coordinator: Coordinator? { if case .coordinator(let coordinator)? = body { coordinator } else { nil } }
    var worker: Worker? { if case .worker(let worker)? = body { worker } else { nil } }
    /// The number of dead letters that the log has refused for good.
    var deadLettersLost: Int {
        deadLettersLostBefore + (coordinator?.counters.deadLetters.lost ?? worker?.counters.deadLetters.lost ?? 0)
    }

    /// Ends this run.
    func end() {
        deadLettersLostBefore = deadLettersLost
        follower?.inner.crash(.beforeSending)
        (standby, follower) = (nil, nil)
        if let client = keeperClient?.inner {
            client.crash(.beforeSending)
            earlierClients.append(client)
        }
        (keeper, keeperClient) = (nil, nil)
        catalogue.client?.inner.crash(.beforeSending)
        catalogue = CatalogueSide()
        body = nil
        isPaused = false
    }

    /// `true` if keys have arrived or a record waits for a key. More happens then, although the process can't see it.
    var isReadingKeys: Bool {
        !encrypting.isEmpty
            && (encrypting.contains(where: \.isWaiting)
                || [limited, follower, keeperClient].contains { $0?.isBusy == true })
    }

    /// Removes and returns a record that a client has written in plaintext since the last call although it must be
    /// encrypted.
    func removeExposedRecord() -> Record? {
        [limited, follower, keeperClient].lazy.compactMap { $0?.removeExposedRecord() }.first
    }

    /// Evicts the process from its groups. The process notices the eviction only some polls later.
    func evict(noticedAfter polls: Int) {
        client?.evict(noticedAfter: polls)
        keeperClient?.inner.evict(noticedAfter: polls)
    }

    /// Writes the records that the process had queued before it was paused.
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
            // A process that waits in its own loop must see time pass.
            if state.isTicking { state.skew += 250 }
            return state.skew
        }
        return base.now.advanced(byMilliseconds: skew)
    }

    /// Sets the skew in milliseconds. Without `mayGoBack`, the clock never goes back.
    func skew(by skew: Int64, mayGoBack: Bool) { state.withLock { $0.skew = mayGoBack ? skew : max(skew, $0.skew) } }

    /// `true` if the clock is about an hour off.
    var isFarOff: Bool { state.withLock { abs($0.skew) >= 3_000_000 } }

    /// Runs a body that waits for time to pass. Each reading of the clock advances it.
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
