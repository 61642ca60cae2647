import ArgumentParser
import Foundation
public import IntentKit
public import IntentRuntime

/// The program that works on your intents:
///
/// ```swift
/// @main
/// struct Greenhouse: WorkerProgram {
///     static let extensions: [any IntentExtension] = [GreenhouseExtension()]
/// }
/// ```
/// Started without arguments, one process takes work of every phase. With `--phase resolve` (or `confirm`, `handle`, `handle-in-app`; may be
/// repeated) it takes work of these phases alone, so that phases which have more to do can have more processes, and credentials of their own.
///
/// It finds Kafka by `--bootstrap-servers` or `KAFKA_BOOTSTRAP_SERVERS`, and `--help` lists the rest. On SIGTERM and SIGINT it ends with 0 after
/// what it has begun is finished. Exit codes: 2 for wrong arguments, settings or declarations, 4 for anything else; start it again then.
public protocol WorkerProgram {
    /// What it serves. No two of them may serve the same intent.
    static var extensions: [any IntentExtension] { get }
}

extension WorkerProgram {
    /// Runs the program, and ends the process.
    @concurrent
    public static func main() async { await WorkerCommand<Self>.runAsProgram() }
}

/// The command line of a ``WorkerProgram``.
struct WorkerCommand<Program: WorkerProgram>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: URL(fileURLWithPath: CommandLine.arguments.first ?? "worker").lastPathComponent,
            abstract: "Works on intents: resolves, confirms and handles them.",
            discussion: """
                Takes work from intents.resolve, intents.confirm, intents.handle and intents.handle-in-app, and answers on intents.outcomes. Start \
                more of them and they share the partitions. Records of one session are worked on in order, those of different sessions at the same \
                time.

                Ends on SIGTERM or SIGINT after what was begun is finished. Exit codes: 0 ended as asked, 2 wrong arguments, settings or declarations, \
                4 failure.
                """)
    }

    @Option(
        name: .customLong("phase"),
        help: ArgumentHelp(
            "Take work of this phase alone: resolve, confirm, handle or handle-in-app. May be repeated; all of them unless given.",
            valueName: "phase"))
    var phases: [WorkerRole] = []

    @OptionGroup var options: WorkerOptions

    func run() async throws {
        let roles = WorkerRole.allCases.filter { phases.isEmpty || phases.contains($0) }
        let extensions = Program.extensions
        try await options.work(roles) { try IntentRegistry(extensions, declared: $0) }
    }
}
