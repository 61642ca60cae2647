import CoreMetrics
import Foundation
import IntentEvents
public import IntentKit
import IntentRuntime
public import Logging
import Pipeline
import PipelineService
import RDKafkaLog
import RecordLog
public import ServiceLifecycle
import Tracing

/// A worker for programs with their own `main`: a service of swift-service-lifecycle that resolves, confirms and
/// handles your intents.
///
/// ```swift
/// let worker = try IntentWorker(
///     extensions: [GreenhouseExtension()],
///     configuration: .init(bootstrapServers: "kafka1:9092,kafka2:9092"), logger: logger)
/// let group = ServiceGroup(
///     services: [worker, myHTTPServer], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
/// try await group.run()
/// ```
/// On graceful shutdown, the worker accepts no more work, gives running handlers up to 15 s, commits finished work and
/// leaves its groups. Programs without their own `main` conform to ``WorkerProgram`` instead, which adds a command
/// line.
public struct IntentWorker: Service, CustomStringConvertible {
    /// The connection of an ``IntentWorker`` to Kafka, and its roles.
    public struct Configuration: Sendable {
        /// Kafka's addresses, `host:port`, separated by commas. Defaults to the property `bootstrap.servers`.
        public var bootstrapServers: String?
        /// Properties of librdkafka by name, such as `security.protocol`. Properties that the pipeline sets itself are
        /// rejected.
        public var properties: [String: String]
        /// The prefix of the names of topics and groups. Defaults to `intents`.
        public var topicPrefix: String {
            get { topics.prefix }
            set { topics = Topics(prefix: newValue) }
        }
        /// The worker's roles. Each role has its own client and thread. Defaults to all roles. Unless all roles are for
        /// the app, the worker resolves and confirms in the app only if there is an intent that only the app supports.
        public var roles: [WorkerRole]
        /// The maximum number of jobs that run at the same time, per role; at least 1. Defaults to 1,024.
        public var concurrency = 1_024
        /// The worker's service. All processes of a service serve the same intents, in their own consumer groups. The
        /// name has 1 to 64 lower-case letters, digits and hyphens. Defaults to the default service.
        public var service: String? {
            get { serviceName }
            set { serviceName = newValue == ServiceName.ofDefault ? nil : newValue }
        }
        /// The version of the service, such as `1.4.2`. If two services serve an intent, the higher version gets its
        /// work.
        public var serviceVersion: String?
        /// `true` if the worker's intents are withdrawn from the catalogue when it ends, unless another process serves
        /// them. Defaults to `true`. With `false`, they stay in the catalogue for five minutes, for a service with a
        /// single process that is about to be restarted.
        public var withdrawsIntents = true
        /// The name of this process in `ce_source` and in logs. Defaults to host and process id.
        public var instance: String?
        /// A file of the keys that encrypt the pipeline's records, one per line, each of 64 hexadecimal digits. All
        /// processes of the pipeline need the same file, or none. Defaults to none.
        public var encryptionKeyFile: String?

        var topics = Topics()
        private var serviceName: String?

        public init(
            bootstrapServers: String? = nil, properties: [String: String] = [:],
            roles: [WorkerRole] = WorkerRole.allCases
        ) {
            self.bootstrapServers = bootstrapServers
            self.properties = properties
            self.roles = roles
        }
    }

    /// The roles, without the properties, which may be secrets: a `ServiceGroup` logs its services.
    public var description: String { "IntentWorker(\(roles.map(\.name).joined(separator: ", ")))" }

    private let served: ServedIntents
    private let configuration: Configuration
    private let log: KafkaLog
    private let encryption: ClientEncryption?
    private let telemetry: ProcessTelemetry
    private let logger: Logger
    private let roles: [WorkerRole]
    /// `true` if the worker prints its partitions to standard output.
    private let announces: Bool

    /// - Parameters:
    ///   - extensions: The worker's extensions. Two of them must not serve the same intent.
    ///   - spokenValues: Reads the person's words for parameters whose types do not read words themselves.
    /// - Throws: ``IntentRegistryError`` if a declaration is wrong; ``RecordLog/LogError`` if a property is wrong; an
    ///   error that names the key file if it has no usable keys.
    public init(
        extensions: [any IntentExtension], configuration: Configuration, logger: Logger,
        spokenValues: (any SpokenValueReading)? = nil
    ) throws {
        let kafka = KafkaConfiguration(
            bootstrapServers: configuration.bootstrapServers,
            properties: PipelineDefaults.worker.merging(configuration.properties) { $1 })
        try kafka.validate()
        if let service = configuration.service, !ServiceName.isName(service) {
            throw LogError(
                .invalidConfiguration,
                "the service's name '\(service)' is not 1 to 64 lower-case letters, digits and hyphens")
        }
        let served = try ServedIntents(extensions, nil, spokenValues)
        self.init(
            serving: served, configuration: configuration, log: KafkaLog(kafka),
            encryption: try configuration.encryptionKeyFile.map {
                try ClientEncryption(file: $0, topics: configuration.topics, logger: logger)
            }, telemetry: .ofProgram, logger: logger, announces: false)
    }

    init(
        serving served: ServedIntents, configuration: Configuration, log: KafkaLog, encryption: ClientEncryption?,
        telemetry: ProcessTelemetry, logger: Logger, announces: Bool
    ) {
        self.served = served
        self.configuration = configuration
        self.log = log
        self.encryption = encryption
        self.telemetry = telemetry
        self.logger = logger
        self.announces = announces
        roles = Self.neededRoles(configuration.roles, served.registry)
        telemetry.health.expect(members: roles.count)
    }

    /// Returns the roles without resolving and confirming in the app, if the extension's workers of this process do
    /// that for each intent. This saves two clients and threads.
    private static func neededRoles(_ roles: [WorkerRole], _ registry: IntentRegistry) -> [WorkerRole] {
        let hasApp = roles.allSatisfy(\.isInApp) || !registry.intentsOfTheApp.isEmpty
        return hasApp ? roles : roles.filter { $0 != .resolveInApp && $0 != .confirmInApp }
    }

    /// `true` if the worker's loops are alive: all of them have polled Kafka in the last minute. For a liveness probe
    /// of your program.
    public var isLive: Bool { telemetry.health.isLive }

    /// `true` if the worker has joined its groups, accepts work, and is not about to end. For a readiness probe of your
    /// program.
    public var isReady: Bool { telemetry.health.isReady }

    /// Runs the worker until graceful shutdown.
    ///
    /// - Throws: ``RecordLog/LogError`` if the topics do not exist after 60 s, or Kafka can't be used.
    public func run() async throws {
        let topics = configuration.topics
        guard let partitions = try await TopicCheck.untilReady(topics, as: roles.map(\.access), in: log, logger: logger)
        else { return }
        let members = try roles.map { try loop($0.configuration(topics), partitions) }
        try await runTogether([publishing()], telemetry.watch, logger: logger, then: members)
    }

    private func loop(_ base: WorkerConfiguration, _ partitions: Int32) throws -> PollLoop {
        var configuration = base
        configuration.partitions = partitions
        configuration.service = self.configuration.service
        configuration.maximumInFlight = max(1, self.configuration.concurrency)
        configuration.instance = self.configuration.instance ?? ProcessOptions.defaultName
        let client = encryption.client(
            try log.connect(ClientConfiguration(clientID: "intent-\(configuration.role)", group: configuration.group)))
        return PollLoop(name: configuration.role, client: client, health: telemetry.health, isMember: true) {
            [configuration, served, telemetry, logger, announces] stop, heartbeat in
            let time = telemetry.watch.clock
            let metrics = telemetry.metrics.map { WorkerMetrics($0) }
            let worker = Worker(
                client: client, configuration: configuration,
                perform: { await served.registry.perform($0, report: $1) },
                policies: { served.registry.policy(of: $0) }, clock: { time.now }, logger: logger, metrics: metrics,
                tracer: telemetry.tracer)
            var publishing = EverySecond()
            var announced: [Int32]?
            while !stop.isRequested {
                try worker.step(timeout: .seconds(1))
                heartbeat.beat(isReady: worker.isSteady)
                if let metrics, publishing.fireIfDue() { metrics.publish(worker) }
                if announces, worker.isSteady, announced != worker.ownedPartitions {
                    announced = worker.ownedPartitions
                    announce(configuration.role, partitions: worker.ownedPartitions)
                }
            }
            try worker.close(timeout: .seconds(15))
        }
    }

    /// Returns the loop that publishes the served intents in the catalogue, with its own client.
    private func publishing() throws -> PollLoop {
        let client = try log.connect(ClientConfiguration(clientID: "intent-catalog"))
        return .publishing(
            { [configuration, roles, served] in CataloguePublisher.Content(served.registry, roles: roles, configuration)
            }, client: client,
            topics: configuration.topics, telemetry: telemetry, withdraws: configuration.withdrawsIntents,
            logger: logger,
            onChange: { [served] in served.onChange($0) })
    }
}

extension ProcessTelemetry {
    /// The telemetry of a program with its own `main`. Metrics and spans go to the backends with which the program has
    /// bootstrapped swift-metrics and swift-distributed-tracing.
    fileprivate static var ofProgram: ProcessTelemetry {
        let factory = MetricsSystem.factory
        let tracer = InstrumentationSystem.tracer
        return ProcessTelemetry(
            health: Health(), metrics: factory is NOOPMetricsHandler ? nil : factory,
            tracer: tracer is NoOpTracer ? nil : tracer)
    }
}
