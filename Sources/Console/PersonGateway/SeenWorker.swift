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

    var json: JSON {
        .make { writer in
            writer.beginObject()
            writer.member("instance", lease.instance)
            writer.member("service", ifPresent: lease.service)
            writer.member("version", ifPresent: lease.version)
            writer.member("phases", .array(lease.phases.map { .string($0) }))
            writer.member("intents", lease.intents.count)
            writer.member("inApp", lease.inApp.count)
            writer.member("since", since.description)
            writer.member("expires", expires.description)
            writer.member("gone", ifPresent: ended?.description)
            writer.endObject()
        }
    }
}
