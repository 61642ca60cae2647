import ArgumentParser
import Conversation
import Foundation
import IntentEvents
import IntentModel
import Logging
import MCPServer
import PersonGateway
import PipelineService
import RDKafkaLog
import RecordLog
import Synchronization

struct MCPCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp", abstract: "Serve the intents to an agent's host as tools, by the Model Context Protocol.",
        usage: "\(PipelineProgram.tool) mcp [<options>]",
        discussion: """
            Speaks the protocol's versions 2026-07-28, 2025-11-25 and 2025-06-18 on standard input and output, for a host that starts it. The \
            host asks its user for what is missing or ambiguous, and for confirmations. It ends at the end of its input.
            """)

    @OptionGroup var kafka: KafkaOptions
    @OptionGroup var logging: LoggingOptions

    @Option(
        help: ArgumentHelp(
            "For whom the agent acts: CloudEvents' authtype and authid, such as app_user:ann.", valueName: "type:id"),
        transform: PrincipalOption.reading)
    var principal: Principal?

    @Option(
        help: ArgumentHelp(
            """
            Who agrees to what the agent asks for: client (the host's user, whom the host asks) or person (the person, on a channel that the host has no part in).
            """, valueName: "client|person"))
    var agreement: AgentSettings.Agreement = .client

    @Option(
        name: .customLong("console-url"),
        help: ArgumentHelp("The URL of the console, where the person does what the agent may not.", valueName: "URL"))
    var consoleURL: String?

    @OptionGroup var sealing: SealingKeyOption

    func validate() throws {
        if let consoleURL, consoleURL.webURL == nil {
            throw ValidationError("--console-url is the URL of a page, such as http://127.0.0.1:8233.")
        }
    }

    func run() async throws {
        let key = try sealing.key()
        let logger = logging.logger("intents.mcp")
        let log = try kafka.log(logger: logger)
        let topics = kafka.topics
        guard let results = try await log.topics().first(where: { $0.name == topics.results }) else {
            throw LogError(
                .unknownTopicOrPartition,
                "the topic \(topics.results) does not exist: run '\(PipelineProgram.tool) topics apply', or '\(PipelineProgram.tool) dev'"
            )
        }
        let client = try kafka.encryption(logger: logger).client(
            try log.connect(ClientConfiguration(clientID: "intents-mcp")))
        let clock = SteadyClock()
        // Requests and answers of other channels are not read, because their effects are in the results. Fewer rights
        // are needed this way.
        let gateway = Gateway(
            client: client, topics: topics, partitions: results.partitions,
            sources: .init(sentEvents: false, deadLetters: false, backlog: 1_000),
            clock: { clock.now }, logger: logger)
        let endpoint = MCPEndpoint(
            gateway, clock: AgentClock(now: { clock.now }, sleep: { try await Task.sleep(for: $0) }),
            settings: AgentSettings(
                agreement: agreement, consoleURL: consoleURL, key: key, version: PipelineVersion.current))
        let output = MessageOutput()
        let connection = MCPConnection(endpoint, principal: principal) { output.write($0) }
        let loop = GatewayThread(gateway)
        loop.start()
        await MessageInput.read(maximumBytes: RPCMessage.limits.maximumBytes) { connection.receive($0) }
        connection.close()
        try await loop.stop()
    }
}

extension AgentSettings.Agreement: ExpressibleByArgument {}
