import ArgumentParser
import Conversation
import Foundation
import IntentEvents
import IntentModel
import IntentRuntime
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
            The public URL of --callback-listen, such as https://intents.example.com. It lets a service reply 'inProgress' and post the outcome later. \
            The URLs are sealed with a key that all handlers share.
            """,
            valueName: "url"))
    var callbackURL: String?

    @Option(help: ArgumentHelp("Where to listen for deferred outcomes, such as 0.0.0.0:8443.", valueName: "host:port"))
    var callbackListen: String?

    @Option(
        help: ArgumentHelp(
            """
            A file of keys for callback URLs, one per line, at least 16 bytes each. The first one seals new URLs, all of them open URLs. Read again when it \
            changes. [environment: INTENTS_CALLBACK_KEY, one key itself]
            """, valueName: "file"))
    var callbackKeyFile: String?

    @Option(
        help: ArgumentHelp(
            "PEM certificates of --callback-listen, its own first. Read again when the file changes. Without them it speaks plain HTTP.",
            valueName: "file"))
    var callbackTLSCertificate: String?

    @Option(
        help: ArgumentHelp(
            "The private key of --callback-tls-certificate, in PEM. Read again when the file changes.",
            valueName: "file"))
    var callbackTLSKey: String?

    @Option(help: ArgumentHelp("How many connections --callback-listen has open at a time.", valueName: "count"))
    var callbackConnections = CallbackLimits().connections

    @Option(
        help: ArgumentHelp(
            "How many of them one address may have, or one IPv6 network of 64 bits. Behind a proxy, all have the address of the proxy.",
            valueName: "count"))
    var callbackConnectionsPerAddress = CallbackLimits().connectionsPerAddress

    init() {}

    func validate() throws {
        guard (callbackURL == nil) == (callbackListen == nil) else {
            throw ValidationError(
                "--callback-url and --callback-listen must be used together: where services post to, and where this process listens."
            )
        }
        if let callbackURL,
            !["http://", "https://"].contains(where: callbackURL.lowercased().hasPrefix) || callbackURL.contains("?")
                || URLComponents(string: callbackURL)?.host?.isEmpty != false
        {
            throw ValidationError("--callback-url must be a URL without a query, such as https://intents.example.com.")
        }
        if callbackListen != nil, address == nil {
            throw ValidationError("--callback-listen must be host:port, such as 0.0.0.0:8443 or [::]:8443.")
        }
        guard (callbackTLSCertificate == nil) == (callbackTLSKey == nil) else {
            throw ValidationError("--callback-tls-certificate and --callback-tls-key must be used together.")
        }
        if callbackURL == nil, callbackKeyFile != nil || callbackTLSKey != nil {
            throw ValidationError(
                "--callback-key-file and --callback-tls-certificate need --callback-url and --callback-listen.")
        }
        guard callbackConnections >= 1, callbackConnectionsPerAddress >= 1 else {
            throw ValidationError("--callback-connections and --callback-connections-per-address must be at least 1.")
        }
    }

    /// `true` if outcomes, and the URLs that authorize them, are sent to another machine without TLS.
    var sendsInTheClear: Bool {
        guard let callbackURL, let url = URLComponents(string: callbackURL), url.scheme?.lowercased() != "https" else {
            return false
        }
        return !["localhost", "127.0.0.1", "::1", "[::1]"].contains(url.host?.lowercased() ?? "")
    }

    private var address: (host: String, port: Int)? {
        guard let text = callbackListen, let colon = text.lastIndex(of: ":"),
            let port = Int(text[text.index(after: colon)...]),
            0...65_535 ~= port
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        return host.isEmpty || host.contains("[") ? nil : (String(host), port)
    }

    /// Returns the tokens that make and open callback URLs.
    ///
    /// - Returns: `nil` if callbacks are not enabled.
    /// - Throws: A `ValidationError` if there is no usable key.
    func tokens(logger: Logger) throws -> CallbackTokens? {
        guard let callbackURL else { return nil }
        do {
            if let file = callbackKeyFile {
                return CallbackTokens(
                    keys: try CallbackKeys(file: file, onProblem: logger.logUnusableFile), base: callbackURL)
            }
            let key = ProcessInfo.processInfo.environment["INTENTS_CALLBACK_KEY"] ?? ""
            return CallbackTokens(keys: try CallbackKeys([Array(key.utf8)]), base: callbackURL)
        } catch let error as CallbackSettingError {
            throw ValidationError(
                "--callback-url needs keys in --callback-key-file, or one in INTENTS_CALLBACK_KEY, the same for all handlers, because a handler may receive "
                    + "the outcome of another handler's call: \(error).")
        }
    }

    private func certificate(logger: Logger) throws -> CallbackCertificate? {
        guard let callbackTLSCertificate, let callbackTLSKey else { return nil }
        do {
            return try CallbackCertificate(
                certificate: callbackTLSCertificate, key: callbackTLSKey, onProblem: logger.logUnusableFile)
        } catch let error as CallbackSettingError {
            throw ValidationError("--callback-tls-certificate and --callback-tls-key: \(error).")
        }
    }

    /// Returns the services that run beside a worker: the loop that writes to the log, and the server. The list is
    /// empty if callbacks are not enabled.
    ///
    /// - Parameters:
    ///   - tokens: The tokens from ``tokens(logger:)``.
    ///   - served: Returns the intents whose outcomes are accepted.
    func services(
        _ tokens: CallbackTokens?, _ environment: WorkerEnvironment, _ served: @escaping @Sendable () -> IntentRegistry
    ) throws -> [any Service] {
        guard let tokens, let address else { return [] }
        let client = try environment.connect(clientID: "intent-callback")
        let writer = AcknowledgedWriter(client: client)
        let answers = DeferredOutcomes(
            tokens: tokens, topics: environment.topics, writer: writer,
            source: "/intents/callback/\(environment.instance)", clock: { .now }
        ) { call, response throws(IntentFailure) in
            let context = InvocationContext(
                session: call.session, request: call.request, locale: call.locale, isInApp: call.isInApp)
            return try served().deferred(response, of: call.intent.text, in: context)
        }
        let loop = PollLoop(name: "callback", client: client, health: environment.telemetry.health) { stop, heartbeat in
            while !stop.isRequested {
                try writer.step(timeout: .seconds(1))
                heartbeat.beat()
            }
            try writer.close(timeout: .seconds(15))
        }
        var limits = CallbackLimits()
        limits.connections = callbackConnections
        limits.connectionsPerAddress = callbackConnectionsPerAddress
        let server = CallbackService(
            host: address.host, port: address.port, answers: answers,
            certificate: try certificate(logger: environment.logger),
            limits: limits,
            logger: environment.logger)
        return [loop, server]
    }
}

extension Logger {
    /// Logs that a changed file can't be used.
    fileprivate var logUnusableFile: @Sendable (any Error) -> Void {
        { error in
            self.error(
                "a changed file can't be used; what it had before stays in use", metadata: ["problem": "\(error)"])
        }
    }
}

/// Runs the callback server until graceful shutdown.
struct CallbackService: Service {
    let host: String
    let port: Int
    let answers: DeferredOutcomes
    let certificate: CallbackCertificate?
    let limits: CallbackLimits
    let logger: Logger

    func run() async throws {
        try await CallbackServer.withServer(
            host: host, port: port, answers: answers, certificate: certificate, limits: limits
        ) { server in
            logger.info(
                "listening for deferred outcomes",
                metadata: ["host": "\(host)", "port": "\(server.port)", "tls": "\(certificate != nil)"])
            try await gracefulShutdown()
        }
    }
}
