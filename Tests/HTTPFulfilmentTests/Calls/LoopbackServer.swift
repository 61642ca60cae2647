import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// A server on 127.0.0.1 that sends a test's replies and records the requests.
final class LoopbackServer: Sendable {
    struct Request: Sendable {
        var method: String
        var uri: String
        var headers: HTTPHeaders
        var body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }
        func header(_ name: String) -> String? { headers.first(name: name) }
    }

    enum Reply: Sendable {
        case answer(Int, [String: String] = [:], String)
        /// Reads the request, and never replies.
        case silence
        /// Begins a reply that never ends.
        case endless
        /// Closes the connection without a reply.
        case close

        static func ok(_ body: String) -> Reply { .answer(200, [:], body) }
    }

    private let state = Mutex<(requests: [Request], closed: Int)>(([], 0))
    private let events: AsyncStream<Void>
    private let happened: AsyncStream<Void>.Continuation
    private let listener = Mutex<(any Channel)?>(nil)
    let reply: @Sendable (Request, Int) -> Reply

    private init(_ reply: @escaping @Sendable (Request, Int) -> Reply) {
        self.reply = reply
        (events, happened) = AsyncStream.makeStream()
    }

    var requests: [Request] { state.withLock { $0.requests } }
    var port: Int { listener.withLock { $0?.localAddress?.port } ?? 0 }
    var url: String { "http://127.0.0.1:\(port)" }

    /// Runs a server while `body` runs.
    ///
    /// - Parameter reply: Returns the reply to a request. The second argument is the request's number, from 1.
    static func run<Result: Sendable>(
        isSecure: Bool = false, _ reply: @escaping @Sendable (Request, Int) -> Reply,
        _ body: (LoopbackServer) async throws -> Result
    ) async throws -> Result {
        let server = LoopbackServer(reply)
        var tls: NIOSSLContext?
        if isSecure, let made = TestCertificate.made {
            let certificate = try NIOSSLCertificate(bytes: Array(made.certificate.utf8), format: .pem)
            let key = try NIOSSLPrivateKey(bytes: Array(made.key.utf8), format: .pem)
            tls = try NIOSSLContext(
                configuration: .makeServerConfiguration(
                    certificateChain: [.certificate(certificate)], privateKey: .privateKey(key)))
        }
        let context = tls
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let context {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    }
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(server))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        server.listener.withLock { $0 = channel }
        do {
            let result = try await body(server)
            try await channel.close()
            return result
        } catch {
            try? await channel.close()
            throw error
        }
    }

    /// Waits until the condition is true.
    func until(_ isTrue: (_ requests: Int, _ closed: Int) -> Bool) async {
        if state.withLock({ isTrue($0.requests.count, $0.closed) }) { return }
        for await _ in events where state.withLock({ isTrue($0.requests.count, $0.closed) }) { return }
    }

    private func take(_ request: Request) -> Reply {
        let number = state.withLock { state in
            state.requests.append(request)
            return state.requests.count
        }
        happened.yield()
        return reply(request, number)
    }

    private func closed() {
        state.withLock { $0.closed += 1 }
        happened.yield()
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let server: LoopbackServer
        private var request: Request?

        init(_ server: LoopbackServer) { self.server = server }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                request = Request(method: head.method.rawValue, uri: head.uri, headers: head.headers, body: [])
            case .body(let part): request?.body += part.readableBytesView
            case .end:
                guard let request else { return }
                self.request = nil
                answer(server.take(request), context)
            }
        }

        func channelInactive(context: ChannelHandlerContext) { server.closed() }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        private func answer(_ reply: Reply, _ context: ChannelHandlerContext) {
            switch reply {
            case .silence: break
            case .close: context.close(promise: nil)
            case .answer(let status, let headers, let body):
                var fields = HTTPHeaders(headers.map { ($0.key, $0.value) })
                fields.replaceOrAdd(name: "Content-Length", value: "\(body.utf8.count)")
                context.write(
                    wrapOutboundOut(
                        .head(HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: fields))),
                    promise: nil)
                context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: body)))), promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            case .endless:
                context.writeAndFlush(
                    wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .ok))), promise: nil)
                writeOn(context)
            }
        }

        private func writeOn(_ context: ChannelHandlerContext) {
            let part = wrapOutboundOut(.body(.byteBuffer(ByteBuffer(repeating: 0x20, count: 16_384))))
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            context.writeAndFlush(part).whenSuccess { bound.value.0.writeOn(bound.value.1) }
        }
    }
}
