import Foundation

/// A long-lived program that a test starts and ends.
final class RoleProcess {
    let name: String
    private let process = Process()
    private let files: [URL]
    private let input = Pipe()

    init(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        name = ([program] + arguments.prefix(2)).joined(separator: " ")
        files = [try Programs.temporaryFile(), try Programs.temporaryFile()]
        process.executableURL = Programs.url(program)
        process.arguments = arguments + ["--stop-with-input"]
        process.environment = Programs.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        try process.run()
    }

    var isRunning: Bool { process.isRunning }
    var output: String { (try? String(contentsOf: files[0], encoding: .utf8)) ?? "" }
    var errors: String { (try? String(contentsOf: files[1], encoding: .utf8)) ?? "" }

    /// Ends the program, waits for its end, and passes its standard error to `check`.
    func end(_ check: (String) -> Void = { _ in }) {
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
        check(errors)
        for file in files { try? FileManager.default.removeItem(at: file) }
    }
}
