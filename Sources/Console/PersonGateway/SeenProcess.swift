import Conversation
import IntentEvents
import IntentModel

/// A process with a lease, or whose lease ended recently.
struct SeenProcess: Sendable {
    var lease: WorkerLease
    /// The time at which the process started or, if its lease does not say so, was first seen.
    var since: Instant
    /// The time at which its lease was renewed last.
    var renewed: Instant
    /// `true` if it has missed two renewals.
    var isLate: Bool
    /// The time at which the lease was seen to have expired or to be withdrawn; `nil` while the process has one.
    var ended: Instant?

    var json: JSON {
        .make { writer in
            writer.beginObject()
            writer.member("instance", lease.instance)
            writer.member("service", ifPresent: lease.service)
            writer.member("version", ifPresent: lease.version)
            writer.member("since", since.description)
            writer.member("renewed", renewed.description)
            if isLate { writer.member("late", true) }
            writer.member("gone", ifPresent: ended?.description)
            if lease.isOfCoordinator {
                if let ownership = lease.ownership {
                    writer.member("partitions", .array(ownership.partitions.map { .number(Int($0)) }))
                    writer.member("stalled", .array(ownership.stalls.map { .number(Int($0.partition)) }))
                }
            } else {
                writer.member("phases", .array(lease.phases.map { .string($0) }))
                writer.member("intents", lease.intents.count)
                writer.member("inApp", lease.inApp.count)
            }
            writer.endObject()
        }
    }
}
