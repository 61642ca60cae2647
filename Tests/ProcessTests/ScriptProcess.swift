import Foundation

/// A program outside of the pipeline, with its output.
final class ScriptProcess {
    private let process = Process()
    private let file: URL

    init(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        file = try Programs.temporaryFile()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.environment = Programs.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: file)
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    var output: String { (try? String(contentsOf: file, encoding: .utf8)) ?? "" }

    func end() {
        // SIGKILL, because the thread that started the program may have blocked the other signals.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: file)
    }
}
