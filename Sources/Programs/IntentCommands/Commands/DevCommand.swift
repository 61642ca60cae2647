import ArgumentParser
import Foundation
import IntentEvents
import IntentFiles
import IntentKit
import IntentModel
import IntentRuntime
import LocalPipeline
import Pipeline
import PipelineService

struct DevCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dev", abstract: "Run a whole pipeline on this machine, until Ctrl-C.",
        discussion: """
            Starts the development broker, creates the topics, and starts a coordinator and the workers of the sample domains, each in its own \
            process. With --bootstrap-servers it uses that Kafka instead of the development broker. A process that crashes is started again. The \
            development broker keeps all data in memory: not for production. It listens where other commands look for it, at 127.0.0.1:8232. If \
            the console has been built, it is started as well, and its address printed.

            With --no-workers, you start the workers, in any language. With --worker, your program does the work of the resolver, confirmer and handlers: \(PipelineProgram.tool) dev --worker .build/debug/Greenhouse
            """)

    @OptionGroup var kafka: KafkaOptions
    @OptionGroup var size: SizeOptions

    @Option(
        help: ArgumentHelp(
            "Where to write {\"telemetry\":{name: address}, \"console\":…, \"handoffSecretFile\":…, \"bootstrapServers\":…} once all processes have joined.",
            valueName: "path"))
    var readyFile: String?

    @Option(help: "The port of the development broker or, if something else listens there, any port. 0 for any port.")
    var port = PipelineDefaults.developmentPort

    @Option(
        help: ArgumentHelp(
            "Your worker program (a WorkerProgram), which replaces those of the sample domains.", valueName: "program"))
    var worker: String?

    @Flag(inversion: .prefixedNo, help: "Start workers. Without them, start your own beside this pipeline.")
    var workers = true

    @OptionGroup var definitions: DefinitionArguments

    @Flag(
        inversion: .prefixedNo,
        help:
            "Start the console, too, at 127.0.0.1:8233 or, if something else listens there, at any port. Default: if it has been built."
    )
    var console: Bool?

    @Option(
        help: ArgumentHelp(
            "Who is trusted to speak for the person: see \(PipelineProgram.coordinator) --help. With separate, answers of people go to intents.answers.",
            valueName: "open|separate"), transform: DevCommand.trust)
    var trust = InputTrust.open

    @Option(help: "The log level of the processes. They log to standard error.")
    var logLevel = "warning"

    @Flag(help: .hidden)
    var stopWithInput = false

    private static func trust(_ text: String) throws -> InputTrust {
        guard let trust = InputTrust(rawValue: text) else {
            throw ValidationError("'\(text)' is none of open and separate.")
        }
        return trust
    }

    /// The folder of this program with a slash, as this command was called; empty if it was found by its name.
    private static var folder: Substring {
        CommandLine.arguments.first.flatMap { path in path.lastIndex(of: "/").map { path[...$0] } } ?? ""
    }

    /// Returns a word for a shell.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+@:".contains($0)) }
        return isPlain ? word : "'\(word.replacing("'", with: #"'\''"#))'"
    }

    /// `true` if a shell finds a program by its name.
    private static func isInstalled(_ name: String) -> Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
        }
    }

    /// Returns the reason for a missing console, with advice.
    private func advice(_ hasConsole: Bool) -> String {
        if console == false { return "No console was asked for." }
        if hasConsole { return "The console did not start." }
        let release = Self.folder.contains("/release/") ? "-c release " : ""
        return
            "There is no console yet. It takes some minutes to build: swift build \(release)--product intents-console"
    }

    func validate() throws {
        if let worker, !FileManager.default.isExecutableFile(atPath: worker) || worker.hasSuffix("/") {
            throw ValidationError("--worker must name a program, and '\(worker)' is not executable. Has it been built?")
        }
        if !workers, worker != nil || !definitions.arguments.isEmpty {
            throw ValidationError("--no-workers excludes --worker and --definitions, which start workers.")
        }
    }

    /// Reads the definition files, and reports their errors before any process starts.
    private func readDefinitions() throws -> WatchedDefinitions? {
        guard let folder = definitions.definitions else { return nil }
        do {
            let watched = try WatchedDefinitions(directory: folder)
            try watched.files?.check()
            return watched
        } catch {
            complain("\(error)")
            complain(
                "Nothing was started: '\(PipelineProgram.tool) definitions check \(folder)' reports these errors, too.")
            throw ExitCode.usage
        }
    }

    /// Follows the definition files until the task is cancelled.
    ///
    /// - Parameter reload: Makes the workers read the files.
    private static func follow(_ definitions: WatchedDefinitions?, reload: @Sendable () -> Void) async throws {
        var definitions = definitions
        while true {
            try await ContinuousClock().sleep(for: definitions == nil ? .seconds(3_600) : .milliseconds(300))
            switch definitions?.poll() {
            case nil: continue
            case .success: reload()
            case .failure(let error):
                for problem in error.problems.map(\.description).shortened { complain("  \(problem)") }
                complain("  The definitions in use stay the same until this is corrected.")
            }
        }
    }

    func run() async throws {
        let read = try readDefinitions()
        if stopWithInput { stopProcessWithInput() }
        let hasConsole = ChildProgram(.console).isBuilt
        let isSample = workers && worker == nil && definitions.arguments.isEmpty
        let program = worker.map(ChildProgram.init(path:)) ?? ChildProgram(isSample ? .sampleWorker : .httpWorker)
        let pipeline = try DevelopmentPipeline(
            kafka, size: size.size, logLevel: logLevel, worker: workers ? program : nil,
            definitions: definitions.arguments, console: console ?? hasConsole, trust: trust, port: port)
        let advice = advice(hasConsole)
        pipeline.report = { complain("  \($0)") }
        let reload = pipeline.reloadDefinitions
        let (topics, readyFile, folder) = (kafka.topics, readyFile, definitions.definitions)
        let intent = isSample ? "RequestRide" : read?.files?.intents.first?.name ?? "YourIntent"
        do {
            try await pipeline.run { servers, _, addresses in
                let telemetry = addresses.telemetry
                if let readyFile {
                    var ready = JSONWriter()
                    ready.beginObject()
                    ready.name(named: "telemetry")
                    ready.beginObject()
                    for (name, address) in telemetry.sorted(by: { $0.key < $1.key }) {
                        ready.member(named: name, .string(address))
                    }
                    ready.endObject()
                    ready.member("console", ifPresent: addresses.console)
                    ready.member("handoffSecretFile", ifPresent: addresses.handoffSecretFile)
                    // The address is last, because scripts expect it there.
                    ready.member("bootstrapServers", servers)
                    ready.endObject()
                    try Data(ready.bytes).write(to: URL(fileURLWithPath: readyFile), options: .atomic)
                }
                let isFound = servers == "127.0.0.1:\(PipelineDefaults.developmentPort)"
                var lines = ["The pipeline runs at \(servers). Ctrl-C ends it."]
                lines.append(addresses.console.map { "The console is at \($0)" } ?? advice)
                if let folder { lines.append("A change of the definitions in \(folder) is used within a second.") }
                lines += ["", "In another terminal:"]
                if !isFound { lines.append("  export KAFKA_BOOTSTRAP_SERVERS=\(servers)") }
                let program = Self.quoted("\(Self.folder)\(PipelineProgram.tool)")
                lines.append("  \(program) chat \(intent)\(isSample ? " -p \"dropOff=the airport\"" : "")")
                lines.append("  \(program) doctor")
                if Self.isInstalled("kcat") {
                    let parameters = isSample ? #""dropOff":"Airport""# : ""
                    lines += [
                        "", "  kcat -b \(servers) -t \(topics.results) -C -o end -u -f '%k  %s\\n'",
                        "  echo 'me:{\"intent\":\"\(intent)\",\"parameters\":{\(parameters)}}' | \\",
                        "    kcat -b \(servers) -t \(topics.requests) -P -K : -X topic.partitioner=murmur2_random",
                    ]
                }
                if let secret = addresses.handoffSecretFile {
                    let coordinator = "\(Self.folder)\(PipelineProgram.coordinator)"
                    lines += ["", "  \(coordinator) --handoff-secret-file \(Self.quoted(secret))"]
                }
                print(lines.joined(separator: "\n"))
                fflush(nil)
                // The pipeline cancels this task on SIGTERM or SIGINT.
                try await Self.follow(read, reload: reload)
            }
        } catch is PipelineInterrupted {
            return
        } catch let error as PipelineDied {
            complain("\(error)")
            throw error.isRefusal ? ExitCode.usage : ExitCode.failed
        }
    }
}
