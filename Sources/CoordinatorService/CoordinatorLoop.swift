import Conversation
import IntentEvents
import Logging
import Pipeline
import PipelineService
import RDKafkaLog
import RecordLog
import ServiceLifecycle

/// Waits for the topics and for the standby, then runs the coordinator until graceful shutdown.
struct CoordinatorLoop: Service {
    let log: KafkaLog
    let configuration: CoordinatorConfiguration
    /// How many partitions are followed, and for how long they are read before it joins the group.
    let standby: (partitions: Int, warmUp: Duration)
    let encryption: ClientEncryption?
    let logger: Logger

    private var topics: Topics { configuration.topics }

    func run() async throws {
        guard let partitions = try await TopicCheck.untilReady(topics, as: [.coordinator], in: log, logger: logger) else { return }
        let time = SteadyClock()
        let catalogue = try catalogueLoop(partitions, time)
        try await catalogue.warmUp()
        let standby = try standbyLoop(partitions, time)
        try await standby?.warmUp()
        if Task.isShuttingDownGracefully {
            try standby?.close()
            return try catalogue.close()
        }
        let loop = try coordinatorLoop(partitions, standby?.standby, catalogue.follower, time)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await loop.run() }
            group.addTask { try await catalogue.run() }
            if let standby { group.addTask { try await standby.run() } }
            // The first failure ends the others: 'waitForAll' would wait for loops that nothing ends.
            for try await _ in group {}
        }
    }

    private func coordinatorLoop(_ partitions: Int32, _ standby: Standby?, _ catalogue: CatalogueFollower, _ time: SteadyClock) throws
        -> PollLoop
    {
        var configuration = configuration
        configuration.partitions = partitions
        let client = encryption.client(try log.connect(Coordinator.client("intent-coordinator", topics)), makesKeys: true)
        return PollLoop(name: "coordinator", client: client) { [configuration, logger] stop in
            let coordinator = Coordinator(
                client: client, configuration: configuration, standby: standby, catalogue: catalogue, clock: { time.now }, logger: logger)
            var announced: [Int32]?
            while !stop.isRequested {
                try coordinator.step(timeout: .seconds(1))
                if coordinator.isSteady, announced != coordinator.ownedPartitions {
                    announced = coordinator.ownedPartitions
                    announce("coordinator", partitions: coordinator.ownedPartitions)
                }
            }
            try coordinator.close(timeout: .seconds(15))
        }
    }

    private func catalogueLoop(_ partitions: Int32, _ time: SteadyClock) throws -> CatalogueLoop {
        let client = try log.connect(CatalogueFollower.client("intent-coordinator"))
        let follower = CatalogueFollower(client: client, topics: topics, partitions: partitions, clock: { time.now }, logger: logger)
        return CatalogueLoop(client: client, follower: follower, logger: logger)
    }

    private func standbyLoop(_ partitions: Int32, _ time: SteadyClock) throws -> StandbyLoop? {
        guard standby.partitions > 0 else { return nil }
        let configuration = Standby.Configuration(topics: topics, partitions: partitions, maximum: standby.partitions)
        let client = encryption.client(try log.connect(Standby.client("intent-coordinator")))
        let following = Standby(client: client, configuration: configuration, clock: { time.now }, logger: logger)
        return StandbyLoop(client: client, standby: following, limit: standby.warmUp, logger: logger)
    }
}
