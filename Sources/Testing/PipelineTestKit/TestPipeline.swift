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
    /// The limit of records in flight of new coordinators.
    public var maximumInFlight = 4_096
    /// The limit of sessions of new coordinators.
    public var maximumSessions = 100_000
    public var handoffTokens: HandoffTokens?
    /// The maximum number of events per second that a sender may send. Set it before the coordinators are started.
    public var maximumRate = 100.0
    /// The maximum number of events that a sender may send at once. Set it before the coordinators are started.
    public var maximumBurst = 1_000
    public var maximumSessionsOfPrincipal = 1_000
    /// The trust in the input topics, which decides who may speak for the person. Set it before the coordinators are
    /// started.
    public var trust = InputTrust.open
    /// Changes the configuration of new coordinators.
    public var configureCoordinator: (inout CoordinatorConfiguration) -> Void = { _ in }
    /// The number of partitions that new coordinators follow beside their own.
    public var standby = 0
    public private(set) var coordinators: [String: Coordinator] = [:]
    public private(set) var standbys: [String: Standby] = [:]
    public private(set) var workers: [String: Worker] = [:]
    /// A Boolean value that indicates whether new coordinators follow the catalogue. They read the catalogue to its end
    /// first.
    public var followsCatalogue = false
    public private(set) var catalogues: [String: CatalogueFollower] = [:]
    /// A Boolean value that indicates whether new coordinators follow the memory of people. They read the memory to its
    /// end first.
    public var followsMemory = false
    public private(set) var memories: [String: MemoryKeeper] = [:]
    public private(set) var publishers: [String: CataloguePublisher] = [:]
    private var paused: [String: Coordinator] = [:]
    /// Changes the configuration of new workers.
    public var configureWorker: (inout WorkerConfiguration) -> Void = { _ in }
    /// The policy of each intent.
    public var policies: @Sendable (String) -> IntentPolicy? = { _ in nil }
    /// The factory for the metrics of new processes.
    public var metrics: (any MetricsFactory)?
    /// The recorder of the spans of requests in new coordinators, and the tracer of handlers in new workers.
    public var tracing: (spans: any SpanRecorder, tracer: any Tracer)?
    /// Wraps the client of a named process. Returns the client itself by default.
    public var interposer: (_ process: String, _ client: any LogClient) -> any LogClient = { $1 }
    /// The differences of the clocks of new processes from ``clock``, by name. A positive difference is ahead, a
    /// negative one behind.
    public var clockDifferences: [String: Duration] = [:]
    private let perform: Worker.Perform
    private let gates: [Gate]
    private var encoder = EventEncoder(source: "/test")
    private let person: any LogClient
    private var coordinatorsStarted = 0
    /// The arguments with which each worker was started, so that a successor is started in the same way.
    private var startedWorkers: [String: StartedWorker] = [:]
    private var successorsStarted = 0
    private var logger: Logger
    private let partitions: Int32

    private struct StartedWorker {
        var phase: Phase
        var isInApp: Bool
        var service: String?
        var concurrency: Int
        var perform: Worker.Perform?
    }

    /// Lets all processes publish their metrics.
    public func publishMetrics() {
        guard let metrics else { return }
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
        logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
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
        coordinatorsStarted += 1
        var configuration = CoordinatorConfiguration(
            topics: topics, policy: policy, owner: "\(name)-\(coordinatorsStarted)")
        configuration.maximumInFlight = maximumInFlight
        configuration.maximumSessions = maximumSessions
        configuration.partitions = partitions
        configuration.handoffTokens = handoffTokens
        configuration.trust = trust
        configuration.maximumRate = maximumRate
        configuration.maximumBurst = maximumBurst
        configuration.maximumSessionsOfPrincipal = maximumSessionsOfPrincipal
        configureCoordinator(&configuration)
        standbys[name] = try standby(of: name)
        catalogues[name] = try catalogue(of: name)
        memories[name] = try memory(of: name)
        let client = interposer(name, try log.connect(Coordinator.client(name, topics)))
        coordinators[name] = Coordinator(
            client: client, configuration: configuration, standby: standbys[name], catalogue: catalogues[name],
            memory: memories[name], clock: clock(of: name), logger: logger,
            metrics: metrics.map { CoordinatorMetrics($0) },
            spans: tracing?.spans)
    }

    private func clock(of name: String) -> @Sendable () -> Instant {
        let difference = clockDifferences[name] ?? .zero
        return { [clock] in clock.now.advanced(by: difference) }
    }

    private func catalogue(of name: String) throws -> CatalogueFollower? {
        guard followsCatalogue else { return nil }
        let client = interposer("\(name)-catalog", try log.connect(CatalogueFollower.client(name)))
        let follower = CatalogueFollower(
            client: client, topics: topics, partitions: partitions, clock: clock(of: name), logger: logger)
        while try follower.step(timeout: .zero) {}
        return follower
    }

    private func memory(of name: String) throws -> MemoryKeeper? {
        guard followsMemory else { return nil }
        let client = interposer("\(name)-memory", try log.connect(MemoryKeeper.client(name, topics)))
        let keeper = MemoryKeeper(
            client: client, topics: topics, partitions: partitions, clock: clock(of: name), logger: logger)
        while try keeper.step(timeout: .zero) {}
        return keeper
    }

    /// Starts a publisher of a worker's content, which runs until it is closed or killed.
    public func startPublisher(_ name: String, _ content: CataloguePublisher.Content) throws {
        let client = interposer(name, try log.connect(ClientConfiguration(clientID: name)))
        publishers[name] = CataloguePublisher(
            content, client: client, topics: topics, clock: clock(of: name), logger: logger)
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
        try publishers.removeValue(forKey: name)?.close(timeout: .seconds(10), withdraws: withdraws)
    }

    /// Creates a standby that reads the journals to their ends before the coordinator joins its group.
    private func standby(of name: String) throws -> Standby? {
        guard standby > 0 else { return nil }
        let client = interposer("\(name)-standby", try log.connect(Standby.client(name)))
        let configuration = Standby.Configuration(topics: topics, partitions: partitions, maximum: standby)
        let standby = Standby(client: client, configuration: configuration, clock: clock(of: name), logger: logger)
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
            clock: clock(of: name), logger: logger, metrics: metrics.map { WorkerMetrics($0) }, tracer: tracing?.tracer)
        startedWorkers[name] = StartedWorker(
            phase: phase, isInApp: isInApp, service: service, concurrency: concurrency, perform: perform)
    }

    /// Crashes a process. Its group evicts the process immediately, as after a session timeout.
    public func kill(_ name: String, _ point: CrashPoint = .beforeSending) {
        coordinators[name] = nil
        workers[name] = nil
        publishers[name] = nil
        log.client(named: name)?.crash(point)
        log.client(named: name)?.evict()
        guard memories.removeValue(forKey: name) != nil else { return }
        log.client(named: "\(name)-memory")?.crash(point)
        log.client(named: "\(name)-memory")?.evict()
    }

    /// Ends a coordinator as SIGTERM does.
    public func closeCoordinator(_ name: String) throws {
        try coordinators.removeValue(forKey: name)?.close(timeout: .seconds(10))
        try memories.removeValue(forKey: name)?.close(timeout: .seconds(10))
    }

    /// Ends a worker as SIGTERM does.
    public func closeWorker(_ name: String) throws {
        try workers.removeValue(forKey: name)?.close(timeout: .seconds(10))
    }

    /// Pauses a coordinator as SIGSTOP does. The coordinator's client stays unchanged.
    public func pause(_ name: String) { paused[name] = coordinators.removeValue(forKey: name) }

    /// Continues a paused coordinator.
    public func wake(_ name: String) { coordinators[name] = paused.removeValue(forKey: name) }

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
                    if try standbys[name]?.step(timeout: .zero) == true { isBusy = true }
                    if try catalogues[name]?.step(timeout: .zero) == true { isBusy = true }
                    if try memories[name]?.step(timeout: .zero) == true { isBusy = true }
                } catch {
                    died.append(name)
                    coordinators[name] = nil
                    isBusy = true
                }
            }
            for (_, publisher) in publishers.sorted(by: { $0.key < $1.key }) {
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
        successorsStarted += 1
        let successor = "\(name)-successor-\(successorsStarted)"
        if let worker = startedWorkers[name] {
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
