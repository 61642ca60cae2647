import ArgumentParser
import Foundation
import IntentEvents
import IntentModel
package import Pipeline
package import PipelineService
import RDKafkaLog
import RecordLog
import UnixSignals

/// Runs a whole pipeline as child processes: the broker (if no Kafka is configured), coordinators and workers. A child
/// that crashes is restarted, except the broker, because all data is lost with it.
package final class DevelopmentPipeline {
    package struct Size: Sendable {
        var coordinators: Int
        var resolvers: Int
        var confirmers: Int
        var handlers: Int
        var partitions: Int32
    }

    /// The addresses at which the processes serve telemetry and the console.
    package struct Addresses: Sendable {
        /// The addresses of metrics and health, by process name.
        package var telemetry: [String: String] = [:]
        package var console: String?
        /// The file of the secret that another coordinator needs; `nil` if the environment has the secret.
        package var handoffSecretFile: String?
    }

    private struct Role {
        var name: String
        var program: ChildProgram
        var arguments: [String]

        var hasDefinitions: Bool { arguments.contains("--definitions") }
    }

    /// The history of a process since it last joined its group, or served the console.
    private struct Progress {
        /// `true` if it has joined since its last start.
        var hasJoined = false
        var crashes = 0
        /// `true` if it could not start with the definitions.
        var hasRefused = false
        /// `true` if it may have read the definitions before their last change.
        var hasMissedReload = false
    }

    /// The connection, with a properties file that all processes can read.
    package let kafka: KafkaOptions
    /// The copy of the properties file, if there is one, while this pipeline runs.
    private let propertiesFile: URL
    /// The file of the secret that coordinators sign handoffs with, while this pipeline runs; `nil` if the environment
    /// has the secret.
    private let handoffSecretFile: URL?
    private let size: Size
    /// The workers' arguments for definition files and the hosts that they may call.
    private let definitions: [String]
    private let logLevel: String
    /// The program of all workers; `nil` if the user starts the workers.
    private let worker: ChildProgram?
    /// The folder for the sample domains' data while this pipeline runs; `nil` if the environment names one.
    private let sampleData: URL?
    private var roles: [Role] = []
    private var children: [String: Child] = [:]
    private var progress: [String: Progress] = [:]
    /// `true` after all processes have joined once.
    private var isRunning = false
    private let hasConsole: Bool
    private let trust: InputTrust
    /// The development broker's port, unless another program listens at it; 0 for any port.
    private let port: UInt16
    private var addresses = Addresses()
    private var reload = DefinitionReload()
    private let events: AsyncStream<Child.Event>
    private let eventSink: AsyncStream<Child.Event>.Continuation
    /// A handler of the lines for the user.
    package var report: (String) -> Void = { _ in }

    /// Prepares a pipeline. ``run(_:)`` must be called once; it removes the files that this initializer creates.
    ///
    /// - Throws: A `ValidationError` if the properties file of the options can't be read.
    /// - Parameters:
    ///   - worker: The program of all workers; `nil` starts none.
    ///   - console: `true` starts the console too.
    ///   - trust: The topics whose writers are trusted to speak for the person.
    ///   - port: The development broker's port, unless another program listens at it; 0 for any port.
    package init(
        _ kafka: KafkaOptions, size: Size, logLevel: String, worker: ChildProgram? = ChildProgram(.sampleWorker),
        definitions: [String] = [], console: Bool = false,
        trust: InputTrust = .open, port: UInt16 = 0
    ) throws {
        self.port = port
        hasConsole = console
        self.trust = trust
        propertiesFile = FileManager.default.temporaryDirectory.appendingPathComponent(
            "intents-dev-\(UUID().uuidString).properties")
        self.kafka = try kafka.copyingPropertiesFile(to: propertiesFile.path)
        self.size = size
        self.definitions = definitions
        self.logLevel = logLevel
        self.worker = worker
        func isSet(_ name: String) -> Bool { ProcessInfo.processInfo.environment[name]?.isEmpty == false }
        let files = FileManager.default.temporaryDirectory.appendingPathComponent("intents-dev-\(UUID().uuidString)")
        sampleData = isSet("INTENTS_SAMPLE_DATA") ? nil : files
        handoffSecretFile = isSet("INTENTS_HANDOFF_SECRET") ? nil : files.appendingPathExtension("handoffs")
        (events, eventSink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(10_000))
    }

    /// Makes the workers read their definition files again, as SIGHUP does. May be called on any thread.
    package var reloadDefinitions: @Sendable () -> Void { { [eventSink] in eventSink.yield(.reload) } }

    /// The process ids by name.
    var processes: [String: Int32] { children.mapValues(\.pid) }

    /// Starts all processes, calls `body` after they have joined their groups, and stops them when `body` ends or the
    /// task is cancelled.
    ///
    /// SIGHUP makes workers read their definition files again. It interrupts a pipeline that has none, or whose terminal
    /// was closed, unless the process was started with `nohup`.
    ///
    /// - Throws: The error of `body`; ``PipelineInterrupted`` after SIGTERM, SIGINT or a hang-up, even during the start;
    ///   ``PipelineDied`` if the pipeline did not start, if a process keeps crashing, or if the broker has ended.
    package func run<Value: Sendable>(
        _ body:
            @escaping @Sendable (_ bootstrapServers: String, _ processes: [String: Int32], _ addresses: Addresses)
            async throws ->
            Value
    ) async throws -> Value {
        // Signals are handled from the beginning, so that the children and their files are always cleaned up.
        let terminal = Terminal()
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup)
        let following = Task { [eventSink, definitions] in
            for await signal in signals {
                if signal != .sighup || (terminal.isClosed && !terminal.isOptional) {
                    eventSink.yield(.interrupted)
                } else if !definitions.isEmpty {
                    eventSink.yield(.reload)
                } else if !terminal.isOptional {
                    eventSink.yield(.interrupted)
                }
            }
        }
        defer { following.cancel() }
        do {
            let servers = try await startBroker()
            try startProcesses(servers)
            try await waitUntilJoined()
            isRunning = true
            addresses.handoffSecretFile = handoffSecretFile?.path
            let (processes, addresses, eventSink) = (processes, addresses, eventSink)
            let work = Task {
                defer { eventSink.yield(.ended) }
                return try await body(servers, processes, addresses)
            }
            let value = try await withTaskCancellationHandler {
                supervision: for await event in events {
                    if case .ended = event { break supervision }
                    do { try handle(event) } catch {
                        work.cancel()
                        throw error
                    }
                }
                return try await work.value
            } onCancel: {
                work.cancel()
            }
            await stopChildren()
            return value
        } catch {
            await stopChildren()
            throw error
        }
    }

    // MARK: Starting

    private func startBroker() async throws -> String {
        if let servers = kafka.servers {
            let (log, topics, partitions) = (try kafka.log(), kafka.topics, size.partitions)
            let creation = Task { [eventSink] in
                defer { eventSink.yield(.ended) }
                try await log.createTopics(topics.specifications(partitions: partitions))
            }
            for await event in events {
                if case .interrupted = event { throw PipelineInterrupted() }
                if case .ended = event { break }
            }
            try await creation.value
            return servers
        }
        try start(
            Role(
                name: "broker", program: ChildProgram(.tool),
                arguments: [
                    "broker", "--port", String(port), "--or-any-port", "--topic-prefix", kafka.topics.prefix,
                    "--partitions",
                    String(size.partitions),
                ]))
        for await event in events {
            switch event {
            case .line("broker", let line):
                guard let servers = try? JSONView(parsing: Array(line.utf8))["bootstrapServers"]?.string else {
                    continue
                }
                return servers
            case .exited(_, let status): throw PipelineDied(name: "broker", status: status)
            case .interrupted: throw PipelineInterrupted()
            default: continue
            }
        }
        throw PipelineDied(name: "broker")
    }

    private func startProcesses(_ servers: String) throws {
        var shared = kafka.arguments(bootstrapServers: servers) + ["--log-level", logLevel]
        let isEmbedded = children["broker"] != nil
        var signing: [String] = []
        if let file = handoffSecretFile {
            let secret = (0..<32).map { _ in "0123456789abcdef".randomElement() ?? "0" }
            try PropertiesFile.write(String(secret), to: file.path)
            signing = ["--handoff-secret-file", file.path]
        }
        for (name, value) in isEmbedded ? PipelineDefaults.development.sorted(by: { $0.key < $1.key }) : [] {
            if !kafka.properties.contains(where: { $0.hasPrefix("\(name)=") }) { shared += ["-X", "\(name)=\(value)"] }
        }
        func add(_ name: String, _ program: ChildProgram, _ count: Int, _ extra: [String] = []) {
            for number in 0..<count {
                let instance = count == 1 ? name : "\(name)-\(number + 1)"
                roles.append(
                    Role(name: instance, program: program, arguments: shared + ["--instance", instance] + extra))
            }
        }
        add("coordinator", ChildProgram(.coordinator), size.coordinators, ["--trust", trust.rawValue] + signing)
        let workers = [
            ("resolver", size.resolvers, "resolve"), ("confirmer", size.confirmers, "confirm"),
            ("handler", size.handlers, "handle"),
            ("app-handler", 1, "in-app"),
        ]
        if let worker {
            for (name, count, phase) in workers { add(name, worker, count, ["--phase", phase] + definitions) }
        }
        if hasConsole { add("console", ChildProgram(.console), 1, ["--or-any-port"]) }
        for role in roles { try start(role) }
    }

    private func start(_ role: Role) throws {
        var environment = sampleData.map { ["INTENTS_SAMPLE_DATA": $0.path] } ?? [:]
        // Each process has its own port.
        environment["INTENTS_TELEMETRY"] = "127.0.0.1:0"
        addresses.telemetry[role.name] = nil
        progress[role.name, default: Progress()].hasJoined = false
        children[role.name] = try Child(
            role.name, program: role.program, arguments: role.arguments, environment: environment
        ) { [eventSink] in
            eventSink.yield($0)
        }
    }

    private func waitUntilJoined() async throws {
        let missing = roles.map(\.name)
        let late = Task { [eventSink] in
            try await ContinuousClock().sleep(for: .seconds(90))
            eventSink.yield(.ended)
        }
        defer { late.cancel() }
        for await event in events {
            if case .ended = event {
                throw PipelineDied(name: missing.filter { !hasJoined($0) }.joined(separator: ", "))
            }
            try handle(event)
            if missing.allSatisfy({ hasJoined($0) && addresses.telemetry[$0] != nil }) { return }
        }
    }

    // MARK: Running

    private func handle(_ event: Child.Event) throws {
        switch event {
        case .line(let name, let line):
            if let definitions = try? JSONView(parsing: Array(line.utf8), limits: .journal)["definitions"] {
                return try proceed(reload.receive(definitions, from: name))
            }
            if let address = try? JSONView(parsing: Array(line.utf8))["telemetry"]?.string {
                return addresses.telemetry[name] = address
            }
            if let url = try? JSONView(parsing: Array(line.utf8))["console"]?.string {
                completeStart(of: name)
                return addresses.console = url
            }
            guard let partitions = try? JSONView(parsing: Array(line.utf8))["partitions"] else { return }
            completeStart(of: name)
            report(
                "\(name) has partitions \(partitions.elements.compactMap(\.int).map(String.init).joined(separator: " "))"
            )
        case .ended: return
        case .interrupted: throw PipelineInterrupted()
        case .reload:
            // A process that has just started may not handle the signal yet.
            let workers = roles.filter(\.hasDefinitions).map(\.name)
            let asked = workers.filter { hasJoined($0) || reload.stopped.contains($0) }
            for worker in workers where !asked.contains(worker) {
                progress[worker, default: Progress()].hasMissedReload = true
            }
            if !asked.isEmpty { try proceed(reload.begin(asked)) }
        case .unanswered(let question):
            guard let name = reload.late(question) else { return }
            report("\(name) has not read the definitions within \(DefinitionReload.patience.components.seconds) s")
            children[name]?.signal(SIGKILL)
        case .retry(let name): if reload.stopped.contains(name) { try proceed(DefinitionReload.Step(ask: name)) }
        case .exited(let name, let status): try handleExit(of: name, status)
        }
    }

    private func hasJoined(_ name: String) -> Bool { progress[name]?.hasJoined == true }

    private func completeStart(of name: String) {
        let hasMissedReload = progress[name]?.hasMissedReload == true
        progress[name] = Progress(hasJoined: true)
        if hasMissedReload { eventSink.yield(.reload) }
    }

    /// Starts a process again that has ended, except one that can't start with its definitions or settings.
    private func handleExit(of name: String, _ status: Int32) throws {
        let isRefusal = status == ExitCode.usage.rawValue && !hasJoined(name)
        guard let role = roles.first(where: { $0.name == name }), isRunning || !isRefusal else {
            throw PipelineDied(name: name, status: status)
        }
        if isRefusal, role.hasDefinitions {
            reload.stopped.insert(name)
            report("\(name) can't start with these definitions; it starts when they are corrected")
            // A file that was read while it was written may show no change later.
            if progress[name]?.hasRefused == false { yield(.retry(child: name), after: .seconds(2)) }
            progress[name]?.hasRefused = true
        } else {
            progress[name]?.crashes += 1
            if let crashes = progress[name]?.crashes, crashes > 5 { throw PipelineDied(name: name, status: status) }
            report("\(name) ended (status \(status)); starting it again")
            try start(role)
        }
        try proceed(reload.advance(past: name))
    }

    /// Prints the lines of a step of a reload, and has its worker read its definitions, by a start if it has ended.
    private func proceed(_ step: DefinitionReload.Step) throws {
        for line in step.lines { report(line) }
        guard let name = step.ask, let role = roles.first(where: { $0.name == name }) else { return }
        if hasJoined(name) {
            children[name]?.signal(SIGHUP)
            return yield(.unanswered(question: reload.question), after: DefinitionReload.patience)
        }
        if reload.stopped.remove(name) != nil { try start(role) } else { progress[name]?.hasMissedReload = true }
        try proceed(reload.advance(past: name))
    }

    private func yield(_ event: Child.Event, after delay: Duration) {
        Task { [eventSink] in
            try await ContinuousClock().sleep(for: delay)
            eventSink.yield(event)
        }
    }

    private func stopChildren() async {
        let broker = children.removeValue(forKey: "broker")
        for child in children.values { child.signal(SIGTERM) }
        await waitForEnd(of: Array(children.values), atMost: .seconds(20))
        for child in children.values { child.signal(SIGKILL) }
        broker?.signal(SIGTERM)
        if let broker { await waitForEnd(of: [broker], atMost: .seconds(5)) }
        broker?.signal(SIGKILL)
        for file in [propertiesFile, sampleData, handoffSecretFile].compactMap(\.self) {
            try? FileManager.default.removeItem(at: file)
        }
    }

    private func waitForEnd(of children: [Child], atMost patience: Duration) async {
        let deadline = ContinuousClock.now.advanced(by: patience)
        while children.contains(where: \.isRunning), ContinuousClock.now < deadline {
            try? await ContinuousClock().sleep(for: .milliseconds(20))
        }
    }
}

/// The error of a pipeline that was interrupted by a signal.
package struct PipelineInterrupted: Error, CustomStringConvertible {
    package var description: String { "interrupted" }
}

/// The error of a process of the pipeline that did not start or keeps crashing.
package struct PipelineDied: Error, CustomStringConvertible {
    var name: String
    /// The exit status of the process; `nil` if it is late.
    var status: Int32?

    /// `true` if the process refuses its arguments, definitions or settings.
    package var isRefusal: Bool { status == ExitCode.usage.rawValue }

    package var description: String {
        if isRefusal { return "\(name) can't start with these settings: see the log above" }
        let ending = status.map { " (status \($0))" } ?? ""
        return "\(name)\(ending) did not start or keeps crashing: see the log above"
    }
}
