package import Foundation
import Synchronization

/// A program of the pipeline. Each is an executable of its own, and a part of `intent-pipeline`, the executable with all
/// programs. Its description is the command that starts it, as a person types it where this process runs.
package enum PipelineProgram: String, Sendable, CaseIterable, CustomStringConvertible {
    case tool = "intents"
    case coordinator = "intent-coordinator"
    case httpWorker = "intent-http-worker"
    case console = "intents-console"
    case sampleWorker = "sample-worker"

    /// The program that this process runs as a part of `intent-pipeline`; `nil` in any other executable.
    private static let part = Mutex<Self?>(nil)

    /// `true` if this process runs `intent-pipeline`.
    package static var isCombined: Bool { part.withLock { $0 != nil } }

    /// Declares that this process runs `intent-pipeline`. Its `main` calls this function first.
    ///
    /// - Returns: The program that the command line selects, by the name of a link or by a subcommand, and the arguments
    ///   of the program.
    package static func selectPart() -> (program: Self, arguments: [String]) {
        let arguments = Array(CommandLine.arguments.dropFirst())
        var selected = (program: tool, arguments: arguments)
        if let linked = Self(rawValue: typedName), linked != .tool {
            selected.program = linked
        } else if let first = arguments.first, let named = allCases.first(where: { $0.subcommand == first }) {
            selected = (named, Array(arguments.dropFirst()))
        }
        part.withLock { $0 = selected.program }
        return selected
    }

    /// The name by which this process was started, without its folder.
    package static var typedName: String {
        let typed = CommandLine.arguments.first.flatMap { $0.isEmpty ? nil : URL(fileURLWithPath: $0) }
        return (typed ?? executable).lastPathComponent
    }

    /// The executable of this process.
    package static let executable = URL(
        fileURLWithPath: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            ?? CommandLine.arguments[0])

    /// The command of `intent-pipeline` that is this program; `nil` for the tool, whose commands are those of
    /// `intent-pipeline` itself.
    package var subcommand: String? {
        switch self {
        case .tool: nil
        case .coordinator: "coordinator"
        case .httpWorker: "http-worker"
        case .console: "console"
        case .sampleWorker: "sample-worker"
        }
    }

    /// The name of the program's command in this process: whole for the program that runs, and the last word for a
    /// program that the tool lists among its commands.
    package var commandName: String {
        let part = Self.part.withLock(\.self)
        return part == nil || part == self ? description : subcommand ?? description
    }

    package var description: String {
        guard Self.isCombined, Self.typedName != rawValue else { return rawValue }
        // Through a link with the name of another program, the executable's own name leads to the tool.
        let isLink = Self(rawValue: Self.typedName).map { $0 != .tool } ?? false
        let tool = isLink ? Self.executable.lastPathComponent : Self.typedName
        return subcommand.map { "\(tool) \($0)" } ?? tool
    }
}
