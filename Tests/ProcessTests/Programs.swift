import AsyncHTTPClient
import Foundation
import IntentModel
import NIOCore
import NIOHTTP1
import Testing

extension Tag {
    /// A test that starts programs.
    @Tag static var processes: Self
    /// A test that takes more than ten seconds.
    @Tag static var slow: Self
}

/// The programs that these tests run: those of the package, and those of the machine.
enum Programs {
    /// The directory in which these tests were built, with the package's programs.
    static let directory: URL = {
        let running = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(fileURLWithPath: running ?? CommandLine.arguments[0]).deletingLastPathComponent()
    }()
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let rideRequests = root.appending(path: "Examples/Rides/Resources/requests.jsonl").path

    /// The environment for programs, without a Kafka: each pipeline of these tests has its own broker.
    static let environment = ProcessInfo.processInfo.environment.merging(["KAFKA_BOOTSTRAP_SERVERS": ""]) { $1 }

    static func path(_ name: String) -> String { directory.appending(path: name).path }

    /// Runs a program, named in `command` with arguments after spaces, to its end. Checks the exit status, unless that
    /// is `nil`, and texts that the output and the standard error contain.
    @discardableResult
    static func run(
        _ command: String, _ more: [String] = [], input: String = "", exits status: Int32? = 0,
        prints output: String = "", warns errors: String = "", within seconds: Double = 180,
        at place: SourceLocation = #_sourceLocation
    ) async throws -> Ending {
        let program = try RunningProgram(command, more, input: input)
        defer { program.end() }
        try await eventually("\(command) \(more) ends", within: seconds) { !program.isRunning }
        let ending = Ending(status: program.status, output: program.output, errors: program.errors)
        let isRight =
            (status == nil || status == ending.status) && (output.isEmpty || ending.output.contains(output))
            && (errors.isEmpty || ending.errors.contains(errors))
        #expect(isRight, "\(command) \(more) ends with \(ending.status): \(ending.all)", sourceLocation: place)
        return ending
    }

    /// Runs a command that may not be installed.
    static func succeeds(_ command: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try? process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    struct Ending {
        var status: Int32
        var output: String
        var errors: String

        var all: String { output + errors }
        var json: [JSONView] { output.json }
    }
}

extension String {
    /// The lines that are JSON objects.
    var json: [JSONView] { split(separator: "\n").compactMap { try? JSONView(parsing: Array($0.utf8)) } }
}

/// A program that a test starts and ends.
final class RunningProgram {
    let name: String
    private let process = Process()
    private let files = Scratch()
    private let signal: Int32
    /// The input that stays open until the program ends; `nil` for a file.
    private let pipe: Pipe?

    /// Starts a program of the package or of the machine, named in `command` with arguments after spaces. A program of
    /// the package that `stopsWithInput` ends even if the test process crashes. The input of a program that
    /// `waitsForInput` has no lines and no end.
    init(
        _ command: String, _ more: [String] = [], environment: [String: String] = [:], input: String = "",
        stopsWithInput: Bool = false, waitsForInput: Bool = false
    ) throws {
        let words = command.split(separator: " ").map(String.init)
        let own = Programs.path(words[0])
        let isOwn = FileManager.default.isExecutableFile(atPath: own)
        name = words.prefix(3).joined(separator: " ")
        // SIGKILL, because the thread that starts a program may have blocked the other signals.
        signal = isOwn && stopsWithInput ? SIGTERM : SIGKILL
        pipe = stopsWithInput || waitsForInput ? Pipe() : nil
        process.executableURL = URL(filePath: isOwn ? own : "/usr/bin/env")
        let arguments = words.dropFirst() + more
        process.arguments = isOwn ? Array(arguments) : [words[0]] + arguments
        process.environment = Programs.environment.merging(environment) { $1 }
        if let pipe {
            process.standardInput = pipe
            if stopsWithInput { process.arguments?.append("--stop-with-input") }
        } else {
            process.standardInput = try FileHandle(forReadingFrom: URL(filePath: files.file("input", input)))
        }
        process.standardOutput = try FileHandle(forWritingTo: URL(filePath: files.file("output")))
        process.standardError = try FileHandle(forWritingTo: URL(filePath: files.file("errors")))
        try process.run()
    }

    var pid: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }
    var status: Int32 { process.terminationStatus }
    var output: String { files.text("output") }
    var errors: String { files.text("errors") }

    func terminate() { process.terminate() }

    /// Ends the program, and waits for its end.
    func end() {
        if process.isRunning { kill(pid, signal) }
        process.waitUntilExit()
    }

    /// The first value of a member in the output's lines of JSON.
    func value(_ name: String) -> String? { output.json.lazy.compactMap { $0[name]?.string }.first }
}

/// A folder for the files of a test. Its files are removed when the tests end.
struct Scratch {
    private static let all: URL = {
        atexit { try? FileManager.default.removeItem(at: Scratch.all) }
        return FileManager.default.temporaryDirectory.appending(path: "intents-tests-\(UUID().uuidString)")
    }()

    private let url = Self.all.appending(path: UUID().uuidString)
    var path: String { url.path }

    func path(_ name: String) -> String { url.appending(path: name).path }
    func text(_ name: String) -> String { (try? String(contentsOfFile: path(name), encoding: .utf8)) ?? "" }

    /// Writes a file that only this user can read, and returns its path.
    @discardableResult
    func file(_ name: String, _ text: String = "", isProgram: Bool = false) throws -> String {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url.appending(path: name), options: .atomic)
        let permissions: [FileAttributeKey: Any] = [.posixPermissions: isProgram ? 0o700 : 0o600]
        try FileManager.default.setAttributes(permissions, ofItemAtPath: path(name))
        return path(name)
    }

    static func encryptionKeys() throws -> String {
        try Scratch().file("encryption.keys", String(repeating: "0a", count: 32) + "\n")
    }
}

/// The interpreter for the scripts of these tests.
enum Python {
    /// The interpreter of deploy/setup.sh if it exists, or else `python3`; `nil` if neither has `confluent_kafka`.
    static let withKafka: String? = [Programs.root.appending(path: ".build/python/bin/python3").path, "python3"]
        .first { Programs.succeeds([$0, "-c", "import confluent_kafka"]) }
    static var path: String { withKafka ?? "python3" }

    /// The condition of tests whose services run in Python and have a certificate.
    static let needed: ConditionTrait = .enabled(
        if: Programs.succeeds(["python3", "-c", "import http.server, ssl"])
            && Programs.succeeds(["openssl", "version"]), "there is no python3 or no openssl")
}

struct TimedOut: Error, CustomStringConvertible { var description: String }

/// Waits for a condition, which is checked periodically.
func eventually(_ what: String, within seconds: Double = 180, _ condition: () async throws -> Bool) async throws {
    _ = try await found(what, within: seconds) { try await condition() ? true : nil }
}

/// Waits for a value, which is looked for periodically.
func found<Value>(_ what: String, within seconds: Double = 180, _ look: () async throws -> Value?) async throws -> Value
{
    let deadline = ContinuousClock.now.advanced(by: .seconds(seconds))
    while true {
        if let value = try await look() { return value }
        guard ContinuousClock.now < deadline else { throw TimedOut(description: "not within \(seconds) s: \(what)") }
        try await ContinuousClock().sleep(for: .milliseconds(20))
    }
}

/// A pipeline of real processes, as `intents dev` starts it.
final class RunningPipeline: @unchecked Sendable {
    let servers: String
    /// The addresses of metrics and health, by the name of the process.
    let telemetry: [String: String]
    /// The file of the secret that another coordinator needs.
    let handoffSecretFile: String
    private let program: RunningProgram

    /// Starts a pipeline with options of `intents dev`, separated by spaces, and `more` options. Calls `body` when all
    /// processes have joined.
    ///
    /// - Parameter program: The program that has the command `dev`.
    static func with(
        _ options: String = "", _ more: [String] = [], environment: [String: String] = [:], program: String = "intents",
        _ body: (RunningPipeline) async throws -> Void
    ) async throws {
        let pipeline = try await RunningPipeline(options, more, environment, program)
        do { try await body(pipeline) } catch {
            await pipeline.end()
            throw error
        }
        await pipeline.end()
    }

    private init(
        _ options: String, _ more: [String], _ environment: [String: String], _ command: String
    ) async throws {
        let files = Scratch()
        try files.file("other")
        let ready = files.path("ready")
        let port = options.contains("--port") ? "" : "--port 0"
        let console = options.contains("--console") ? "" : "--no-console"
        let program = try RunningProgram(
            "\(command) dev \(console) --ready-file \(ready) \(port) \(options)", more, environment: environment,
            stopsWithInput: true)
        self.program = program
        try await eventually("the pipeline is ready", within: 90) {
            FileManager.default.fileExists(atPath: ready) || !program.isRunning
        }
        guard program.isRunning else { throw TimedOut(description: "the pipeline has ended: \(program.errors)") }
        let view = try JSONView(parsing: Array(files.text("ready").utf8))
        servers = view["bootstrapServers"]?.string ?? ""
        let addresses = view["telemetry"].map { $0.members.map { ($0.name, $0.value.string ?? "") } } ?? []
        telemetry = Dictionary(uniqueKeysWithValues: addresses)
        handoffSecretFile = view["handoffSecretFile"]?.string ?? ""
    }

    private func end() async {
        if program.isRunning { program.terminate() }
        try? await eventually("the pipeline has ended", within: 40) { !program.isRunning }
        if program.isRunning { signal(SIGKILL) }
        program.end()
    }

    var pid: Int32 { program.pid }

    /// The output of the processes and `intents dev`.
    var log: String { program.errors }

    func signal(_ number: Int32) { kill(pid, number) }

    /// The process ids of the children that run a program with an argument.
    func children(_ program: String? = nil, _ argument: String? = nil) -> [Int32] {
        Self.children(of: pid, program).filter { pid in argument.map { Self.arguments(of: pid).contains($0) } ?? true }
    }

    static func arguments(of process: Int32) -> [String] {
        let line = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
        return line?.split(separator: "\0").map(String.init) ?? []
    }

    static func children(of parent: Int32, _ program: String? = nil) -> [Int32] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }) ?? []
        return processes.filter { pid in
            guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
                let close = stat.lastIndex(of: ")")
            else { return false }
            let fields = stat[close...].split(separator: " ")
            guard fields.count > 2, fields[1] != "Z", Int32(fields[2]) == parent else { return false }
            guard let program else { return true }
            let running = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/exe")
            return running.map { ($0 as NSString).lastPathComponent } == program
        }
    }

    /// The response of a process at its address of metrics and health.
    func get(_ path: String, of process: String, accept: String = "") async throws -> (status: Int, body: String) {
        try await Self.get(path, at: telemetry[process] ?? "", accept: accept)
    }

    static func get(_ path: String, at address: String, accept: String = "") async throws -> (status: Int, body: String)
    {
        var request = HTTPClientRequest(url: "http://\(address)\(path)")
        if !accept.isEmpty { request.headers.add(name: "Accept", value: accept) }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        return (Int(response.status.code), String(buffer: try await response.body.collect(upTo: 1 << 22)))
    }

    /// Runs the tool against this pipeline, and checks how it ends: see ``Programs``.
    @discardableResult
    func intents(
        _ command: String, _ more: [String] = [], input: String = "", exits status: Int32? = 0,
        prints output: String = "", warns errors: String = "", at place: SourceLocation = #_sourceLocation
    ) async throws -> Programs.Ending {
        try await Programs.run(
            "intents \(command)", more + ["--bootstrap-servers", servers], input: input, exits: status, prints: output,
            warns: errors, within: 150, at: place)
    }

    func results(of session: String) async throws -> [JSONView] {
        try await intents("watch --session \(session) --from-beginning --exit-at-end --output json").json
    }

    /// Waits until a member of the session's last result has a value.
    func untilLast(_ member: String, _ value: String, of session: String) async throws {
        try await eventually("\(member) of \(session) is \(value)", within: 30) {
            try await results(of: session).last?[member]?.string == value
        }
    }
}
