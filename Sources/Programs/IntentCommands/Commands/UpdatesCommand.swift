import ArgumentParser
import Conversation
import IntentEvents
import IntentModel
import PipelineService

struct UpdatesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "updates", abstract: "Start or stop updates about a request that has succeeded.",
        discussion:
            "The updates are written to intents.results: '\(PipelineProgram.tool) watch --session S' shows them.",
        subcommands: [Start.self, Stop.self])

    struct Start: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Start updates from the request's handler.",
            usage: "\(PipelineProgram.tool) updates start <request> --session <session> [<options>]")

        @OptionGroup var options: UpdatesOptions

        func run() async throws { try await options.run { .updatesStarted(request: $0) } }
    }

    struct Stop: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Stop the updates. Stopping twice is harmless.",
            usage: "\(PipelineProgram.tool) updates stop <request> --session <session> [<options>]")

        @OptionGroup var options: UpdatesOptions

        func run() async throws { try await options.run { .updatesStopped(request: $0) } }
    }
}

/// The options for the request of the updates.
struct UpdatesOptions: ParsableArguments {
    @OptionGroup var kafka: KafkaOptions

    @OptionGroup var person: PrincipalOption

    @Option(name: .shortAndLong, help: "The session.")
    var session: Identifier

    @Argument(help: "The request's id.")
    var request: Identifier

    func run(_ event: (_ request: Identifier) -> SessionEvent) async throws {
        let client = try OperatorClient(kafka)
        defer { client.close() }
        let (found, partition, _) = try await client.find(session)
        guard found != nil else {
            complain("The session '\(session)' is not open: its requests have no more updates.")
            throw ExitCode.failed
        }
        try client.send(event(request), session: session, partition: partition, from: person.principal)
    }
}
