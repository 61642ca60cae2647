public import Conversation
import IntentModel

extension Catalogue {
    /// A process that has a lease.
    public struct Process: Sendable, Hashable {
        public var lease: WorkerLease
        /// When it renewed its lease last, by the reader's clock.
        public var seen: Instant
        /// The same by the broker's clock.
        public var renewed: Instant
        /// The same by its own clock.
        public var written: Instant
        /// The lead of its clock over the broker's; negative if it is behind.
        public var clockLead: Duration

        /// The difference between a process's clock and the broker's with which its times and deadlines can't be trusted.
        public static let clockTolerance: Duration = .seconds(10)

        /// Whether a clock's lead over the broker's, which is negative if it is behind, exceeds ``clockTolerance``.
        public static func isApart(_ lead: Duration) -> Bool { lead > clockTolerance || lead < .zero - clockTolerance }
    }

    /// When something was named in a lease.
    struct Sighting: Sendable {
        /// The lease's timestamp, by the broker's clock.
        var renewed: Instant
        /// When the lease was read, by the reader's clock.
        var read: Instant
        /// Whether it was in the log before the reader began, so that it is older than the reader has known it.
        var isPast: Bool

        var byLogTime: Sighting { Sighting(renewed: renewed, read: renewed, isPast: false) }

        /// Takes the place of an older one. Partitions of the topic are read one after the other.
        func replaceOlder(in known: inout Sighting?) {
            if known.map({ $0.renewed <= renewed }) ?? true { known = self }
        }
    }

    /// A phase of a service.
    struct ServicePhase: Sendable, Hashable {
        /// `nil` for the default service.
        var service: String?
        /// The name of its topic, such as `handle-in-app`.
        var phase: String

        static let names = Phase.allCases.map(\.rawValue) + Phase.allCases.map { "\($0.rawValue)-in-app" }
    }
}

extension Catalogue.Process {
    /// Whether it has missed two renewals, and does not come with a third that is only a little late.
    public func isLate(at now: Instant) -> Bool {
        age(at: now) > min(Int64(2 * lease.renewal + 1_000), Int64(lease.validFor) - 1)
    }

    /// Whether it has missed a renewal, and is not late yet.
    public func isSuspect(at now: Instant) -> Bool { age(at: now) > Int64(lease.renewal + 1_000) && !isLate(at: now) }

    /// The name of the process in words.
    public var name: String {
        if lease.isOfCoordinator { return "coordinator \(lease.instance.trimmingPrefix("coordinator-"))" }
        return "worker \(lease.instance)\(lease.service.map { " of \($0)" } ?? "")"
    }

    /// Milliseconds since it renewed its lease.
    func age(at now: Instant) -> Int64 { max(0, now.milliseconds(since: seen)) }

    /// When it started, by the broker's clock; `nil` if it does not say.
    var started: Instant? {
        lease.started.flatMap { Instant(rfc3339: $0) }?.advanced(by: .zero - clockLead)
    }
}
