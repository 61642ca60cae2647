import ArgumentParser
import Foundation
import IntentRuntime
import Logging
import PipelineService
import ServiceLifecycle
import UnixSignals

/// The command line of a ``WorkerProgram``.
struct WorkerCommand<Program: WorkerProgram>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: URL(fileURLWithPath: CommandLine.arguments.first ?? "worker").lastPathComponent,
            abstract: "Works on intents: resolves, confirms and handles them.",
            discussion: """
                Reads work from intents.resolve, intents.confirm, intents.handle and intents.handle-in-app, and writes outcomes to intents.outcomes. \
                Several workers share the partitions. Records of one session are processed in order, those of different sessions concurrently.

                On SIGTERM or SIGINT it finishes its running work and ends. Exit codes: 0 ended as requested, 2 wrong arguments, settings or \
                declarations, 4 failure.
                """,
            // The program's own version is up to its author.
            version: "IntentPipeline \(PipelineVersion.current)")
    }

    @Option(
        name: .customLong("phase"),
        help: ArgumentHelp(
            "Work on this phase only: resolve, confirm, handle or handle-in-app. May be repeated. Defaults to all phases.",
            valueName: "phase"))
    var phases: [WorkerRole] = []

    @OptionGroup var process: ProcessOptions

    @Option(help: ArgumentHelp("How many jobs may run at the same time.", valueName: "count"))
    var concurrency: Int = 1_024

    @OptionGroup var source: Program.Source

    func validate() throws {
        if concurrency < 1 { throw ValidationError("--concurrency must be at least 1.") }
    }

    private var roles: [WorkerRole] { WorkerRole.allCases.filter { phases.isEmpty || phases.contains($0) } }
    private var name: String { roles.count == 1 ? roles[0].name : "worker" }

    func run() async throws {
        let logger = process.logging.logger("intent-\(name)")
        let environment = WorkerEnvironment(process: process, roles: roles, logger: logger)
        guard let source = try source.open(environment) else { return try await work(environment, nil) }
        do {
            try await work(environment, source)
            await source.close()
        } catch {
            await source.close()
            throw error
        }
    }

    /// - Throws: A `ValidationError` that names a wrong setting; ``ArgumentParser/ExitCode/usage`` after it has printed every problem of the source;
    ///   ``ArgumentParser/ExitCode/failed`` for anything else, after it has logged why.
    private func work(_ environment: WorkerEnvironment, _ source: (any OpenIntentSource)?) async throws {
        let logger = environment.logger
        let served = try serve(source)
        if process.stopWithInput { stopProcessWithInput() }
        // Trap SIGHUP before other processes see this one. Otherwise the signal would end the process.
        let hangups = source == nil ? nil : await UnixSignalsSequence(trapping: .sighup)
        var configuration = IntentWorker.Configuration(roles: roles)
        configuration.topics = process.kafka.topics
        configuration.concurrency = concurrency
        configuration.instance = process.name
        let log = try process.kafka.log(defaults: PipelineDefaults.worker, logger: logger)
        let worker = IntentWorker(
            serving: served, configuration: configuration, log: log, encryption: try process.kafka.encryption(logger: logger),
            logger: logger,
            announces: true)
        let reloading = Task { [name] in
            guard let hangups else { return }
            for await _ in hangups { served.reload(role: name, logger: logger) }
        }
        defer { reloading.cancel() }
        try await runServices((try source?.services { served.registry } ?? []) + [worker], logger: logger)
    }

    private func serve(_ source: (any OpenIntentSource)?) throws -> ServedIntents {
        do {
            return try ServedIntents(Program.extensions, source)
        } catch {
            guard let source else { throw ValidationError("\(error)") }
            for line in source.problems(error) { complain(line) }
            complain("The definitions have errors; nothing is served.")
            throw ExitCode.usage
        }
    }
}
