import Conversation
import IntentEvents
import IntentModel
import RecordLog

/// The catalogue, with the data that a gateway derives from each change of it.
struct FollowedCatalogue: Sendable {
    private var catalogue = Catalogue()
    /// The intents that workers serve, by name.
    private(set) var entries: [Catalogue.Entry] = []
    /// The number of changes. While the number stays the same, so do the entries.
    private(set) var changes = 0
    private(set) var titles: [Identifier: String] = [:]
    /// The parameters of each intent that are published and not secret.
    private(set) var storableParameters: [Identifier: Set<String>] = [:]
    /// The workers with a lease, and those whose lease ended recently, by service and instance.
    private(set) var workers: [String: SeenWorker] = [:]

    /// The time for which a worker without a lease is still shown, in milliseconds.
    private static let afterlife: Int64 = 120_000

    /// The number of descriptions that were not stored because there were too many.
    var leftOut: Int { catalogue.leftOut }

    /// Applies a record of the catalogue.
    ///
    /// - Parameter isPast: `true` for a record that was in the log at the start.
    /// - Returns: A warning for the operator, if there is one.
    mutating func apply(_ record: ConsumedRecord, at now: Instant, isPast: Bool) -> String? {
        if (try? catalogue.take(record, at: now, isPast: isPast)) == true {
            entries = catalogue.entries
            changes += 1
            let intents = Dictionary(entries.map { ($0.intent, $0) }) { first, _ in first }
            titles = intents.mapValues { $0.published?.title ?? $0.intent.text }
            storableParameters = intents.mapValues(\.storableParameters)
            updateWorkers(at: now)
        }
        return catalogue.complaint(at: now)
    }

    /// Removes the leases that have expired.
    mutating func expire(at now: Instant) {
        _ = catalogue.expire(at: now)
        updateWorkers(at: now)
    }

    private mutating func updateWorkers(at now: Instant) {
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
