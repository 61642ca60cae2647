public import ArgumentParser
import Foundation
public import IntentDefinitions
public import Intents
import Kafka
import Logging
import Pipeline
import RecordLog
import UnixSignals

/// A program that works on one phase of the intents that it is built with: `intent-resolver`, `intent-confirmer` or `intent-handler`.
public protocol WorkerProcess: AsyncParsableCommand {
    static var phase: Phase { get }
    /// The intents that it serves.
    ///
    /// - Parameter declared: Those of definition files, to be served beside those that it is built with.
    static func registry(declared: [IntentDeclaration]) throws -> IntentRegistry
    var options: WorkerOptions { get }
    /// Makes those who fulfil the intents of definition files; called once, before the first definition is read. Unless you write it: nobody, which
    /// is an error for a definition that says who does it.
    func fulfiller() throws -> DefinitionFulfiller
}

/// Makes the one who fulfils an intent of a definition file. Called at start, and each time the files are read anew.
public typealias DefinitionFulfiller = @Sendable (FulfilmentDeclaration, IntentDeclaration) throws -> any IntentFulfilment

/// The options of every worker.
public struct WorkerOptions: ParsableArguments {
    @OptionGroup public var process: ProcessOptions

    @Option(help: ArgumentHelp("How many intents may be in work at the same time.", valueName: "count"))
    public var concurrency: Int = 1_024

    @Option(
        help: ArgumentHelp(
            "Serve the intents that are defined in *.intents.yaml and *.intents.json here, too. Read anew on SIGHUP.", valueName: "folder"))
    public var definitions: String?

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

    public func fulfiller() throws -> DefinitionFulfiller {
        { fulfilment, intent in
            throw FulfilmentMissing(intent: intent.name, source: intent.source ?? "", url: fulfilment.url)
        }
    }

    /// - Throws: `ExitCode.usage` after it has said everything that is wrong.
    private func servedIntents() throws -> ServedIntents {
        let registry: @Sendable ([IntentDeclaration]) throws -> IntentRegistry = { try Self.registry(declared: $0) }
        guard let directory = options.definitions else {
            return try ServedIntents(
                directory: nil, make: registry, fulfil: { throw FulfilmentMissing(intent: $1.name, source: "", url: $0.url) })
        }
        let fulfiller = try fulfiller()
        do {
            return try ServedIntents(directory: directory, make: registry, fulfil: fulfiller)
        } catch {
            let lines = ServedIntents.problems(error) + ["The definitions have mistakes; nothing is served."]
            FileHandle.standardError.write(Data((lines.joined(separator: "\n") + "\n").utf8))
            throw ExitCode.usage
        }
    }

    /// Works until the process is asked to end.
    public func runWorker(isInApp: Bool) async throws {
        var configuration = WorkerConfiguration(topics: options.process.kafka.topics, phase: Self.phase, isInApp: isInApp)
        configuration.maximumInFlight = options.concurrency
        configuration.instance = options.process.name
        if options.process.stopWithInput { stopProcessWithInput() }
        let settled = configuration
        let name = "intent-\(settled.role)"
        let logger = options.process.logging.logger(name)
        let served = try servedIntents()
        // Before anybody knows of this process: without it the signal would end it.
        let hangups = options.definitions == nil ? nil : await UnixSignalsSequence(trapping: .sighup)
        let log = try options.process.kafka.log(defaults: PipelineDefaults.worker, logger: logger)
        try await TopicCheck.begin(with: settled.topics, in: log, logger: logger)
        let client = try log.connect(ClientConfiguration(clientID: name, group: settled.group))
        let reloading = Task {
            guard let hangups else { return }
            for await _ in hangups { served.reload(role: settled.role, logger: logger) }
        }
        defer { reloading.cancel() }
        try await runLoop(
            PollLoop(name: settled.role, client: client) { stop in
                let worker = Worker(
                    client: client, configuration: settled, perform: { await served.registry.perform($0, report: $1) },
                    policies: { served.registry.policy(of: $0) }, clock: { .now }, logger: logger)
                var announced: [Int32]?
                while !stop.isRequested {
                    try worker.step(timeout: .seconds(1))
                    if worker.isSteady, announced != worker.ownedPartitions {
                        announced = worker.ownedPartitions
                        announce(settled.role, partitions: worker.ownedPartitions)
                    }
                }
                try worker.close(timeout: .seconds(15))
            }, logger: logger)
    }
}
