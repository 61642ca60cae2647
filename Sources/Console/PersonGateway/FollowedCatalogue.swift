import Conversation
import IntentEvents
import IntentModel
import RecordLog

/// The catalogue, with the data that a gateway derives from each change of it.
struct FollowedCatalogue: Sendable {
    private var catalogue: Catalogue
    /// The intents that workers serve, by name.
    private(set) var entries: [Catalogue.Entry] = []
    /// The number of changes. While the number stays the same, so do the entries.
    private(set) var changes = 0
    private(set) var titles: [Identifier: String] = [:]
    /// The parameters of each intent that are published and not secret.
    private(set) var storableParameters: [Identifier: Set<String>] = [:]
    /// The processes with a lease, and those whose lease ended recently, by service and instance, as of the last
    /// ``refreshProcesses(at:)``.
    private(set) var processes: [String: SeenProcess] = [:]

    /// The time for which a process without a lease is still shown, in milliseconds.
    private static let afterlife: Int64 = 120_000

    /// - Parameter now: The time at which the gateway begins.
    init(at now: Instant) { catalogue = Catalogue(began: now) }

    /// The number of descriptions that were not stored because there were too many.
    var leftOut: Int { catalogue.leftOut }

    /// Applies a record of the catalogue.
    ///
    /// - Parameter isPast: `true` for a record that was in the log at the start.
    /// - Returns: A warning for the operator, if there is one.
    mutating func apply(_ record: ConsumedRecord, at now: Instant, isPast: Bool) -> String? {
        if (try? catalogue.take(record, at: now, isPast: isPast)) == true { derive() }
        return catalogue.complaint(at: now)
    }

    /// Removes the leases that have expired.
    mutating func expire(at now: Instant) {
        if catalogue.expire(at: now) { derive() }
    }

    private mutating func derive() {
        entries = catalogue.entries
        changes += 1
        let intents = Dictionary(entries.map { ($0.intent, $0) }) { first, _ in first }
        titles = intents.mapValues { $0.published?.title ?? $0.intent.text }
        storableParameters = intents.mapValues(\.storableParameters)
    }

    /// Returns what keeps requests from making progress, as the leases show it.
    func faults(partitions: Int32, at now: Instant) -> [PipelineFault] {
        catalogue.faults(partitions: partitions, at: now)
    }

    /// Updates ``processes``.
    mutating func refreshProcesses(at now: Instant) {
        var present: Set<String> = []
        for process in catalogue.processes {
            let lease = process.lease
            let key = "\(lease.service ?? "")/\(lease.instance)"
            present.insert(key)
            let started = lease.started.flatMap(Instant.init(rfc3339:))
            let before = processes[key]
            let isSame = before?.ended == nil && before?.lease.started == lease.started
            processes[key] = SeenProcess(
                lease: lease, since: started ?? (isSame ? before?.since : nil) ?? now, renewed: process.seen,
                isLate: process.isLate(at: now))
        }
        for (key, process) in processes where !present.contains(key) {
            if let ended = process.ended {
                if now.milliseconds(since: ended) > Self.afterlife { processes[key] = nil }
            } else {
                processes[key]?.ended = now
            }
        }
    }
}
