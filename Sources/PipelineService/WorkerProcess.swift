package import ArgumentParser
package import IntentModel
package import IntentRuntime

/// A program that works on one phase of the intents that it is built with: `intent-resolver`, `intent-confirmer` or `intent-handler`.
package protocol WorkerProcess: AsyncParsableCommand {
    static var phase: Phase { get }
    /// The intents that it serves.
    ///
    /// - Parameter declared: Those of definition files, to be served beside those that it is built with.
    static func registry(declared: [IntentDeclaration]) throws -> IntentRegistry
    var options: WorkerOptions { get }
}

/// The options of every worker.
package struct WorkerOptions: ParsableArguments {
    @OptionGroup package var process: ProcessOptions

    @Option(help: ArgumentHelp("How many intents may be in work at the same time.", valueName: "count"))
    package var concurrency: Int = 1_024

    @OptionGroup package var definitions: DefinitionOptions

    package init() {}

    package func validate() throws {
        if concurrency < 1 { throw ValidationError("--concurrency must be at least 1.") }
    }
}

extension WorkerProcess {
    /// How `--help` explains a worker.
    package static func workerConfiguration(_ name: String, abstract: String, topic: String) -> CommandConfiguration {
        CommandConfiguration(
            commandName: name, abstract: abstract,
            discussion: """
                Takes work from \(topic) and answers on intents.outcomes. Start more of them and they share the partitions. Records of one session are \
                worked on in order, those of different sessions at the same time.

                Ends on SIGTERM or SIGINT after what was begun is finished. Exit codes: 0 ended as asked, 2 wrong arguments or settings, 4 failure.
                """)
    }

    package func run() async throws { try await runWorker(isInApp: false) }

    /// Works until the process is asked to end.
    ///
    /// - Parameter callback: whether it also takes what services answer later.
    package func runWorker(isInApp: Bool, callback: CallbackOptions? = nil) async throws {
        let role: WorkerRole =
            switch Self.phase {
            case .resolve: .resolve
            case .confirm: .confirm
            case .handle: isInApp ? .handleInApp : .handle
            }
        try await options.work([role], callback: callback) { try Self.registry(declared: $0) }
    }
}
