public import ArgumentParser
public import Intents
import Kafka
import Logging
import Pipeline
import RecordLog

/// A program that works on one phase of the intents that it is built with: `intent-resolver`, `intent-confirmer` or `intent-handler`.
public protocol WorkerProcess: AsyncParsableCommand {
    static var phase: Phase { get }
    /// The intents that it serves.
    static func registry() throws -> IntentRegistry
    var options: WorkerOptions { get }
}

/// The options of every worker.
public struct WorkerOptions: ParsableArguments {
    @OptionGroup public var process: ProcessOptions

    @Option(help: ArgumentHelp("How many intents may be in work at the same time.", valueName: "count"))
    public var concurrency: Int = 1_024

    public init() {}

    public func validate() throws {
        if concurrency < 1 { throw ValidationError("--concurrency must be at least 1.") }
    }
}

extension WorkerProcess {
    /// How `--help` explains a worker.
    public static func workerConfiguration(_ name: String, abstract: String, topic: String) -> CommandConfiguration {
        CommandConfiguration(
            commandName: name, abstract: abstract,
            discussion: """
                Takes work from \(topic) and answers on intents.outcomes. Start more of them and they share the partitions. Records of one session are \
                worked on in order, those of different sessions at the same time.

                Ends on SIGTERM or SIGINT after what was begun is finished. Exit codes: 0 ended as asked, 2 wrong arguments or settings, 4 failure.
                """)
    }

    public func run() async throws { try await runWorker(isInApp: false) }

    /// Works until the process is asked to end.
    ///
    /// - Parameter callback: whether it also takes what services answer later.
    public func runWorker(isInApp: Bool, callback: CallbackOptions? = nil) async throws {
        var configuration = WorkerConfiguration(topics: options.process.kafka.topics, phase: Self.phase, isInApp: isInApp)
        configuration.maximumInFlight = options.concurrency
        configuration.instance = options.process.name
        if options.process.stopWithInput { stopProcessWithInput() }
        let settled = configuration
        let name = "intent-\(settled.role)"
        let logger = options.process.logging.logger(name)
        let registry = try Self.registry()
        let services = try callback?.services(options.process, logger: logger) ?? []
        let log = try options.process.kafka.log(defaults: PipelineDefaults.worker, logger: logger)
        try await TopicCheck.begin(with: settled.topics, in: log, logger: logger)
        let client = try log.connect(ClientConfiguration(clientID: name, group: settled.group))
        try await runLoop(
            PollLoop(name: settled.role, client: client) { stop in
                let worker = Worker(
                    client: client, configuration: settled, perform: { await registry.perform($0, report: $1) },
                    policies: { registry.policy(of: $0) }, clock: { .now }, logger: logger)
                var announced: [Int32]?
                while !stop.isRequested {
                    try worker.step(timeout: .seconds(1))
                    if worker.isSteady, announced != worker.ownedPartitions {
                        announced = worker.ownedPartitions
                        announce(settled.role, partitions: worker.ownedPartitions)
                    }
                }
                try worker.close(timeout: .seconds(15))
            }, beside: services, logger: logger)
    }
}
