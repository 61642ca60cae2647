import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// The HTTP server to which services post deferred outcomes. With a certificate, the server uses TLS 1.2 or newer.
/// Without one, a proxy in front of the server must provide TLS.
///
/// `POST /v1/answers/<token>` returns 202 when the outcome is in the log, 400 for an invalid body or token, 408 for a
/// request that takes too long, 410 for an outcome that arrives too late, 413 for an outcome that is too large, and 503
/// while the log can't be written. The token is checked before the body is read.
public final class CallbackServer: Sendable {
    private let listener: any Channel

    private init(_ listener: any Channel) { self.listener = listener }

    /// The port that the server listens on. If the requested port is 0, the system chooses one.
    public var port: Int { listener.localAddress?.port ?? 0 }

    /// Listens while `body` runs.
    ///
    /// - Parameter certificate: The certificate; `nil` for plain HTTP.
    /// - Throws: An error if the server can't listen on the address, and any error of `body`.
    public static func withServer<Result: Sendable>(
        host: String, port: Int, answers: DeferredOutcomes, certificate: CallbackCertificate? = nil,
        limits: CallbackLimits = CallbackLimits(), _ body: (CallbackServer) async throws -> Result
    ) async throws -> Result {
        let gate = ConnectionGate(limits)
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                let address = ConnectionGate.client(at: channel.remoteAddress)
                guard gate.admit(address) else { return channel.eventLoop.makeFailedFuture(ConnectionGate.Full()) }
                channel.closeFuture.whenComplete { _ in gate.release(address) }
                return channel.eventLoop.makeCompletedFuture {
                    if let certificate {
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLServerHandler(context: certificate.context))
                    }
                    try configure(channel, answers, limits)
                }
            }
            .bind(host: host, port: port).get()
        do {
            let result = try await body(CallbackServer(listener))
            try? await listener.close()
            return result
        } catch {
            try? await listener.close()
            throw error
        }
    }

    /// Adds the handlers of a connection. Called on the event loop of the connection.
    static func configure(_ channel: any Channel, _ answers: DeferredOutcomes, _ limits: CallbackLimits) throws {
        var parser = NIOHTTPDecoderLimitConfiguration()
        parser.maxHeaderFieldSize = limits.headBytes
        parser.maxHeaderListSize = limits.headBytes
        parser.maxHeaderFieldCount = limits.headers
        let connection = RequestGuard(limits)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(connection)
        try pipeline.configureHTTPServerPipeline(
            withEncoderConfiguration: .init(), withDecoderLimitConfiguration: parser)
        try pipeline.addHandler(CallbackHandler(answers, limits, connection))
    }
}
