import CoreMetrics
import Foundation
import HTTPTypes
import Hummingbird
import IntentModel
import Logging
import NIOCore
import PersonGateway
import ServiceLifecycle

/// The console's HTTP server.
struct ConsoleServer: Sendable {
    let gateway: Gateway
    let archive: ResultArchive
    let figures: FigureTicker
    let agents: AgentRoutes
    let authenticator: Authenticator
    let streams: OpenStreams
    /// The names of this machine that requests may use; `nil` if callers need tokens.
    let hosts: Set<String>?
    /// The host and port at which browsers reach a console behind a proxy.
    var publicAuthority: String?
    /// The factory of the server's metrics; `nil` if no metrics are served.
    var metrics: (any MetricsFactory)?
    let logger: Logger

    /// Makes the service that listens at an address.
    ///
    /// - Parameter onRunning: Called with the port once the server listens.
    func service(_ address: ConsoleAddress, onRunning: @escaping @Sendable (Int) -> Void) -> some Service {
        var logger = logger
        // Below this level, the server logs each connection: more lines than the pipeline itself writes.
        logger.logLevel = max(logger.logLevel, .notice)
        return Application(
            router: router, server: .http1(configuration: .init(idleTimeout: .seconds(120))),
            configuration: .init(address: .hostname(address.host, port: address.port), serverName: nil, backlog: 1_024),
            onServerRunning: { channel in onRunning(channel.localAddress?.port ?? address.port) }, logger: logger)
    }

    var router: Router<ConsoleContext> {
        let router = Router(context: ConsoleContext.self, options: .autoGenerateHeadEndpoints)
        if let metrics { router.add(middleware: RequestMetrics(factory: metrics)) }
        router.add(middleware: SecurityHeaders())
        router.add(middleware: Problems(logger: logger, routes: KnownPaths()))
        router.add(middleware: SameOrigin(hosts: hosts, publicAuthority: publicAuthority))
        PageFiles().add(to: router)
        agents.addPublic(to: router)
        agents.add(to: router.group().add(middleware: Authentication(authenticator: authenticator)), streams)
        let group = router.group("api/v1").add(middleware: Authentication(authenticator: authenticator))
        LookRoutes(
            gateway: gateway, archive: archive, figures: figures, isOpen: authenticator.isOpen, logger: logger
        ).add(to: group)
        SayRoutes(gateway: gateway, keys: IdempotencyKeys()).add(to: group)
        StreamRoutes(gateway: gateway, archive: archive, figures: figures, streams: streams).add(to: group)
        OperatorRoutes(gateway: gateway, archive: archive, logger: logger).add(to: group)
        return router
    }
}

/// The host and port at which the console listens.
package struct ConsoleAddress: Sendable, Hashable, CustomStringConvertible {
    package var host: String
    package var port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Parses `host:port`. An IPv6 address must be in brackets.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]), 0...65_535 ~= port
        else { return nil }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        self.init(host: host, port: port)
    }

    /// `true` if no other machine can reach the address.
    package var isLoopback: Bool {
        host == "localhost" || host == "::1" || (host.hasPrefix("127.") && host.split(separator: ".").count == 4)
    }

    /// The hosts that requests to this address may name. A wildcard address such as `0.0.0.0` is not one of them.
    var hosts: [String] { ["127.0.0.1", "localhost", "[::1]"] + (host == "0.0.0.0" || host == "::" ? [] : [host]) }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
