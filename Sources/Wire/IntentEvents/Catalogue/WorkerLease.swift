public import Conversation
public import IntentModel

/// What one process serves, for as long as it says so again and again. An intent is in the catalogue while a lease names it. Coordinators have leases that name none.
public struct WorkerLease: Sendable, Hashable {
    /// `nil` for the default service.
    public var service: String?
    /// The process.
    public var instance: String
    /// The version of the service that it runs.
    public var version: String?
    /// The intents whose work it takes from the extension's topics.
    public var intents: [Identifier]
    /// The intents whose work it takes from the app's topics.
    public var inApp: [Identifier]
    /// The phases that it works on, by the names of their topics: `resolve`, `handle-in-app`. `coordinate` for a coordinator.
    public var phases: [String]
    /// Milliseconds after which it counts no more if it is not renewed.
    public var validFor: Int
    /// When the process started, in RFC 3339: another time under the same name is another process. `nil` if it does not say.
    public var started: String?
    /// Milliseconds after which the process renews it. One that has missed two renewals is late.
    public var renewal: Int
    /// What a coordinator owns. `nil` for a worker, and for a coordinator that does not say.
    public var ownership: Ownership?

    /// How often a process renews its lease, in milliseconds.
    public static let renewal = 5_000
    /// How often a process renews a lease that does not say.
    static let unstatedRenewal = 60_000
    /// How long the intents of a lease are served without it being renewed: long enough for a restart.
    public static let duration = 300_000
    /// The longest time that a lease may ask for: a day.
    static let maximumDuration = 86_400_000

    public init(
        service: String? = nil, instance: String, version: String? = nil, intents: [Identifier] = [],
        inApp: [Identifier] = [],
        phases: [String] = [], validFor: Int = WorkerLease.duration, started: String? = nil,
        renewal: Int = WorkerLease.renewal
    ) {
        self.service = service
        self.instance = instance
        self.version = version
        self.intents = intents
        self.inApp = inApp
        self.phases = phases
        self.validFor = validFor
        self.started = started
        self.renewal = renewal
    }

    /// The lease of a coordinator.
    ///
    /// - Parameters:
    ///   - name: the process.
    ///   - started: when it started.
    public static func ofCoordinator(_ name: String, started: Instant) -> WorkerLease {
        WorkerLease(instance: "coordinator-\(name)", phases: [coordinating], started: started.description)
    }

    /// What a coordinator's lease has in ``phases``.
    private static let coordinating = "coordinate"

    /// Whether it is the lease of a coordinator.
    public var isOfCoordinator: Bool { phases == [Self.coordinating] }

    /// Whether the same process serves the same intents by another lease.
    func serves(like other: WorkerLease) -> Bool {
        (service, instance, version, started) == (other.service, other.instance, other.version, other.started)
            && (intents, inApp, phases) == (other.intents, other.inApp, other.phases)
    }

    var json: JSON {
        .make { writer in
            writer.beginObject()
            writer.member("service", ifPresent: service)
            writer.member("instance", instance)
            writer.member("version", ifPresent: version)
            writer.member("intents", .array(intents.map { .string($0) }))
            if !inApp.isEmpty { writer.member("inApp", .array(inApp.map { .string($0) })) }
            writer.member("phases", .array(phases.map { .string($0) }))
            writer.member("validFor", validFor)
            writer.member("started", ifPresent: started)
            writer.member("renewal", renewal)
            if let ownership {
                writer.member("partitions", .array(ownership.partitions.map { .number(Int($0)) }))
                if !ownership.stalls.isEmpty { writer.member("stalls", .array(ownership.stalls.map(\.json))) }
            }
            writer.endObject()
        }
    }
}

extension WorkerLease {
    /// The partitions of a coordinator, as its lease tells them.
    public struct Ownership: Sendable, Hashable {
        /// The partitions that the coordinator serves or is taking over.
        public var partitions: [Int32]
        /// Those of them that make no progress, at most ``maximumStalls``.
        public var stalls: [Stall]

        public static let maximumPartitions = 100_000
        public static let maximumStalls = 100

        public init(partitions: [Int32], stalls: [Stall] = []) {
            self.partitions = partitions
            self.stalls = stalls
        }
    }

    /// A partition that makes no progress although it should.
    public struct Stall: Sendable, Hashable {
        public var partition: Int32
        /// The time of its last progress, by the coordinator's clock.
        public var since: Instant
        /// What it waits for, in a clause that follows the partition, such as `"its decisions are not acknowledged"`; 1 to ``maximumLength`` bytes.
        public var problem: String

        public static let maximumLength = 500

        public init(partition: Int32, since: Instant, problem: String) {
            self.partition = partition
            self.since = since
            self.problem = problem
        }

        fileprivate var json: JSON {
            .make { writer in
                writer.beginObject()
                writer.member("partition", Int(partition))
                writer.member("since", since.description)
                writer.member("problem", problem)
                writer.endObject()
            }
        }
    }
}
