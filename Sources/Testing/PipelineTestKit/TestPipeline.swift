public import Conversation
public import CoreMetrics
public import IntentEvents
public import IntentModel
public import IntentRuntime
import Logging
public import Pipeline
public import RecordLog
public import Tracing

/// The whole pipeline in one process, on ``InMemoryLog`` and a manual clock. Processes run only in
/// ``settle(maximumRounds:)``.
public final class TestPipeline {
    public let log: InMemoryLog
    public let clock: ManualClock
    public let topics = Topics()
    public var policy: SessionPolicy
    /// The configuration of new coordinators. The policy, the owner and the number of partitions are set for each
    /// coordinator.
    public var configuration = CoordinatorConfiguration(topics: Topics(), owner: "")
    /// The topics that new coordinators follow. They read each to its end first.
    public var follows = Following()
    public private(set) var coordinators: [String: Coordinator] = [:]
    public private(set) var workers: [String: Worker] = [:]
    public private(set) var companions = Companions()
    /// Changes the configuration of new workers.
    public var configureWorker: (inout WorkerConfiguration) -> Void = { _ in }
    /// The policy of each intent.
    public var policies: @Sendable (String) -> IntentPolicy? = { _ in nil }
    /// The telemetry of new processes.
    public var telemetry = Telemetry()
    /// Wraps the client of a named process. Returns the client itself by default.
    public var interposer: (_ process: String, _ client: any LogClient) -> any LogClient = { $1 }
    /// The differences of the clocks of new processes from ``clock``, by name. A positive difference is ahead, a
    /// negative one behind.
    public var clockDifferences: [String: Duration] = [:]
    private let perform: Worker.Perform
    private let gates: [Gate]
    private var encoder = EventEncoder(source: "/test")
    private let person: any LogClient
    private var starts = Starts()
    private let partitions: Int32
    private static let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

    /// The topics that a coordinator follows beside its input.
    public struct Following: Sendable {
        public var catalogue = false
        /// `true` to follow the memory of people.
        public var memory = false
        /// The number of partitions of other owners whose journals are followed.
        public var partitions = 0
    }

    /// The parts of processes that run beside the coordinators and the workers, by the name of the process.
    public struct Companions {
        public fileprivate(set) var standbys: [String: Standby] = [:]
        public fileprivate(set) var catalogues: [String: CatalogueFollower] = [:]
        public fileprivate(set) var memories: [String: MemoryKeeper] = [:]
        public fileprivate(set) var publishers: [String: CataloguePublisher] = [:]
        fileprivate var paused: [String: Coordinator] = [:]
    }

    /// The destinations of metrics and spans; `nil` for none.
    public struct Telemetry {
        public var metrics: (any MetricsFactory)?
        /// The recorder of the spans of requests in coordinators, and the tracer of handlers in workers.
        public var tracing: (spans: any SpanRecorder, tracer: any Tracer)?
    }

    private struct Starts {
        var coordinators = 0
        var successors = 0
        /// The arguments with which each worker was started, so that a successor is started in the same way.
        var workers: [String: StartedWorker] = [:]
    }

    private struct StartedWorker {
        var phase: Phase
        var isInApp: Bool
        var service: String?
        var concurrency: Int
        var perform: Worker.Perform?
    }

    /// Lets all processes publish their metrics.
    public func publishMetrics() {
        guard let metrics = telemetry.metrics else { return }
        for coordinator in coordinators.values { CoordinatorMetrics(metrics).publish(coordinator) }
        for worker in workers.values { WorkerMetrics(metrics).publish(worker) }
    }

    /// Creates the topics. Start the processes separately.
    ///
    /// - Parameters:
    ///   - partitions: The number of partitions of every topic.
    ///   - queueLimit: The maximum number of unacknowledged records of one client, as in ``InMemoryLog``.
    ///   - gates: The gates at which handlers may wait.
    ///   - perform: The function that workers call for each invocation.
    public init(
        partitions: Int32 = 2, policy: SessionPolicy = SessionPolicy(), queueLimit: Int = 100_000, gates: [Gate] = [],
        perform: @escaping Worker.Perform
    ) async throws {
        let clock = ManualClock()
        self.clock = clock
        self.policy = policy
        self.perform = perform
        self.gates = gates
        self.partitions = partitions
        log = InMemoryLog(queueLimit: queueLimit) { clock.now.milliseconds }
        try await log.createTopics(Topics().specifications(partitions: partitions))
        person = try log.connect(ClientConfiguration(clientID: "person"))
    }

    /// Starts one coordinator, one worker per phase, and the app's worker, which handles.
    public func startAll() throws {
        try startCoordinator("coordinator")
        for phase in Phase.allCases { try startWorker(phase.rawValue, phase) }
        try startWorker("app", .handle, isInApp: true)
    }

    // MARK: Processes

    /// Starts a coordinator, or restarts it after a crash.
    public func startCoordinator(_ name: String) throws {
        starts.coordinators += 1
        var configuration = configuration
        configuration.policy = policy
        configuration.owner = "\(name)-\(starts.coordinators)"
        configuration.partitions = partitions
        companions.standbys[name] = try standby(of: name)
        companions.catalogues[name] = try catalogue(of: name)
        companions.memories[name] = try memory(of: name)
        let client = interposer(name, try log.connect(Coordinator.client(name, topics)))
        coordinators[name] = Coordinator(
            client: client, configuration: configuration, standby: companions.standbys[name],
            catalogue: companions.catalogues[name],
            memory: companions.memories[name], clock: clock(of: name), logger: Self.logger,
            metrics: telemetry.metrics.map { CoordinatorMetrics($0) },
            spans: telemetry.tracing?.spans)
    }

    private func clock(of name: String) -> @Sendable () -> Instant {
        let difference = clockDifferences[name] ?? .zero
        return { [clock] in clock.now.advanced(by: difference) }
    }

    private func catalogue(of name: String) throws -> CatalogueFollower? {
        guard follows.catalogue else { return nil }
        let client = interposer("\(name)-catalog", try log.connect(CatalogueFollower.client(name)))
        let follower = CatalogueFollower(
            client: client, topics: topics, partitions: partitions, clock: clock(of: name), logger: Self.logger)
        while try follower.step(timeout: .zero) {}
        return follower
    }

    private func memory(of name: String) throws -> MemoryKeeper? {
        guard follows.memory else { return nil }
        let client = interposer("\(name)-memory", try log.connect(MemoryKeeper.client(name, topics)))
        let keeper = MemoryKeeper(
            client: client, topics: topics, partitions: partitions, clock: clock(of: name), logger: Self.logger)
        while try keeper.step(timeout: .zero) {}
        return keeper
    }

    /// Starts a publisher of a worker's content, which runs until it is closed or killed.
    public func startPublisher(_ name: String, _ content: CataloguePublisher.Content) throws {
        let client = interposer(name, try log.connect(ClientConfiguration(clientID: name)))
        companions.publishers[name] = CataloguePublisher(
            content, client: client, topics: topics, clock: clock(of: name), logger: Self.logger)
    }

    /// Starts a publisher of the intents that the workers of an extension and of its app serve.
    public func startPublisher(_ name: String, of registry: IntentRegistry) throws {
        let lease = WorkerLease(
            instance: name, intents: registry.served(inApp: false).map { Identifier($0) },
            inApp: registry.served(inApp: true).map { Identifier($0) })
        try startPublisher(
            name,
            .init(
                lease: lease,
                intents: registry.intents.map {
                    PublishedIntent(intent: Identifier($0), title: $0, details: registry.published($0))
                }))
    }

    /// Ends a publisher as SIGTERM does.
    public func closePublisher(_ name: String, withdraws: Bool = true) throws {
        try companions.publishers.removeValue(forKey: name)?.close(timeout: .seconds(10), withdraws: withdraws)
    }

    /// Creates a standby that reads the journals to their ends before the coordinator joins its group.
    private func standby(of name: String) throws -> Standby? {
        guard follows.partitions > 0 else { return nil }
        let client = interposer("\(name)-standby", try log.connect(Standby.client(name)))
        let configuration = Standby.Configuration(topics: topics, partitions: partitions, maximum: follows.partitions)
        let standby = Standby(client: client, configuration: configuration, clock: clock(of: name), logger: Self.logger)
        while try standby.step(timeout: .zero) {}
        return standby
    }

    /// Starts a worker.
    ///
    /// - Parameters:
    ///   - service: The service of the worker; `nil` for the default service.
    ///   - perform: The function that the worker calls for each invocation. Defaults to the function of all workers.
    public func startWorker(
        _ name: String, _ phase: Phase, isInApp: Bool = false, service: String? = nil, concurrency: Int = 1_024,
        perform: Worker.Perform? = nil
    ) throws {
        var configuration = WorkerConfiguration(topics: topics, phase: phase, isInApp: isInApp)
        configuration.service = service
        (configuration.maximumInFlight, configuration.maximumWaiting) = (concurrency, 0)
        configuration.commitInterval = .zero
        configureWorker(&configuration)
        let client = interposer(name, try log.connect(ClientConfiguration(clientID: name, group: configuration.group)))
        workers[name] = Worker(
            client: client, configuration: configuration, perform: perform ?? self.perform, policies: policies,
            clock: clock(of: name), logger: Self.logger, metrics: telemetry.metrics.map { WorkerMetrics($0) },
            tracer: telemetry.tracing?.tracer)
        starts.workers[name] = StartedWorker(
            phase: phase, isInApp: isInApp, service: service, concurrency: concurrency, perform: perform)
    }

    /// Crashes a process. Its group evicts the process immediately, as after a session timeout.
    public func kill(_ name: String, _ point: CrashPoint = .beforeSending) {
        coordinators[name] = nil
        workers[name] = nil
        companions.publishers[name] = nil
        log.client(named: name)?.crash(point)
        log.client(named: name)?.evict()
        guard companions.memories.removeValue(forKey: name) != nil else { return }
        log.client(named: "\(name)-memory")?.crash(point)
        log.client(named: "\(name)-memory")?.evict()
    }

    /// Ends a coordinator as SIGTERM does.
    public func closeCoordinator(_ name: String) throws {
        try coordinators.removeValue(forKey: name)?.close(timeout: .seconds(10))
        try companions.memories.removeValue(forKey: name)?.close(timeout: .seconds(10))
    }

    /// Ends a worker as SIGTERM does.
    public func closeWorker(_ name: String) throws {
        try workers.removeValue(forKey: name)?.close(timeout: .seconds(10))
    }

    /// Pauses a coordinator as SIGSTOP does. The coordinator's client stays unchanged.
    public func pause(_ name: String) { companions.paused[name] = coordinators.removeValue(forKey: name) }

    /// Continues a paused coordinator.
    public func wake(_ name: String) { coordinators[name] = companions.paused.removeValue(forKey: name) }

    // MARK: The person's side

    /// Writes an event to `intents.requests` or to another input. The event is in the log immediately.
    ///
    /// - Parameters:
    ///   - topic: Another input, such as `intents.answers`.
    ///   - token: The token of the offer, for a claim.
    ///   - secret: The app's own secret, for a claim and the events that follow the claim.
    ///   - principal: The principal who caused the event.
    public func send(
        _ event: SessionEvent, session: Identifier, id: Identifier, to topic: String? = nil, token: String? = nil,
        secret: String? = "the secret of the app's claim", from principal: Principal? = nil
    ) throws {
        let record = encoder.record(
            event, session: session, id: id, topics: topics, to: topic, token: token, secret: secret, from: principal,
            at: clock.now)
        if let record { try send(record) }
    }

    public func send(_ record: Record) throws {
        try person.send(record, token: 0)
        _ = try person.poll(maximum: 1_000, timeout: .zero)
    }

    /// Returns the results so far, including copies, in log order.
    public func results(session: Identifier? = nil) throws -> [ReceivedResult] {
        try log.records(in: topics.results).map { record throws(EventError) in try ReceivedResult(record) }.filter {
            session == nil || $0.session == session
        }
    }

    // MARK: Time

    /// Runs all processes until nothing more happens.
    ///
    /// - Returns: The names of processes that failed. Failed processes are removed.
    @discardableResult
    public func settle(maximumRounds: Int = 10_000) async throws -> [String] {
        var died: [String] = []
        for _ in 0..<maximumRounds {
            var isBusy = false
            for (name, coordinator) in coordinators.sorted(by: { $0.key < $1.key }) {
                do {
                    if try coordinator.step(timeout: .zero) { isBusy = true }
                    if try companions.standbys[name]?.step(timeout: .zero) == true { isBusy = true }
                    if try companions.catalogues[name]?.step(timeout: .zero) == true { isBusy = true }
                    if try companions.memories[name]?.step(timeout: .zero) == true { isBusy = true }
                } catch {
                    died.append(name)
                    coordinators[name] = nil
                    isBusy = true
                }
            }
            for (_, publisher) in companions.publishers.sorted(by: { $0.key < $1.key }) {
                if try publisher.step(timeout: .zero) { isBusy = true }
            }
            for (name, worker) in workers.sorted(by: { $0.key < $1.key }) {
                do { if try worker.step(timeout: .zero) { isBusy = true } } catch {
                    died.append(name)
                    workers[name] = nil
                    isBusy = true
                    continue
                }
            }
            if await waitForHandlers() { isBusy = true }
            if !isBusy { return died }
        }
        throw LogError(.timedOut, "the pipeline did not come to rest in \(maximumRounds) rounds")
    }

    /// Runs all processes until nothing more happens. A crashed process leaves its group, and a successor replaces it.
    ///
    /// - Parameter prepare: Called before each successor starts, for example to compact the journal that the successor
    ///   reads.
    /// - Throws: An error if processes crash in a thousand successive rounds.
    public func settleReplacingCrashed(before prepare: () throws -> Void = {}) async throws {
        for _ in 0..<1_000 {
            let crashed = try await settle()
            if crashed.isEmpty { return }
            for name in crashed {
                try prepare()
                log.client(named: name)?.evict()
                try startSuccessor(of: name)
            }
        }
        throw LogError(.timedOut, "successors of crashed processes keep crashing")
    }

    private func startSuccessor(of name: String) throws {
        starts.successors += 1
        let successor = "\(name)-successor-\(starts.successors)"
        if let worker = starts.workers[name] {
            try startWorker(
                successor, worker.phase, isInApp: worker.isInApp, service: worker.service,
                concurrency: worker.concurrency,
                perform: worker.perform)
        } else {
            try startCoordinator(successor)
        }
    }

    /// Waits until every running handler has returned or waits at a gate. Returns `true` if there was a handler to wait
    /// for.
    private func waitForHandlers() async -> Bool {
        var waited = false
        while workers.values.reduce(0, { $0 + $1.runningHandlers }) > gates.reduce(0, { $0 + $1.count }) {
            waited = true
            await Task.yield()
        }
        return waited
    }

    /// Advances the clock and runs everything that is due.
    public func advance(by duration: Duration) async throws {
        clock.advance(by: duration)
        try await settle()
    }
}
