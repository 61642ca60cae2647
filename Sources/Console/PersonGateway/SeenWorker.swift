import Conversation
import IntentEvents
import IntentModel

/// A worker process with a lease, or whose lease ended recently.
struct SeenWorker: Sendable {
    var lease: WorkerLease
    var expires: Instant
    /// The time at which the worker started or, if its lease does not say so, was first seen.
    var since: Instant
    /// The time at which the lease was seen to have expired or to be withdrawn; `nil` while the worker has one.
    var ended: Instant?
}

extension Gateway.State {
    /// The time for which a worker without a lease is still shown, in milliseconds.
    private static let afterlife: Int64 = 120_000

    mutating func updateWorkers(at now: Instant) {
        var present: Set<String> = []
        for (lease, expires) in catalogue.workers {
            let key = "\(lease.service ?? "")/\(lease.instance)"
            present.insert(key)
            let started = lease.started.flatMap(Instant.init(rfc3339:))
            let before = workers[key]
            let isSame = before?.ended == nil && before?.lease.started == lease.started
            workers[key] = SeenWorker(
                lease: lease, expires: expires, since: started ?? (isSame ? before?.since : nil) ?? now)
        }
        for (key, worker) in workers where !present.contains(key) {
            if let ended = worker.ended {
                if now.milliseconds(since: ended) > Self.afterlife { workers[key] = nil }
            } else {
                workers[key]?.ended = now
            }
        }
    }
}
