import Foundation
import IntentModel

/// The programs in the directory in which these tests were built.
enum Programs {
    static let directory: URL = {
        let running =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        return URL(fileURLWithPath: running).deletingLastPathComponent()
    }()

    /// The environment for programs, without a Kafka: each pipeline of these tests has its own broker.
    static let environment = ProcessInfo.processInfo.environment.merging(["KAFKA_BOOTSTRAP_SERVERS": ""]) { $1 }

    static func url(_ name: String) -> URL { directory.appendingPathComponent(name) }

    static let rideRequests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appendingPathComponent("Examples/Rides/Resources/requests.jsonl").path

    static var kcat: String? {
        ["/usr/bin/kcat", "/usr/local/bin/kcat", "/opt/homebrew/bin/kcat"].first(
            where: FileManager.default.isExecutableFile)
    }

    struct Ending {
        var status: Int32
        var output: String
        var errors: String
        /// The lines of the output that are JSON objects.
        var json: [JSONView] { output.split(separator: "\n").compactMap { try? JSONView(parsing: Array($0.utf8)) } }
    }

    /// Runs a program to its end, or for at most `timeout` seconds.
    static func run(
        _ url: URL, _ arguments: [String], input: String = "", environment: [String: String] = environment,
        timeout: Double = 180
    ) async throws -> Ending {
        let process = Process()
        process.executableURL = url
        process.arguments = arguments
        process.environment = environment
        let files = try (0..<3).map { _ in try temporaryFile() }
        try Data(input.utf8).write(to: files[0])
        process.standardInput = try FileHandle(forReadingFrom: files[0])
        process.standardOutput = try FileHandle(forWritingTo: files[1])
        process.standardError = try FileHandle(forWritingTo: files[2])
        try process.run()
        try await eventually("\(url.lastPathComponent) \(arguments.joined(separator: " ")) ends", within: timeout) {
            !process.isRunning
        }
        defer { for file in files { try? FileManager.default.removeItem(at: file) } }
        return Ending(
            status: process.terminationStatus, output: try String(contentsOf: files[1], encoding: .utf8),
            errors: try String(contentsOf: files[2], encoding: .utf8))
    }

    static func run(_ name: String, _ arguments: [String], input: String = "", timeout: Double = 180) async throws
        -> Ending
    {
        try await run(url(name), arguments, input: input, timeout: timeout)
    }

    static func temporaryFile() throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("intents-test-\(UUID().uuidString)")
        try Data().write(to: url)
        return url
    }
}

struct TimedOut: Error, CustomStringConvertible {
    var description: String
}

/// Waits for a condition, which is checked periodically.
func eventually(_ what: String, within seconds: Double = 180, _ condition: () throws -> Bool) async throws {
    let deadline = ContinuousClock.now.advanced(by: .seconds(seconds))
    while try !condition() {
        guard ContinuousClock.now < deadline else { throw TimedOut(description: "not within \(seconds) s: \(what)") }
        try await ContinuousClock().sleep(for: .milliseconds(20))
    }
}
