import ArgumentParser
import Conversation
import Foundation
import HTTPCallback
import IntentEvents
import Logging
import Pipeline
import PipelineService
import RDKafkaLog
import RecordLog
import ServiceLifecycle
import WorkerService

/// The options of a handler worker for deferred outcomes, which services post after `inProgress`.
struct CallbackOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The public URL of --callback-listen, such as https://intents.example.com. It lets a service reply 'inProgress' and post the outcome \
            later. The URLs are signed with a key of at least 16 bytes, the same for all handlers. [environment: INTENTS_CALLBACK_KEY, the key]
            """,
            valueName: "url"))
    var callbackURL: String?

    @Option(help: ArgumentHelp("Where to listen for deferred outcomes, such as 0.0.0.0:8080.", valueName: "host:port"))
    var callbackListen: String?

    init() {}

    func validate() throws {
        guard (callbackURL == nil) == (callbackListen == nil) else {
            throw ValidationError(
                "--callback-url and --callback-listen must be used together: where services post to, and where this process listens.")
        }
        if let callbackURL, !["http://", "https://"].contains(where: callbackURL.lowercased().hasPrefix) || callbackURL.contains("?") {
            throw ValidationError("--callback-url must be a URL without a query, such as https://intents.example.com.")
        }
        if callbackListen != nil, address == nil {
            throw ValidationError("--callback-listen must be host:port, such as 0.0.0.0:8080 or [::]:8080.")
        }
    }

    private var address: (host: String, port: Int)? {
        guard let text = callbackListen, let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            0...65_535 ~= port
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        return host.isEmpty || host.contains("[") ? nil : (String(host), port)
    }

    /// - Returns: `nil` if callbacks are not enabled.
    /// - Throws: A `ValidationError` if there is no key.
    func tokens() throws -> CallbackTokens? {
        guard let callbackURL else { return nil }
        let key = ProcessInfo.processInfo.environment["INTENTS_CALLBACK_KEY"] ?? ""
        guard let tokens = CallbackTokens(key: Array(key.utf8), base: callbackURL) else {
            throw ValidationError(
                "--callback-url needs a key of at least \(CallbackTokens.minimumKeyLength) bytes in INTENTS_CALLBACK_KEY, the same for all handlers: "
                    + "a handler may receive the outcome of another handler's call.")
        }
        return tokens
    }

    /// Makes the URL for the deferred outcome of a call from its `InvocationContext.replyTo`.
    ///
    /// - Returns: `nil` if callbacks are not enabled.
    /// - Throws: A `ValidationError` if there is no key.
    func url() throws -> (@Sendable (_ replyTo: String) -> String)? {
        guard let tokens = try tokens() else { return nil }
        return { tokens.url(for: $0, now: .now) }
    }

    /// The services that run beside a worker: the loop that writes to the log, and the server. Empty if callbacks are not enabled.
    func services(_ environment: WorkerEnvironment) throws -> [any Service] {
        guard let tokens = try tokens(), let address else { return [] }
        let client = try environment.connect(clientID: "intent-callback")
        let writer = AcknowledgedWriter(client: client)
        let answers = DeferredOutcomes(
            tokens: tokens, topics: environment.topics, writer: writer, source: "/intents/callback/\(environment.instance)", clock: { .now }
        )
        let loop = PollLoop(name: "callback", client: client) { stop in
            while !stop.isRequested { try writer.step(timeout: .seconds(1)) }
            try writer.close(timeout: .seconds(15))
        }
        return [loop, CallbackService(host: address.host, port: address.port, answers: answers, logger: environment.logger)]
    }
}

/// Runs the callback server until graceful shutdown.
struct CallbackService: Service {
    let host: String
    let port: Int
    let answers: DeferredOutcomes
    let logger: Logger

    func run() async throws {
        try await CallbackServer.withServer(host: host, port: port, answers: answers) { server in
            logger.info("listening for deferred outcomes", metadata: ["host": "\(host)", "port": "\(server.port)"])
            try await gracefulShutdown()
        }
    }
}
