import ArgumentParser
import Conversation
import Foundation
import IntentEvents
import IntentModel
import PipelineService

struct HandoffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "handoff", abstract: "Claim a handoff that an app is offered, complete it, or return it.",
        discussion: """
            Each waits for what comes of it. Exit codes: 0 it was accepted, 4 it was rejected, 5 the pipeline said nothing in time.
            """,
        subcommands: [Claim.self, Complete.self, Return.self])

    struct Claim: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Claim a handoff. The token defaults to that of the offer, if the topic still has it.",
            usage: "\(PipelineProgram.tool) handoff claim <handoff> --session <session> [<options>]",
            discussion:
                "Without a secret of yours, one is made and printed: set it in the environment to complete or return the handoff."
        )

        @OptionGroup var options: HandoffOptions

        @Option(help: "The token of the offer, if coordinators have a secret.")
        var token: String?

        func run() async throws {
            let given = try options.secret()
            let secret = given ?? PersonClient.newID()
            // A claim of which nothing is heard may still be accepted, and its secret is needed then.
            var isRejected = false
            defer { if given == nil, !isRejected { print("\(HandoffOptions.secretVariable)=\(secret)") } }
            do {
                try await options.run(secret) {
                    .handoffClaimed(handoff: $0, claimant: Claimant($1))
                } token: { client, found in
                    if let token { return token }
                    return try client.offeredToken(of: options.handoff, session: options.session, partition: found)
                }
            } catch let code as ExitCode where code == .failed {
                isRejected = true
                throw code
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
                throw ValidationError(
                    "'\(code)' can't complete a handoff: use success, or a code that begins with failure.")
            }
            for value in response where ParameterState(argument: value) == nil {
                throw ValidationError("'\(value)' is not name=value.")
            }
        }

        func run() async throws {
            var completed = IntentResponse(ResponseCode(rawValue: code), dialog: dialog)
            for state in response.compactMap(ParameterState.init(argument:)) {
                completed.values[state.name] = state.value
            }
            let completion = completed
            try await options.run(try options.requiredSecret()) {
                .handoffCompleted(handoff: $0, claimant: Claimant($1), response: completion)
            }
        }
    }

    struct Return: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Return a handoff: it is offered again.",
            usage: "\(PipelineProgram.tool) handoff return <handoff> --session <session> [<options>]")

        @OptionGroup var options: HandoffOptions

        func run() async throws {
            try await options.run(try options.requiredSecret()) {
                .handoffReturned(handoff: $0, claimant: Claimant($1))
            }
        }
    }
}

/// The options for a handoff and its claimant.
struct HandoffOptions: ParsableArguments {
    @OptionGroup var kafka: KafkaOptions

    @OptionGroup var person: PrincipalOption

    @Option(name: .shortAndLong, help: "The session.")
    var session: Identifier

    @Argument(help: "The handoff's id.")
    var handoff: Identifier

    @Option(help: "The name of the claimant: the same for claim, complete and return.")
    var claimant: Identifier = "intents"

    @Option(
        help: ArgumentHelp(
            "The file with the claim's secret: 16 to 256 bytes, the same for claim, complete and return. [environment: INTENTS_CLAIM_SECRET, the secret itself]",
            valueName: "file"))
    var secretFile: String?

    static let secretVariable = "INTENTS_CLAIM_SECRET"

    /// Returns the secret of the claim; `nil` without a secret.
    func secret() throws -> String? {
        var secret = ProcessInfo.processInfo.environment[Self.secretVariable]
        if let secretFile {
            guard let text = try? String(contentsOfFile: secretFile, encoding: .utf8) else {
                throw ValidationError("The file '\(secretFile)' of --secret-file is not readable text.")
            }
            secret = text.trimmingCharacters(in: .newlines)
        }
        guard let secret, !secret.isEmpty else { return nil }
        guard RequestEvent.secretLength ~= secret.utf8.count else {
            let length = RequestEvent.secretLength
            throw ValidationError("The secret of a claim has \(length.lowerBound) to \(length.upperBound) bytes.")
        }
        return secret
    }

    func requiredSecret() throws -> String {
        guard let secret = try secret() else {
            throw ValidationError("Which secret was it claimed with? Set \(Self.secretVariable), or use --secret-file.")
        }
        return secret
    }

    func run(
        _ secret: String, _ event: (_ handoff: Identifier, _ claimant: Identifier) -> SessionEvent,
        token: (OperatorClient, _ partition: Int32) throws -> String? = { _, _ in nil }
    ) async throws {
        let (partition, token) = try await offer(token)
        let client = try PersonClient(kafka, principal: person.principal)
        defer { client.close() }
        try await client.follow(fromBeginning: false)
        try client.sendAndWait(
            event(handoff, claimant), session: session, partition: partition, token: token, secret: secret
        ) { result in
            // A request that waits for the handoff ends with it.
            result.data["handoff"]?.identifier == handoff || result.type == .completed
        }
    }

    /// Looks for the session.
    ///
    /// - Returns: Its partition, and the token to show, if there is one.
    private func offer(
        _ token: (OperatorClient, _ partition: Int32) throws -> String?
    ) async throws -> (partition: Int32, token: String?) {
        let client = try OperatorClient(kafka)
        defer { client.close() }
        let (found, partition, _) = try await client.find(session)
        guard found != nil else {
            complain("The session '\(session)' is not open: its handoffs have ended.")
            throw ExitCode.failed
        }
        return (partition, try token(client, partition))
    }
}
