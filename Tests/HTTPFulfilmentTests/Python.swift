import Foundation

/// The Python interpreters of this machine.
enum Python {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The interpreters to try: first the one of deploy/setup.sh, if it exists.
    private static let candidates = [root.appending(path: ".build/python/bin/python3").path, "python3"]

    /// An interpreter with these modules; `nil` if there is none.
    static func with(_ modules: [String]) -> String? {
        candidates.first { (try? run($0, ["-c", "import \(modules.joined(separator: ", "))"]))?.status == 0 }
    }

    static func run(_ python: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [python] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }
}
