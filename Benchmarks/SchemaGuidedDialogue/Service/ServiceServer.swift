import NIOCore
import NIOHTTP1
import NIOPosix

/// An HTTP server on the loopback interface. A function maps the body of each request to the reply; the server replies
/// 404 if the function returns `nil`.
struct ServiceServer: Sendable {
    let port: Int
    private let channel: any Channel
    private let group: MultiThreadedEventLoopGroup

    init(_ answer: @escaping @Sendable ([UInt8]) -> [UInt8]?) async throws {
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1_024)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: true)
                    try channel.pipeline.syncOperations.addHandler(ServiceHandler(answer))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = channel.localAddress?.port ?? 0
    }

    func close() async throws {
        try await channel.close()
        try await group.shutdownGracefully()
    }
}

/// Collects a request's body and replies to the request.
private final class ServiceHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let answer: @Sendable ([UInt8]) -> [UInt8]?
    private var body: [UInt8] = []

    init(_ answer: @escaping @Sendable ([UInt8]) -> [UInt8]?) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: body.removeAll(keepingCapacity: true)
        case .body(let part): body.append(contentsOf: part.readableBytesView)
        case .end:
            let bytes = answer(body)
            var head = HTTPResponseHead(version: .http1_1, status: bytes == nil ? .notFound : .ok)
            head.headers.add(name: "Content-Type", value: "application/json")
            head.headers.add(name: "Content-Length", value: "\(bytes?.count ?? 0)")
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            if let bytes { context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: bytes)))), promise: nil) }
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
