import ArgumentParser
import LocalPipeline
import PipelineService

/// The command that tries a definition on its service. Its HTTP client is in another program, which only people with
/// definition files build.
struct TryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "try", abstract: "Try an intent of definition files on its service, without Kafka.",
        discussion: """
            Runs the program intent-http-worker, which has to be built: swift build --product intent-http-worker (-c release for a release build). For its \
            options: intents try --help
            """)

    @Argument(parsing: .captureForPassthrough, help: .hidden)
    var arguments: [String] = []

    func run() throws { throw replaceProcess(by: ChildProgram(.httpWorker), ["try"] + arguments) }
}
