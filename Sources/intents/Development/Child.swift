import Foundation

/// One process of a development pipeline.
final class Child: @unchecked Sendable {
    /// What a child has to tell, from any thread.
    enum Event: Sendable {
        case line(child: String, String)
        case exited(child: String, status: Int32)
        /// The workers shall read their definitions anew.
        case reload
        /// What the pipeline was started for is done.
        case ended
    }

    let name: String
    private let process = Process()
    /// Open as long as this process lives: a child ends when its input does.
    private let input = Pipe()

    var pid: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }

    /// Starts a program.
    ///
    /// - Parameter program: The name of one that lies beside this one, or a path.
    /// - Parameter environment: What it finds there beside what this process has.
    init(
        _ name: String, program: String, arguments: [String], environment: [String: String],
        tell: @escaping @Sendable (Event) -> Void
    ) throws {
        self.name = name
        let output = Pipe()
        process.executableURL =
            program.contains("/")
            ? URL(fileURLWithPath: program) : URL(fileURLWithPath: CommandLine.arguments[0]).resolvingProgram(program)
        process.arguments = arguments + ["--stop-with-input"]
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        let lines = LineSplitter { tell(.line(child: name, $0)) }
        output.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            if data.isEmpty { handle.readabilityHandler = nil } else { lines.take(data) }
        }
        process.terminationHandler = { tell(.exited(child: name, status: $0.terminationStatus)) }
        try process.run()
    }

    func signal(_ number: Int32) { if process.isRunning { kill(process.processIdentifier, number) } }
}

/// Cuts a stream of bytes into lines. Fed by one thread at a time.
private final class LineSplitter: @unchecked Sendable {
    private var rest = Data()
    private let tell: @Sendable (String) -> Void

    init(_ tell: @escaping @Sendable (String) -> Void) { self.tell = tell }

    func take(_ data: Data) {
        rest.append(data)
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            tell(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
            rest = Data(rest[rest.index(after: end)...])
        }
    }
}

extension URL {
    /// The program of that name in the directory of the running one.
    fileprivate func resolvingProgram(_ name: String) -> URL {
        let running =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")).map { URL(fileURLWithPath: $0) } ?? self
        return running.deletingLastPathComponent().appendingPathComponent(name)
    }
}
