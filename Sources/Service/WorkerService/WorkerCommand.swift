package import ArgumentParser
import Foundation
import IntentEvents
import IntentRuntime
import Logging
package import PipelineService
import ServiceLifecycle
import UnixSignals

/// A worker that is a program of this package.
package protocol PipelineWorker: WorkerProgram {
    static var program: PipelineProgram { get }
}

/// The command line of a ``WorkerProgram``.
package struct WorkerCommand<Program: WorkerProgram>: AsyncParsableCommand {
    package static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: (Program.self as? any PipelineWorker.Type)?.program.commandName ?? PipelineProgram.typedName,
            abstract: "Works on intents: resolves, confirms and handles them.",
            discussion: """
                Reads work from intents.resolve, intents.confirm, intents.handle and intents.handle-in-app, and writes outcomes to intents.outcomes. \
                Several workers share the partitions. What it serves is in the catalogue, intents.catalog, while it runs. Records of one session are processed in order, those of different sessions concurrently.

                On SIGTERM or SIGINT it finishes its running work and ends. Exit codes: 0 ended as requested, 2 wrong arguments, settings or \
                declarations, 4 failure.
                """,
            // The program's own version is up to its author.
            version: "IntentPipeline \(PipelineVersion.text)")
    }

    @Option(
        name: .customLong("phase"),
        help: ArgumentHelp(
            """
            Work on this phase only: resolve, confirm, handle, resolve-in-app, confirm-in-app or handle-in-app. in-app is handle-in-app, and the other two if an \
            intent is supported by the app alone. May be repeated. Defaults to resolve, confirm, handle and in-app.
            """,
            valueName: "phase"))
    var phases: [PhaseChoice] = []

    @Option(
        help: ArgumentHelp(
            """
            The service that it belongs to, with consumer groups of its own: all its processes serve the same intents. Work of other services is left \
            alone. Defaults to the default service. [environment: INTENTS_SERVICE]
            """, valueName: "name"))
    var service: String?

    @Option(
        help: ArgumentHelp(
            "The version of the service, for the catalogue: of two services with one intent, the higher one gets its work.",
            valueName: "version"))
    var serviceVersion: String?

    @Flag(
        help:
            "When it ends, leave its intents in the catalogue for up to five minutes: for a service with one process that is started again."
    )
    var keepListed = false

    @OptionGroup var process: ProcessOptions

    @Option(help: ArgumentHelp("How many jobs may run at the same time.", valueName: "count"))
    var concurrency: Int = 1_024

    @OptionGroup var source: Program.Source

    package init() {}

    package func validate() throws {
        if concurrency < 1 { throw ValidationError("--concurrency must be at least 1.") }
        if let serviceName, !ServiceName.isName(serviceName) {
            throw ValidationError("--service '\(serviceName)' is not 1 to 64 lower-case letters, digits and hyphens.")
        }
        if let serviceVersion,
            serviceVersion.isEmpty || serviceVersion.utf8.count > 64 || serviceVersion.contains(where: \.isWhitespace)
        {
            throw ValidationError("--service-version must be a word of at most 64 bytes.")
        }
    }

    private var serviceName: String? {
        service ?? ProcessInfo.processInfo.environment["INTENTS_SERVICE"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the roles of the chosen phases.
    ///
    /// - Parameter hasApp: `true` if there are intents that only the app supports.
    private func roles(hasApp: Bool) -> [WorkerRole] {
        let chosen = phases.isEmpty ? [.role(.resolve), .role(.confirm), .role(.handle), .inApp] : phases
        return WorkerRole.allCases.filter { role in
            chosen.contains(.role(role))
                || (chosen.contains(.inApp) && (role == .handleInApp || (role.isInApp && hasApp)))
        }
    }

    private var name: String { roles(hasApp: false).count == 1 ? roles(hasApp: false)[0].name : "worker" }

    package func run() async throws {
        process.logging.bootstrap()
        let logger = process.logging.logger("intent-\(name)")
        let environment = WorkerEnvironment(
            process: process,
            telemetry: try process.telemetry.open(
                service: serviceName ?? "intent-\(name)", instance: process.name, logger: logger),
            roles: roles(hasApp: true), logger: logger)
        guard let source = try source.open(environment) else { return try await work(environment, nil) }
        do {
            try await work(environment, source)
            await source.close()
        } catch {
            await source.close()
            throw error
        }
    }

    /// Runs the worker with an open source.
    ///
    /// - Throws: A `ValidationError` that names a wrong setting; ``ArgumentParser/ExitCode/usage`` after printing every
    ///   problem of the source; ``ArgumentParser/ExitCode/failed`` for any other failure, after logging the reason.
    private func work(_ environment: WorkerEnvironment, _ source: (any OpenIntentSource)?) async throws {
        let logger = environment.logger
        let served = try serve(source)
        if process.stopWithInput { stopProcessWithInput() }
        // SIGHUP is trapped before other processes know this one. Otherwise the signal would end the process.
        let hangups = source == nil ? nil : await UnixSignalsSequence(trapping: .sighup)
        var configuration = IntentWorker.Configuration(roles: roles(hasApp: !served.registry.intentsOfTheApp.isEmpty))
        configuration.service = serviceName
        configuration.serviceVersion = serviceVersion
        configuration.withdrawsIntents = !keepListed
        configuration.topics = process.kafka.topics
        configuration.concurrency = concurrency
        configuration.instance = process.name
        let telemetry = environment.telemetry
        let log = try process.kafka.log(defaults: PipelineDefaults.worker, logger: logger)
        let worker = IntentWorker(
            serving: served, configuration: configuration, log: log,
            encryption: try process.kafka.encryption(logger: logger),
            telemetry: telemetry, logger: logger, announces: true)
        let reloading = Task { [name] in
            guard let hangups else { return }
            for await _ in hangups { served.reload(role: name, logger: logger) }
        }
        defer { reloading.cancel() }
        try await runServices(
            (try source?.services { served.registry } ?? []) + [worker], telemetry: telemetry, logger: logger)
    }

    private func serve(_ source: (any OpenIntentSource)?) throws -> ServedIntents {
        if source == nil, Program.extensions.isEmpty {
            throw ValidationError(
                "There is nothing to serve: the program has no extensions. Name a folder of definition files with --definitions."
            )
        }
        do {
            return try ServedIntents(Program.extensions, source, Program.spokenValues)
        } catch {
            guard let source else { throw ValidationError("\(error)") }
            for line in source.problems(error) { complain(line) }
            complain("The definitions have errors; nothing is served.")
            throw ExitCode.usage
        }
    }
}
