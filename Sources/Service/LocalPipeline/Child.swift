package import Foundation

/// One child process of a development pipeline.
package final class Child: @unchecked Sendable {
    /// An event of a development pipeline, sent from any thread.
    enum Event: Sendable {
        case line(child: String, String)
        case exited(child: String, status: Int32)
        /// The workers must read their definitions again.
        case reload
        /// The body of ``DevelopmentPipeline/run(_:)`` has ended.
        case ended
        /// The process received SIGTERM or SIGINT.
        case interrupted
    }

    let name: String
    private let process = Process()
    /// The child's standard input, which stays open as long as this process runs. A child ends when its input ends.
    private let input = Pipe()

    var pid: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: The name of a program in the same folder as this one, or a path.
    ///   - environment: Environment variables in addition to those of this process.
    /// - Throws: ``ProgramMissing`` if the program has not been built.
    init(
        _ name: String, program: String, arguments: [String], environment: [String: String],
        onEvent: @escaping @Sendable (Event) -> Void
    ) throws {
        self.name = name
        let output = Pipe()
        let executable = Self.url(of: program)
        guard FileManager.default.isExecutableFile(atPath: executable.path) else {
            throw ProgramMissing(program: program)
        }
        process.executableURL = executable
        process.arguments = arguments + ["--stop-with-input"]
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        let lines = LineSplitter { onEvent(.line(child: name, $0)) }
        output.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            if data.isEmpty { handle.readabilityHandler = nil } else { lines.append(data) }
        }
        process.terminationHandler = { onEvent(.exited(child: name, status: $0.terminationStatus)) }
        try process.run()
    }

    /// `true` if a program has been built.
    package static func isBuilt(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: url(of: program).path)
    }

    /// Returns the URL of a program, given its path or its name in the folder of this program.
    package static func url(of program: String) -> URL {
        program.contains("/")
            ? URL(fileURLWithPath: program) : URL(fileURLWithPath: CommandLine.arguments[0]).resolvingProgram(program)
    }

    func signal(_ number: Int32) { if process.isRunning { kill(process.processIdentifier, number) } }
}

/// Splits a stream of bytes into lines. Used by one thread at a time.
private final class LineSplitter: @unchecked Sendable {
    private var rest = Data()
    private let onLine: @Sendable (String) -> Void

    init(_ onLine: @escaping @Sendable (String) -> Void) { self.onLine = onLine }

    func append(_ data: Data) {
        rest.append(data)
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            onLine(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
            rest = Data(rest[rest.index(after: end)...])
        }
    }
}

extension URL {
    /// Returns the program with this name in the folder of the running program.
    fileprivate func resolvingProgram(_ name: String) -> URL {
        let running =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")).map {
                URL(fileURLWithPath: $0)
            } ?? self
        return running.deletingLastPathComponent().appendingPathComponent(name)
    }
}

/// The error of a program of the pipeline that is not in the folder of this program.
package struct ProgramMissing: Error, CustomStringConvertible {
    let program: String

    package init(program: String) { self.program = program }

    package var description: String {
        "there is no program '\(program)' beside this one: build it with 'swift build --product \(program)' (-c release for a release build)"
    }
}
