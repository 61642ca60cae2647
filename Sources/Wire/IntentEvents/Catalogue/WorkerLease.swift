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

    /// How often a worker renews its lease, in milliseconds.
    public static let renewal = 60_000
    /// How long a lease counts without being renewed: it outlasts four renewals that are lost or late, and a restart.
    public static let duration = 300_000
    /// The longest time that a lease may ask for: a day.
    static let maximumDuration = 86_400_000

    public init(
        service: String? = nil, instance: String, version: String? = nil, intents: [Identifier] = [],
        inApp: [Identifier] = [],
        phases: [String] = [], validFor: Int = WorkerLease.duration, started: String? = nil
    ) {
        self.service = service
        self.instance = instance
        self.version = version
        self.intents = intents
        self.inApp = inApp
        self.phases = phases
        self.validFor = validFor
        self.started = started
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
            writer.endObject()
        }
    }
}
