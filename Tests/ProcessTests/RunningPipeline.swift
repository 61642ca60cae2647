import AsyncHTTPClient
import Foundation
import IntentModel
import NIOCore
import NIOHTTP1
import Testing

/// A pipeline of real processes, as `intents dev` starts it.
final class RunningPipeline: @unchecked Sendable {
    let servers: String
    /// The addresses of metrics and health, by the name of the process.
    let telemetry: [String: String]
    private let program: RunningProgram

    /// Starts a pipeline, and calls `body` when all processes have joined.
    ///
    /// - Parameters:
    ///   - options: The options of `intents dev`, separated by spaces.
    ///   - more: Further options.
    static func with(
        _ options: String = "", _ more: [String] = [], environment: [String: String] = [:],
        _ body: (RunningPipeline) async throws -> Void
    ) async throws {
        let pipeline = try await RunningPipeline(options, more, environment)
        do { try await body(pipeline) } catch {
            await pipeline.end()
            throw error
        }
        await pipeline.end()
    }

    private init(_ options: String, _ more: [String], _ environment: [String: String]) async throws {
        let files = Scratch()
        try files.file("other")
        let ready = files.path("ready")
        let port = options.contains("--port") ? "" : "--port 0"
        let program = try RunningProgram(
            "intents dev --no-console --ready-file \(ready) \(port) \(options)", more, environment: environment)
        self.program = program
        try await eventually("the pipeline is ready", within: 90) {
            FileManager.default.fileExists(atPath: ready) || !program.isRunning
        }
        let view = try JSONView(parsing: Array(files.text("ready").utf8))
        servers = view["bootstrapServers"]?.string ?? ""
        let addresses = view["telemetry"].map { $0.members.map { ($0.name, $0.value.string ?? "") } } ?? []
        telemetry = Dictionary(uniqueKeysWithValues: addresses)
    }

    private func end() async {
        if program.isRunning { program.terminate() }
        try? await eventually("the pipeline has ended", within: 40) { !program.isRunning }
        program.end()
    }

    var pid: Int32 { program.pid }

    /// The output of the processes and `intents dev`.
    var log: String { program.errors }

    func signal(_ number: Int32) { kill(pid, number) }

    /// The process ids of the children that run a program with these arguments.
    func children(_ program: String? = nil, arguments: [String] = []) -> [Int32] {
        Self.children(of: pid, program).filter { arguments.allSatisfy(Self.arguments(of: $0).contains) }
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

    /// The results of a session so far.
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
