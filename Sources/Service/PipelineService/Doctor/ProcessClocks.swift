import Conversation
import IntentEvents
package import RecordLog

/// Derives the clock differences of processes from their newest leases: the process dates the event, and the broker
/// dates the record.
package struct ProcessClocks: Sendable {
    private struct Seen {
        var lease: WorkerLease
        var ahead: Duration
        var renewed: Instant
    }

    private var seen: [CatalogueKey: Seen] = [:]
    private var newest = Instant.earliest

    package init() {}

    /// Applies a record of `intents.catalog`. Records other than leases are ignored.
    package mutating func apply(_ record: ConsumedRecord) {
        guard let read = try? CatalogueRecord(record) else { return }
        newest = max(newest, Instant(milliseconds: record.timestamp))
        switch read {
        case .intent: break
        case .withdrawn(let key): seen[key] = nil
        case .lease(let lease, let renewed):
            let sent = record.header("ce_time").flatMap { String(validating: $0, as: UTF8.self) }.flatMap {
                Instant(rfc3339: $0)
            }
            seen[read.key] = sent.map { Seen(lease: lease, ahead: renewed.duration(to: $0), renewed: renewed) }
        }
    }

    /// The processes with valid leases, by name, and the lead of their clocks over the broker's clock. The lead is
    /// negative if the clock is behind, or if the lease waited for the broker.
    package var differences: [(process: String, ahead: Duration)] {
        seen.values.filter { $0.renewed.advanced(by: .milliseconds($0.lease.validFor)) > newest }
            .map { ($0.lease.process, $0.ahead) }.sorted { $0.process < $1.process }
    }
}

extension WorkerLease {
    /// The name of the process in words.
    fileprivate var process: String {
        isOfCoordinator ? instance : "worker \(instance)\(service.map { " of \($0)" } ?? "")"
    }
}
