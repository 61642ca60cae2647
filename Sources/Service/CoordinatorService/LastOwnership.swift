import Conversation
import IntentEvents
import Synchronization

/// The partitions of the coordinator's thread, for the thread that publishes the lease.
final class LastOwnership: Sendable {
    private struct State {
        var ownership = WorkerLease.Ownership(partitions: [])
        /// The time of the last update; `nil` before the first.
        var updated: Instant?
        /// The seconds in which the publishing thread ran since then.
        var seconds = 0
    }

    private let state = Mutex(State())

    /// The number of seconds without an update after which the coordinator's thread hangs: it updates every second.
    private static let patience = 5

    func update(_ ownership: WorkerLease.Ownership, at now: Instant) {
        state.withLock { $0 = State(ownership: ownership, updated: now) }
    }

    /// Counts a second in which the publishing thread ran. A process that was stopped as a whole counts none, so that
    /// its coordinator does not seem to hang.
    func countSecond() { state.withLock { $0.seconds += 1 } }

    /// The last ownership. If the coordinator's thread hangs, none of its partitions makes progress.
    var last: WorkerLease.Ownership {
        let state = state.withLock(\.self)
        guard let updated = state.updated, state.seconds >= Self.patience else { return state.ownership }
        var ownership = state.ownership
        ownership.stalls = ownership.partitions.prefix(WorkerLease.Ownership.maximumStalls).map {
            WorkerLease.Stall(partition: $0, since: updated, problem: "the thread of the coordinator hangs")
        }
        return ownership
    }
}
