import Conversation
import IntentEvents
import Logging
import Pipeline
import PipelineService
import RDKafkaLog
import RecordLog
import ServiceLifecycle

/// Runs a coordinator: waits for the topics and for the standby, then polls until graceful shutdown.
struct CoordinatorLoop: Service {
    let log: KafkaLog
    let configuration: CoordinatorConfiguration
    /// The maximum number of followed partitions, and the time limit for reading them before the process joins the
    /// group.
    let standby: (partitions: Int, warmUp: Duration)
    /// The maximum size of the memory of people, in bytes.
    let memoryBytes: Int
    let encryption: ClientEncryption?
    /// The name of this process.
    let name: String
    let telemetry: ProcessTelemetry
    let logger: Logger

    private var topics: Topics { configuration.topics }

    func run() async throws {
        guard let partitions = try await TopicCheck.untilReady(topics, as: [.coordinator], in: log, logger: logger)
        else { return }
        let time = telemetry.watch.clock
        let catalogue = try catalogue(partitions, time)
        let memory = try memory(partitions, time)
        let followers = [catalogue.loop, memory.loop]
        let standby = try standbyLoop(partitions, time)
        try await standby?.warmUp()
        // The followers are last, because the memory's group does not wait for a member that stops polling.
        for loop in followers { try await loop.warmUp() }
        if Task.isShuttingDownGracefully {
            try standby?.close()
            for loop in followers { try loop.close() }
            return
        }
        let ownership = LastOwnership()
        let faults = telemetry.metrics.map { metrics in
            FaultWatch(topics, metrics: metrics) { [follower = catalogue.follower] in follower.faults }
        }
        let services: [any Service] =
            try [publishingLoop(ownership, faults)] + followers + (standby.map { [$0] } ?? [])
        let member = try coordinatorLoop(
            partitions, standby?.standby, catalogue.follower, memory.follower, ownership, time)
        try await runTogether(services, telemetry.watch, logger: logger, then: [member])
    }

    private func coordinatorLoop(
        _ partitions: Int32, _ standby: Standby?, _ catalogue: CatalogueFollower, _ memory: MemoryKeeper,
        _ ownership: LastOwnership, _ time: SteadyClock
    ) throws -> PollLoop {
        var configuration = configuration
        configuration.partitions = partitions
        let client = encryption.client(
            try log.connect(Coordinator.client("intent-coordinator", topics)), makesKeys: true)
        return PollLoop(name: "coordinator", client: client, health: telemetry.health, isMember: true) {
            [configuration, telemetry, logger] stop, heartbeat in
            let metrics = telemetry.metrics.map { CoordinatorMetrics($0) }
            let coordinator = Coordinator(
                client: client, configuration: configuration, standby: standby, catalogue: catalogue, memory: memory,
                clock: { time.now }, logger: logger, metrics: metrics, spans: telemetry.spans)
            var second = EverySecond()
            var announced: [Int32]?
            while !stop.isRequested {
                try coordinator.step(timeout: .seconds(1))
                let hasTakenOver = coordinator.hasTakenOver
                heartbeat.beat(isReady: coordinator.isSteady, hasStarted: hasTakenOver)
                if second.fireIfDue() {
                    metrics?.publish(coordinator)
                    ownership.update(try coordinator.observeProgress(), at: time.now)
                }
                if hasTakenOver, announced != coordinator.ownedPartitions {
                    announced = coordinator.ownedPartitions
                    announce("coordinator", partitions: coordinator.ownedPartitions)
                }
            }
            try coordinator.close(timeout: .seconds(15))
        }
    }

    /// Publishes this process's lease, which shows that the process runs, what it owns and how its clock differs.
    /// Coordinators serve no intents.
    private func publishingLoop(_ ownership: LastOwnership, _ faults: FaultWatch?) throws -> PollLoop {
        let client = try log.connect(ClientConfiguration(clientID: "intent-catalog"))
        let lease = WorkerLease.ofCoordinator(name, started: .now)
        return .publishing(
            {
                var lease = lease
                lease.ownership = ownership.last
                return CataloguePublisher.Content(lease: lease, intents: [])
            }, client: client, topics: topics, telemetry: telemetry,
            everySecond: { client in
                ownership.countSecond()
                _ = faults?.step(client)
                return true
            }, logger: logger)
    }

    private func catalogue(_ partitions: Int32, _ time: SteadyClock) throws -> (
        follower: CatalogueFollower, loop: FollowerLoop
    ) {
        let client = try log.connect(CatalogueFollower.client("intent-coordinator"))
        let follower = CatalogueFollower(
            client: client, topics: topics, partitions: partitions, clock: { time.now }, logger: logger)
        let warning =
            "the catalogue is not read to its end in time, going on; until it is, intents that it lacks go to the default service"
        return (
            follower,
            FollowerLoop(
                name: "catalog", client: client, follower: follower, warning: warning, health: telemetry.health,
                logger: logger)
        )
    }

    private func memory(_ partitions: Int32, _ time: SteadyClock) throws -> (follower: MemoryKeeper, loop: FollowerLoop)
    {
        let client = encryption.client(try log.connect(MemoryKeeper.client("intent-coordinator", topics)))
        let follower = MemoryKeeper(
            client: client, topics: topics, partitions: partitions, maximumBytes: memoryBytes, clock: { time.now },
            logger: logger)
        let warning =
            "what is remembered about people is not read to its end in time, going on; until it is, they may be asked again"
        return (
            follower,
            FollowerLoop(
                name: "memory", client: client, follower: follower, warning: warning, health: telemetry.health,
                logger: logger)
        )
    }

    private func standbyLoop(_ partitions: Int32, _ time: SteadyClock) throws -> StandbyLoop? {
        guard standby.partitions > 0 else { return nil }
        let configuration = Standby.Configuration(topics: topics, partitions: partitions, maximum: standby.partitions)
        let client = encryption.client(try log.connect(Standby.client("intent-coordinator")))
        let following = Standby(client: client, configuration: configuration, clock: { time.now }, logger: logger)
        return StandbyLoop(
            client: client, standby: following, limit: standby.warmUp, health: telemetry.health, logger: logger)
    }
}
