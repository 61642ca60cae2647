package import ArgumentParser
import Conversation
import Foundation
import IntentEvents
import IntentModel
import Logging
package import MCPServer
import PersonGateway
package import PipelineService
import RDKafkaLog
import RecordLog
import ServiceLifecycle

/// The program `intents-console`.
package struct ConsoleProcess: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: PipelineProgram.console.commandName,
        abstract: "Serve the console: a web page and an HTTP interface to watch and control a pipeline.",
        discussion: """
            Reads intents.results and intents.catalog and, with the rights of the role 'console', also requests, answers and dead letters. Writes the events of its \
            callers to intents.answers, and those of agents to intents.requests. Any number of consoles can run behind a load balancer: all state is in Kafka.

            Without tokens, it serves only this machine, and everyone on it may do everything. On any other address it needs --jwt-issuer, --jwt-audience and --jwt-keys (or \
            --without-tokens). Each caller then has a JSON Web Token, whose 'sub' is the principal, with roles among observer, person, agent and operator.

            On SIGTERM or SIGINT it closes its streams, finishes pending responses and ends. Exit codes: 0 ended as requested, 2 wrong arguments or settings, 4 failure.
            """,
        version: PipelineVersion.text)

    @OptionGroup package var options: ProcessOptions

    @Option(
        help: ArgumentHelp(
            "Where to listen; port 0 takes a free port. The default is 127.0.0.1:8233.", valueName: "host:port"),
        transform: ConsoleProcess.address)
    package var listen = ConsoleAddress(host: "127.0.0.1", port: 8233)

    @Flag(help: .hidden)
    package var orAnyPort = false

    @Option(help: ArgumentHelp("The issuer of tokens: their claim 'iss'.", valueName: "text"))
    package var jwtIssuer: String?

    @Option(help: ArgumentHelp("The audience of tokens: their claim 'aud'.", valueName: "text"))
    package var jwtAudience: String?

    @Option(
        help: ArgumentHelp(
            "The public keys of tokens, a JSON Web Key Set in which each key has a 'kid'. A file that changes is read again.",
            valueName: "file"))
    package var jwtKeys: String?

    @Option(help: ArgumentHelp("Accepted algorithms of tokens, separated by commas.", valueName: "names"))
    package var jwtAlgorithms = "ES256,EdDSA"

    @Option(help: ArgumentHelp("The claim that has the roles.", valueName: "name"))
    package var jwtRolesClaim = "roles"

    @Flag(
        help: """
            Serve an address that other machines may reach without tokens: everyone who reaches it may do everything. For a container whose port is open to its own machine alone.
            """)
    package var withoutTokens = false

    @Option(
        help: ArgumentHelp("How many existing records of each partition to read at the start.", valueName: "records"))
    package var backlog: Int = 10_000

    @Option(help: ArgumentHelp("How many sessions to keep in memory, at most.", valueName: "sessions"))
    package var maximumSessions: Int = 10_000

    @Option(help: ArgumentHelp("How much memory the events of these sessions may take.", valueName: "MiB"))
    package var memory: Int = 256

    @Option(
        help: ArgumentHelp(
            """
            Who agrees to what an agent asks for at /mcp: client (the user of its host, whom the host asks) or person (the person, in this page). Defaults to \
            client on this machine alone, and to person with tokens.
            """, valueName: "client|person"))
    package var agreement: AgentSettings.Agreement?

    @Option(
        name: .customLong("public-url"),
        help: ArgumentHelp(
            """
            Where callers reach this console, if that is not where it listens, such as at a proxy. Agents are told this address, and requests may come from its pages.
            """, valueName: "URL")
    )
    package var publicURL: String?

    @OptionGroup package var sealing: SealingKeyOption

    @Flag(help: "Don't read requests, answers and dead letters: for credentials of the role 'person'.")
    package var resultsOnly = false

    package init() {}

    private static func address(_ text: String) throws -> ConsoleAddress {
        guard let address = ConsoleAddress(text) else {
            throw ValidationError("'\(text)' is no address for --listen: name host:port, such as 127.0.0.1:8233.")
        }
        return address
    }

    package func validate() throws {
        for (name, value) in [("backlog", backlog), ("maximum-sessions", maximumSessions), ("memory", memory)]
        where value < 1 {
            throw ValidationError("--\(name) must be at least 1.")
        }
        let settings = [jwtIssuer, jwtAudience, jwtKeys]
        let isComplete = settings.allSatisfy { $0?.isEmpty == false }
        if settings.contains(where: { $0 != nil }), !isComplete {
            throw ValidationError(
                "--jwt-issuer, --jwt-audience and --jwt-keys go together: a token counts only if all three fit.")
        }
        if withoutTokens, isComplete { throw ValidationError("--without-tokens and --jwt-… exclude each other.") }
        if !isComplete, !withoutTokens, !listen.isLoopback {
            throw ValidationError(
                "\(listen) can be reached from other machines, so callers have to say who they are: set --jwt-issuer, --jwt-audience and --jwt-keys, or listen on 127.0.0.1. In a container whose port is open to its own machine alone: --without-tokens."
            )
        }
        if let publicURL, URL(string: publicURL)?.host() == nil || !publicURL.hasPrefix("http") {
            throw ValidationError("--public-url is the URL of a page, such as https://intents.example.com.")
        }
        for name in algorithms where !Authenticator.Settings.knownAlgorithms.contains(name) {
            throw ValidationError(
                "'\(name)' of --jwt-algorithms is none of \(Authenticator.Settings.knownAlgorithms.joined(separator: ", "))."
            )
        }
    }

    private var algorithms: [String] {
        jwtAlgorithms.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private func authenticator() async throws -> Authenticator {
        guard let jwtIssuer, let jwtAudience, let jwtKeys else { return Authenticator(local: nil) }
        guard let jwks = FileManager.default.contents(atPath: jwtKeys) else {
            throw ValidationError("The file '\(jwtKeys)' of --jwt-keys can't be read.")
        }
        let settings = Authenticator.Settings(
            issuer: jwtIssuer, audience: jwtAudience, algorithms: algorithms, rolesClaim: jwtRolesClaim)
        do { return try await Authenticator(settings, jwks: jwks) } catch {
            throw ValidationError(
                "The file '\(jwtKeys)' of --jwt-keys is no JSON Web Key Set in which each key has a 'kid': \(error)")
        }
    }

    package func run() async throws {
        options.logging.bootstrap()
        let logger = options.logging.logger("intents-console")
        if options.stopWithInput { stopProcessWithInput() }
        raiseFileLimit()
        let authenticator = try await authenticator()
        let log = try options.kafka.log(logger: logger)
        let telemetry = try options.telemetry.open(service: "intents-console", instance: options.name, logger: logger)
        let encryption = try options.kafka.encryption(logger: logger)
        // The address must be final before it is given to agents or printed.
        let address = orAnyPort || listen.port == 0 ? await listen.orAny : listen
        let url = publicURL.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
        let agents = AgentSettings(
            agreement: agreement ?? (authenticator.isOpen ? .client : .person), consoleURL: url, key: try sealing.key(),
            version: PipelineVersion.current)
        try await runServices(
            [
                ConsoleLoop(
                    log: log, topics: options.kafka.topics, encryption: encryption, authenticator: authenticator,
                    keyFile: jwtKeys, agents: agents, address: address,
                    board: SessionBoard(maximumSessions: maximumSessions, maximumBytes: memory << 20),
                    sources: Gateway.Sources(
                        sentEvents: !resultsOnly, deadLetters: !resultsOnly, backlog: Int64(backlog)),
                    telemetry: telemetry,
                    logger: logger)
            ], telemetry: telemetry, logger: logger)
    }
}

/// Raises the process's limit of open files to the maximum that the system allows, so that it can have more
/// connections.
private func raiseFileLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < limit.rlim_max else {
        return
    }
    limit.rlim_cur = limit.rlim_max
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}

extension AgentSettings.Agreement: ExpressibleByArgument {}
