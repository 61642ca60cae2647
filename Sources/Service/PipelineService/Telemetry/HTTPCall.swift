import NIOCore
import NIOHTTP1
import NIOPosix

/// One HTTP request on its own connection, without TLS.
struct HTTPCall: Sendable {
    struct Reply: Sendable {
        var status: Int
        var retryAfter: Int?
        var body: [UInt8] = []
    }

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// The time limit of opening a connection, and of a request after its task was cancelled.
    private static let grace: TimeAmount = .seconds(3)

    let endpoint: OTLPConfiguration.Endpoint
    let headers: [(String, String)]
    let timeout: Duration
    let group: any EventLoopGroup

    /// Sends the request and waits for the reply.
    ///
    /// - Parameter body: The JSON to post; `nil` gets the path instead.
    /// - Throws: ``Failure``, or an error of the connection.
    func send(_ body: [UInt8]? = nil) async throws -> Reply {
        let limit = TimeAmount.milliseconds(Int64(timeout / .milliseconds(1)))
        let replied = group.any().makePromise(of: Reply.self)
        let channel: any Channel
        do {
            channel = try await ClientBootstrap(group: group).connectTimeout(min(limit, Self.grace))
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHTTPClientHandlers()
                        try channel.pipeline.syncOperations.addHandler(ReplyHandler(replied))
                    }
                }
                .connect(host: endpoint.host, port: endpoint.port).get()
        } catch {
            replied.fail(error)
            throw error
        }
        let late = channel.eventLoop.scheduleTask(in: limit) {
            replied.fail(Failure(description: "no answer in \(timeout)"))
            channel.close(promise: nil)
        }
        channel.closeFuture.whenComplete { _ in
            replied.fail(Failure(description: "the connection was closed without an answer"))
        }
        var fields = HTTPHeaders(headers)
        fields.replaceOrAdd(
            name: "Host",
            value: endpoint.host.contains(":")
                ? "[\(endpoint.host)]:\(endpoint.port)" : "\(endpoint.host):\(endpoint.port)")
        if let body {
            fields.replaceOrAdd(name: "Content-Type", value: "application/json")
            fields.replaceOrAdd(name: "Content-Length", value: "\(body.count)")
        }
        fields.replaceOrAdd(name: "Connection", value: "close")
        let method = body == nil ? HTTPMethod.GET : .POST
        let head = HTTPRequestHead(version: .http1_1, method: method, uri: endpoint.path, headers: fields)
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        if let body { channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: body))), promise: nil) }
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
        defer {
            late.cancel()
            channel.close(promise: nil)
        }
        return try await withTaskCancellationHandler {
            try await replied.futureResult.get()
        } onCancel: {
            // Spans in flight may still arrive, but a collector that hangs must not delay the end of the process.
            channel.eventLoop.scheduleTask(in: Self.grace) { replied.fail(CancellationError()) }
        }
    }
}

/// Collects the reply.
private final class ReplyHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    /// The maximum size of a body. Further bytes are dropped.
    private static let maximumBytes = 65_536

    private let replied: EventLoopPromise<HTTPCall.Reply>
    private var reply: HTTPCall.Reply?

    init(_ replied: EventLoopPromise<HTTPCall.Reply>) { self.replied = replied }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            reply = HTTPCall.Reply(
                status: Int(head.status.code), retryAfter: head.headers.first(name: "Retry-After").flatMap { Int($0) })
        case .body(let part):
            let room = Self.maximumBytes - (reply?.body.count ?? 0)
            reply?.body += part.readableBytesView.prefix(max(0, room))
        case .end: if let reply { replied.succeed(reply) }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        replied.fail(error)
        context.close(promise: nil)
    }
}
