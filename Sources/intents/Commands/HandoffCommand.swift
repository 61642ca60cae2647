import ArgumentParser
import Conversation
import IntentEvents
import IntentModel
import PipelineService

struct HandoffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "handoff", abstract: "Claim a handoff that an app is offered, complete it, or return it.",
        discussion: "The results are written to intents.results: 'intents watch' shows them.",
        subcommands: [Claim.self, Complete.self, Return.self])

    struct Claim: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Claim a handoff. The token defaults to that of the offer, if the topic still has it.")

        @OptionGroup var options: HandoffOptions

        @Option(help: "The token of the offer, if coordinators have a secret.")
        var token: String?

        func run() async throws {
            try await options.run {
                .handoffClaimed(handoff: $0, claimant: $1)
            } token: { client, found in
                if let token { return token }
                return try client.offeredToken(of: options.handoff, session: options.session, partition: found)
            }
        }
    }

    struct Complete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Report how a claimed handoff has ended.")

        @OptionGroup var options: HandoffOptions

        @Option(help: "success, or a code that begins with failure.")
        var code: String = "success"

        @Option(help: "The text that the person is shown.")
        var dialog: String?

        @Option(
            name: [.customShort("p"), .customLong("response")],
            help: ArgumentHelp("A value of the response. May be repeated.", valueName: "name=value"))
        var response: [String] = []

        func validate() throws {
            let code = ResponseCode(rawValue: code)
            guard code == .success || code.isFailure else {
                throw ValidationError("'\(code)' can't complete a handoff: use success, or a code that begins with failure.")
            }
            for value in response where ParameterState(argument: value) == nil {
                throw ValidationError("'\(value)' is not name=value.")
            }
        }

        func run() async throws {
            var completed = IntentResponse(ResponseCode(rawValue: code), dialog: dialog)
            for state in response.compactMap(ParameterState.init(argument:)) { completed.values[state.name] = state.value }
            let completion = completed
            try await options.run { .handoffCompleted(handoff: $0, claimant: $1, response: completion) }
        }
    }

    struct Return: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Return a handoff: it is offered again.")

        @OptionGroup var options: HandoffOptions

        func run() async throws { try await options.run { .handoffReturned(handoff: $0, claimant: $1) } }
    }
}

/// The options for a handoff and its claimant.
struct HandoffOptions: ParsableArguments {
    @OptionGroup var kafka: KafkaOptions

    @Option(name: .shortAndLong, help: "The session.")
    var session: String

    @Argument(help: "The handoff's id.")
    var handoff: String

    @Option(help: "The name of the claimant: the same for claim, complete and return.")
    var claimant: String = "intents"

    func run(
        _ event: (_ handoff: String, _ claimant: String) -> SessionEvent,
        token: (OperatorClient, _ partition: Int32) throws -> String? = { _, _ in nil }
    ) async throws {
        let client = try OperatorClient(kafka)
        defer { client.close() }
        let (found, partition, _) = try await client.find(session)
        guard found != nil else {
            complain("The session '\(session)' is not open: its handoffs have ended.")
            throw ExitCode.failed
        }
        try client.send(event(handoff, claimant), session: session, partition: partition, token: token(client, partition))
    }
}
