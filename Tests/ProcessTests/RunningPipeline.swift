import AsyncHTTPClient
import Foundation
import IntentModel
import NIOCore
import NIOHTTP1

/// A pipeline of real processes, as `intents dev` starts it.
final class RunningPipeline: @unchecked Sendable {
    let servers: String
    /// The addresses of metrics and health, by the name of the process.
    let telemetry: [String: String]
    /// The console's address; `nil` if no console was started.
    let console: String?
    private let process: Process
    private let errors: URL

    /// Starts a pipeline, and calls `body` when all processes have joined.
    static func with(
        _ options: [String] = [], environment: [String: String] = [:], _ body: (RunningPipeline) async throws -> Void
    ) async throws {
        let pipeline = try await RunningPipeline(options, environment)
        do { try await body(pipeline) } catch {
            await pipeline.end()
            throw error
        }
        await pipeline.end()
    }

    private init(_ options: [String], _ environment: [String: String]) async throws {
        let ready = FileManager.default.temporaryDirectory.appendingPathComponent("intents-ready-\(UUID().uuidString)")
        errors = try Programs.temporaryFile()
        process = Process()
        process.executableURL = Programs.url("intents")
        process.arguments =
            ["dev", "--ready-file", ready.path] + (options.contains("--port") ? [] : ["--port", "0"])
            + (options.contains("--console") ? [] : ["--no-console"]) + options
        process.environment = Programs.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        let process = process
        try await eventually("the pipeline is ready", within: 90) {
            FileManager.default.fileExists(atPath: ready.path) || !process.isRunning
        }
        let text = try Data(contentsOf: ready)
        try FileManager.default.removeItem(at: ready)
        let view = try JSONView(parsing: Array(text))
        servers = view["bootstrapServers"]?.string ?? ""
        console = view["console"]?.string
        let addresses = view["telemetry"].map { $0.members.map { ($0.name, $0.value.string ?? "") } } ?? []
        telemetry = Dictionary(uniqueKeysWithValues: addresses)
    }

    var pid: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }

    /// The output of the processes and `intents dev`.
    var log: String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }

    /// The process ids of the children that run a program with these arguments.
    func children(_ program: String? = nil, arguments: [String] = []) -> [Int32] {
        Self.children(of: pid, program).filter { pid in
            let line =
                (try? String(contentsOfFile: "/proc/\(pid)/cmdline", encoding: .utf8))?.split(separator: "\0").map(
                    String.init) ?? []
            return arguments.allSatisfy(line.contains)
        }
    }

    static func children(of parent: Int32, _ program: String? = nil) -> [Int32] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }) ?? []
        return processes.filter { pid in
            guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
                let close = stat.lastIndex(of: ")")
            else {
                return false
            }
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

    /// Runs the tool against this pipeline.
    func intents(_ arguments: [String], input: String = "", timeout: Double = 60) async throws -> Programs.Ending {
        try await Programs.run("intents", arguments + ["--bootstrap-servers", servers], input: input, timeout: timeout)
    }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    func end() async {
        if process.isRunning { process.terminate() }
        let process = process
        try? await eventually("the pipeline has ended", within: 40) { !process.isRunning }
        try? FileManager.default.removeItem(at: errors)
    }
}
