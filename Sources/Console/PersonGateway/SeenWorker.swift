import Conversation
import IntentEvents
import IntentModel

/// A worker process that has a lease, or had one until lately.
struct SeenWorker: Sendable {
    var lease: WorkerLease
    var expires: Instant
    /// When it was seen first, or has started again.
    var since: Instant
    /// When its lease was over, or was withdrawn.
    var gone: Instant?
}

extension Gateway.State {
    /// For how long a worker is shown that is gone, in milliseconds.
    private static let afterlife: Int64 = 120_000

    mutating func noteWorkers(at now: Instant) {
        var present: Set<String> = []
        for (lease, expires) in catalogue.workers {
            let key = "\(lease.service ?? "")/\(lease.instance)"
            present.insert(key)
            let started = lease.started.flatMap(Instant.init(rfc3339:))
            let before = workers[key]
            let isSame = before?.gone == nil && before?.lease.started == lease.started
            workers[key] = SeenWorker(lease: lease, expires: expires, since: started ?? (isSame ? before?.since : nil) ?? now)
        }
        for (key, worker) in workers where !present.contains(key) {
            if let gone = worker.gone {
                if now.milliseconds(since: gone) > Self.afterlife { workers[key] = nil }
            } else {
                workers[key]?.gone = now
            }
        }
    }
}
