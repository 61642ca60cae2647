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

/// Where services answer later, after `inProgress`: the options of a handler worker.
struct CallbackOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Where services reach --callback-listen from outside, such as https://intents.example.com: with it a service may answer 'inProgress' and post \
            its answer later. The URLs are signed with a key of at least 16 bytes, the same for all handlers. [environment: INTENTS_CALLBACK_KEY, the key]
            """,
            valueName: "url"))
    var callbackURL: String?

    @Option(help: ArgumentHelp("Where later answers are listened for, such as 0.0.0.0:8080.", valueName: "host:port"))
    var callbackListen: String?

    init() {}

    func validate() throws {
        guard (callbackURL == nil) == (callbackListen == nil) else {
            throw ValidationError(
                "--callback-url and --callback-listen go together: where services post to, and where this process listens.")
        }
        if let callbackURL, !["http://", "https://"].contains(where: callbackURL.lowercased().hasPrefix) || callbackURL.contains("?") {
            throw ValidationError("--callback-url is a URL without a query, such as https://intents.example.com.")
        }
        if callbackListen != nil, address == nil {
            throw ValidationError("--callback-listen is host:port, such as 0.0.0.0:8080 or [::]:8080.")
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

    /// - Returns: `nil` unless callbacks are taken.
    /// - Throws: a `ValidationError` if there is no key.
    func tokens() throws -> CallbackTokens? {
        guard let callbackURL else { return nil }
        let key = ProcessInfo.processInfo.environment["INTENTS_CALLBACK_KEY"] ?? ""
        guard let tokens = CallbackTokens(key: Array(key.utf8), base: callbackURL) else {
            throw ValidationError(
                "--callback-url needs a key of at least \(CallbackTokens.minimumKeyLength) bytes in INTENTS_CALLBACK_KEY, the same for all handlers: "
                    + "any of them may get the answer to a call of another.")
        }
        return tokens
    }

    /// The URL for the answer to a call, made of its ``Intents/InvocationContext/replyTo``.
    ///
    /// - Returns: `nil` unless callbacks are taken.
    /// - Throws: a `ValidationError` if there is no key.
    func url() throws -> (@Sendable (_ replyTo: String) -> String)? {
        guard let tokens = try tokens() else { return nil }
        return { tokens.url(for: $0, now: .now) }
    }

    /// What has to run beside a worker: the loop that writes to the log, and the server. Nothing unless callbacks are taken.
    func services(_ environment: WorkerEnvironment) throws -> [any Service] {
        guard let tokens = try tokens(), let address else { return [] }
        let client = try environment.connect(clientID: "intent-callback")
        let writer = AcknowledgedWriter(client: client)
        let answers = DeferredOutcomes(
            tokens: tokens, topics: environment.topics, writer: writer, source: "/intents/callback/\(environment.instance)", clock: { .now })
        let loop = PollLoop(name: "callback", client: client) { stop in
            while !stop.isRequested { try writer.step(timeout: .seconds(1)) }
            try writer.close(timeout: .seconds(15))
        }
        return [loop, CallbackService(host: address.host, port: address.port, answers: answers, logger: environment.logger)]
    }
}

/// The callback server, until the process is asked to end.
struct CallbackService: Service {
    let host: String
    let port: Int
    let answers: DeferredOutcomes
    let logger: Logger

    func run() async throws {
        try await CallbackServer.withServer(host: host, port: port, answers: answers) { server in
            logger.info("later answers are listened for", metadata: ["host": "\(host)", "port": "\(server.port)"])
            try await gracefulShutdown()
        }
    }
}
