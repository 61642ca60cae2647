import Foundation
import IntentModel
import PipelineService

/// The pipeline that the dialogues are played through: `intents dev` as a child process, with the services' definition
/// files.
final class ReplayPipeline {
    struct DidNotStart: Error, CustomStringConvertible {
        let description: String
    }

    private let process = Process()
    private let directory: URL

    /// - Parameters:
    ///   - files: The definition files.
    ///   - arguments: Further arguments of `intents dev`.
    init(_ files: [(name: String, text: String)], arguments: [String]) throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("sgd-replay-\(PersonClient.newID())")
        let definitions = directory.appendingPathComponent("definitions")
        try FileManager.default.createDirectory(at: definitions, withIntermediateDirectories: true)
        for file in files { try Data(file.text.utf8).write(to: definitions.appendingPathComponent(file.name)) }
        process.executableURL = Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent("intents")
        process.arguments =
            ["dev", "--port", "0", "--definitions", definitions.path, "--ready-file", ready.path] + arguments
        process.standardOutput = FileHandle.nullDevice
    }

    private var ready: URL { directory.appendingPathComponent("ready.json") }

    /// Starts the pipeline and waits until it is ready.
    ///
    /// - Returns: The bootstrap servers of its Kafka.
    func start() async throws -> String {
        try process.run()
        let deadline = ContinuousClock.now.advanced(by: .seconds(120))
        while ContinuousClock.now < deadline {
            guard process.isRunning else { throw DidNotStart(description: "the pipeline did not start: see above") }
            if let data = try? Data(contentsOf: ready),
                let servers = try? JSONView(parsing: Array(data))["bootstrapServers"]?.string
            {
                return servers
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw DidNotStart(description: "the pipeline was not ready after 120 seconds")
    }

    func stop() {
        if process.isRunning {
            process.terminate()
            process.waitUntilExit()
        }
        try? FileManager.default.removeItem(at: directory)
    }
}
