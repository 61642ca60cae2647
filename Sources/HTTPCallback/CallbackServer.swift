import NIOCore
import NIOHTTP1
import NIOPosix

/// The HTTP server that services post deferred outcomes to. It speaks plain HTTP; a proxy in front of it has to terminate TLS.
///
/// `POST /v1/answers/<token>` returns 202 when the outcome is in the log, 400 for an invalid body or token, 410 for an outcome that comes too late,
/// 413 for one that is too large, and 503 while the log can't be written.
public final class CallbackServer: Sendable {
    /// Connections that are idle for this long are closed.
    static let idle = TimeAmount.seconds(60)

    private let listener: any Channel

    private init(_ listener: any Channel) { self.listener = listener }

    /// The port that it listens on. If the requested port was 0, the system has chosen one.
    public var port: Int { listener.localAddress?.port ?? 0 }

    /// Listens while `body` runs.
    ///
    /// - Throws: An error if it can't listen on the address, or what `body` throws.
    public static func withServer<Result: Sendable>(
        host: String, port: Int, answers: DeferredOutcomes, _ body: (CallbackServer) async throws -> Result
    ) async throws -> Result {
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(IdleStateHandler(allTimeout: idle))
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(CallbackHandler(answers))
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
}
