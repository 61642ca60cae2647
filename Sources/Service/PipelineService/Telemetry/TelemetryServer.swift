package import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceLifecycle

/// Serves the endpoints for operators and orchestrators: `/metrics`, `/livez`, `/readyz` and `/startupz`.
///
/// Only `GET` and `HEAD` are allowed. The server asks for no credentials, so only operators and orchestrators should be
/// able to reach the address.
package struct TelemetryServer: Service {
    package struct Address: Sendable, Hashable, CustomStringConvertible {
        package var host: String
        package var port: Int

        package init(host: String, port: Int) { (self.host, self.port) = (host, port) }

        /// Parses `host:port`, `[::1]:port`, or `:port` for all IPv4 addresses of this machine. Returns `nil` for any
        /// other text.
        package init?(_ text: String) {
            guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
                return nil
            }
            var host = String(text[..<colon])
            if host.hasPrefix("["), host.hasSuffix("]") {
                host = String(host.dropFirst().dropLast())
            } else if host.contains(":") {
                return nil
            }
            self.init(host: host.isEmpty ? "0.0.0.0" : host, port: Int(port))
        }

        package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
    }

    private let address: Address
    private let registry: PrometheusRegistry
    private let health: Health
    private let requestTimeout: TimeAmount
    private let logger: Logger
    /// Called once the server listens, with the actual port in place of port 0.
    private let onListening: @Sendable (Address) -> Void

    /// The maximum number of open connections; Prometheus and an orchestrator need two. One connection more closes the
    /// connection whose last response, or whose opening, is longest ago.
    static let maximumConnections = 256
    /// The time after which a silent connection is closed.
    static let idleTimeout: TimeAmount = .seconds(30)
    /// The time limit of a request, from its first byte (or the beginning of the connection) to the last byte of its
    /// response.
    static let requestTimeout: TimeAmount = .seconds(5)

    package init(
        _ address: Address, _ registry: PrometheusRegistry, _ health: Health, logger: Logger,
        onListening: @escaping @Sendable (Address) -> Void = { _ in }
    ) {
        self.init(
            address, registry, health, requestTimeout: Self.requestTimeout, logger: logger, onListening: onListening)
    }

    init(
        _ address: Address, _ registry: PrometheusRegistry, _ health: Health, requestTimeout: TimeAmount,
        logger: Logger,
        onListening: @escaping @Sendable (Address) -> Void = { _ in }
    ) {
        self.requestTimeout = requestTimeout
        (self.address, self.registry, self.health, self.logger) = (address, registry, health, logger)
        self.onListening = onListening
    }

    /// Listens until graceful shutdown.
    ///
    /// - Throws: ``TelemetryError`` if the server can't listen on the address.
    package func run() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do { try await listen(on: group) } catch {
            try? await group.shutdownGracefully()
            throw error
        }
        try await group.shutdownGracefully()
    }

    private func listen(on group: MultiThreadedEventLoopGroup) async throws {
        // The group has one event loop, so all connections are on it.
        let loop = group.next()
        let connections = try await loop.submit {
            NIOLoopBound(OpenConnections(maximum: Self.maximumConnections), eventLoop: loop)
        }.get()
        let listener: any Channel
        do {
            listener = try await ServerBootstrap(group: loop)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelInitializer { [registry, health, requestTimeout] channel in
                    channel.eventLoop.makeCompletedFuture {
                        let clock = RequestClock(requestTimeout, connections.value)
                        try Self.configure(channel, TelemetryAnswers(registry: registry, health: health), clock)
                    }
                }
                .bind(host: address.host, port: address.port).get()
        } catch { throw TelemetryError(address: address, cause: "\(error)") }
        let listening = Address(host: address.host, port: listener.localAddress?.port ?? address.port)
        logger.info("metrics and health are served", metadata: ["address": "\(listening)"])
        onListening(listening)
        try? await gracefulShutdown()
        try? await listener.close()
    }

    /// Adds the handlers of a connection. Must be called on the connection's event loop.
    private static func configure(_ channel: any Channel, _ answers: TelemetryAnswers, _ clock: RequestClock) throws {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = 8_192
        limits.maxHeaderListSize = 8_192
        limits.maxHeaderFieldCount = 64
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(clock)
        try pipeline.addHandler(IdleStateHandler(readTimeout: idleTimeout, writeTimeout: idleTimeout))
        try pipeline.configureHTTPServerPipeline(
            withEncoderConfiguration: .init(), withDecoderLimitConfiguration: limits)
        try pipeline.addHandler(TelemetryHandler(answers, clock))
    }
}

/// The error of a server that can't listen on the address of `--telemetry`.
package struct TelemetryError: Error, CustomStringConvertible {
    var address: TelemetryServer.Address
    var cause: String

    package var description: String {
        "can't listen on \(address) for metrics and health (\(cause)): name another address with --telemetry, or port 0 for any free one"
    }
}
