import Intents
import Kafka
import Logging
import Pipeline
import RecordLog

extension WorkerOptions {
    /// Works on what these roles have to do, each with a client and a thread of its own, until the process is asked to end.
    ///
    /// - Throws: a `ValidationError` that names a setting that is wrong; ``ArgumentParser/ExitCode/failed`` for anything else, after it has
    ///   logged why.
    func work(_ roles: [WorkerRole], on registry: IntentRegistry, callback: CallbackOptions? = nil) async throws {
        let topics = process.kafka.topics
        if process.stopWithInput { stopProcessWithInput() }
        let name = roles.count == 1 ? "intent-\(roles[0].configuration(topics).role)" : "intent-worker"
        let logger = process.logging.logger(name)
        let services = try callback?.services(process, logger: logger) ?? []
        let log = try process.kafka.log(defaults: PipelineDefaults.worker, logger: logger)
        try await TopicCheck.begin(with: topics, in: log, logger: logger)
        var loops: [PollLoop] = []
        for role in roles {
            var configuration = role.configuration(topics)
            configuration.maximumInFlight = concurrency
            configuration.instance = process.name
            loops.append(try loop(configuration, registry, log, logger))
        }
        try await runLoops(loops, beside: services, logger: logger)
    }

    private func loop(
        _ configuration: WorkerConfiguration, _ registry: IntentRegistry, _ log: KafkaLog, _ logger: Logger
    ) throws -> PollLoop {
        let client = try log.connect(ClientConfiguration(clientID: "intent-\(configuration.role)", group: configuration.group))
        return PollLoop(name: configuration.role, client: client) { stop in
            let worker = Worker(
                client: client, configuration: configuration, perform: { await registry.perform($0, report: $1) },
                policies: { registry.policy(of: $0) }, clock: { .now }, logger: logger)
            var announced: [Int32]?
            while !stop.isRequested {
                try worker.step(timeout: .seconds(1))
                if worker.isSteady, announced != worker.ownedPartitions {
                    announced = worker.ownedPartitions
                    announce(configuration.role, partitions: worker.ownedPartitions)
                }
            }
            try worker.close(timeout: .seconds(15))
        }
    }
}
