public import ArgumentParser
public import Conversation
import Foundation
import Kafka
import Logging
import Pipeline
import RecordLog
import ServiceLifecycle
import UnixSignals

/// The program `intent-coordinator`.
public struct CoordinatorProcess: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "intent-coordinator",
        abstract: "Keeps conversations: gives out work, asks people, and tells how it ended.",
        discussion: """
            Reads intents.requests and intents.outcomes, writes what it decided to intents.sessions, and then work to intents.resolve, intents.confirm \
            and intents.handle, and results to intents.results. Start more of them and they share the partitions; one that dies is replaced by the \
            others, which go on where it was.

            Ends on SIGTERM or SIGINT after what was begun is finished. Exit codes: 0 ended as asked, 2 wrong arguments or settings, 4 failure.
            """)

    @OptionGroup public var options: ProcessOptions

    @Option(help: ArgumentHelp("How long a person has to answer a prompt, in seconds.", valueName: "seconds"))
    public var answerTimeout: Int = 120

    @Option(help: ArgumentHelp("How long a phase may take at a worker, in seconds.", valueName: "seconds"))
    public var phaseTimeout: Int = 60

    @Option(help: ArgumentHelp("How long a session without a request is remembered, in seconds.", valueName: "seconds"))
    public var idleTimeout: Int = 1_800

    public init() {}

    public func validate() throws {
        for (name, value) in [("answer-timeout", answerTimeout), ("phase-timeout", phaseTimeout), ("idle-timeout", idleTimeout)]
        where value < 1 {
            throw ValidationError("--\(name) must be at least 1 second.")
        }
    }

    public func run() async throws {
        let logger = options.logging.logger("intent-coordinator")
        if options.stopWithInput { stopProcessWithInput() }
        let topics = options.kafka.topics
        let log = try options.kafka.log(defaults: PipelineDefaults.coordinator, logger: logger)
        try await TopicCheck.begin(with: topics, in: log, logger: logger)
        var policy = SessionPolicy()
        policy.answerTimeout = .seconds(answerTimeout)
        policy.phaseTimeout = .seconds(phaseTimeout)
        policy.idleTimeout = .seconds(idleTimeout)
        let configuration = CoordinatorConfiguration(
            topics: topics, policy: policy, owner: "\(options.name)-\(UUID().uuidString.prefix(8).lowercased())")
        let client = try log.connect(ClientConfiguration(clientID: "intent-coordinator", group: Coordinator.group(topics)))
        try await runLoop(
            PollLoop(name: "coordinator", client: client) { stop in
                let coordinator = Coordinator(client: client, configuration: configuration, clock: { .now }, logger: logger)
                var announced: [Int32]?
                while !stop.isRequested {
                    try coordinator.step(timeout: .seconds(1))
                    if coordinator.isSteady, announced != coordinator.ownedPartitions {
                        announced = coordinator.ownedPartitions
                        announce("coordinator", partitions: coordinator.ownedPartitions)
                    }
                }
                try coordinator.close(timeout: .seconds(15))
            }, logger: logger)
    }
}

extension Instant {
    /// The time of this machine.
    public static var now: Instant { Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) }
}

/// Runs a loop until SIGTERM or SIGINT.
func runLoop(_ loop: PollLoop, logger: Logger) async throws {
    let group = ServiceGroup(
        configuration: .init(
            services: [
                .init(service: loop, successTerminationBehavior: .gracefullyShutdownGroup, failureTerminationBehavior: .cancelGroup)
            ],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    do { try await group.run() } catch {
        logger.critical("\(error)")
        throw ExitCode.failed
    }
}
