package import Foundation
package import PipelineService

/// One child process of a development pipeline.
final class Child: @unchecked Sendable {
    /// An event of a development pipeline, sent from any thread.
    enum Event: Sendable {
        case line(child: String, String)
        /// The status of a program that a signal has ended is 128 and the signal's number, as in a shell.
        case exited(child: String, status: Int32)
        /// The workers must read their definitions again.
        case reload
        /// A worker has not answered a question of a ``DefinitionReload``.
        case unanswered(question: Int)
        /// A worker that could not start with the definitions must try again.
        case retry(child: String)
        /// The body of ``DevelopmentPipeline/run(_:)`` has ended.
        case ended
        /// The process received SIGTERM or SIGINT, or its terminal was closed.
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
    /// - Parameter environment: Environment variables in addition to those of this process.
    /// - Throws: ``ProgramMissing`` if the program has not been built.
    init(
        _ name: String, program: ChildProgram, arguments: [String], environment: [String: String],
        onEvent: @escaping @Sendable (Event) -> Void
    ) throws {
        self.name = name
        let output = Pipe()
        guard program.isBuilt else { throw ProgramMissing(program: program) }
        process.executableURL = program.executable
        process.arguments = program.arguments + arguments + ["--stop-with-input"]
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        let lines = LineSplitter { onEvent(.line(child: name, $0)) }
        output.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            if data.isEmpty { handle.readabilityHandler = nil } else { lines.append(data) }
        }
        process.terminationHandler = {
            let signal: Int32 = $0.terminationReason == .uncaughtSignal ? 128 : 0
            onEvent(.exited(child: name, status: signal + $0.terminationStatus))
        }
        try process.run()
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

/// A program that can be started as a child process.
package struct ChildProgram: Sendable {
    package let executable: URL
    /// The arguments that select the program in its executable.
    package let arguments: [String]

    /// A program of the pipeline: in the folder of this process's executable, or in that executable itself.
    package init(_ program: PipelineProgram) {
        let running = PipelineProgram.executable
        if PipelineProgram.isCombined {
            executable = running
            arguments = program.subcommand.map { [$0] } ?? []
        } else {
            executable = running.deletingLastPathComponent().appendingPathComponent(program.rawValue)
            arguments = []
        }
    }

    /// A program of the user.
    package init(path: String) {
        executable = URL(fileURLWithPath: path)
        arguments = []
    }

    package var isBuilt: Bool { FileManager.default.isExecutableFile(atPath: executable.path) }
}

/// The error of a program of the pipeline that is not in the folder of this program.
package struct ProgramMissing: Error, CustomStringConvertible {
    let program: ChildProgram

    package init(program: ChildProgram) { self.program = program }

    package var description: String {
        let name = program.executable.lastPathComponent
        return
            "there is no program '\(name)' beside this one: build it with 'swift build --product \(name)' (-c release for a release build)"
    }
}
