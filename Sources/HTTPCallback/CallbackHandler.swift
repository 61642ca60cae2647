import IntentModel
import NIOCore
import NIOHTTP1

/// Serves one connection: reads one request at a time and answers it.
final class CallbackHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let answers: DeferredOutcomes
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(_ answers: DeferredOutcomes) { self.answers = answers }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = []
        case .body(let part):
            guard head != nil else { return }
            guard body.count + part.readableBytes <= DeferredOutcomes.maximumBytes else {
                head = nil
                let message = "the body exceeds \(DeferredOutcomes.maximumBytes) bytes"
                // The connection is closed, so the rest of the body is not read.
                return respond(CallbackProblem(.contentTooLarge, .complex, message), keepAlive: false, context)
            }
            body += part.readableBytesView
        case .end:
            guard let head else { return }
            self.head = nil
            handle(head, context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent { context.close(promise: nil) } else { context.fireUserInboundEventTriggered(event) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func handle(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let path = head.uri.prefix { $0 != "?" }
        guard path.hasPrefix(CallbackTokens.path), path.utf8.count > CallbackTokens.path.utf8.count else {
            let message = "only \(CallbackTokens.path)<token> is served here: post to 'callback.url' without changing it"
            return respond(CallbackProblem(.notFound, .unsupported, message), keepAlive: head.isKeepAlive, context)
        }
        guard head.method == .POST else {
            return respond(CallbackProblem(.methodNotAllowed, .unsupported, "only POST is supported"), keepAlive: head.isKeepAlive, context)
        }
        let token = String(path.dropFirst(CallbackTokens.path.utf8.count))
        let body = body
        self.body = []
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let isKeepAlive = head.isKeepAlive
        context.eventLoop.makeFutureWithTask { [answers] in
            try await answers.accept(body, token: token)
        }.whenComplete { result in
            let (handler, context) = bound.value
            switch result {
            case .success: handler.respond(nil, keepAlive: isKeepAlive, context)
            case .failure(let error):
                let problem = error as? CallbackProblem ?? CallbackProblem(.unavailable, .internal, "post it again")
                handler.respond(problem, keepAlive: isKeepAlive, context)
            }
        }
    }

    private func respond(_ problem: CallbackProblem?, keepAlive: Bool, _ context: ChannelHandlerContext) {
        let body = problem?.body ?? Array("{}".utf8)
        var headers = HTTPHeaders([("Content-Type", "application/json"), ("Content-Length", "\(body.count)")])
        switch problem?.status {
        case .methodNotAllowed: headers.add(name: "Allow", value: "POST")
        case .unavailable: headers.add(name: "Retry-After", value: "1")
        default: break
        }
        if !keepAlive { headers.add(name: "Connection", value: "close") }
        let status = HTTPResponseStatus(statusCode: problem?.status.rawValue ?? 202)
        context.write(wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
        let written = context.writeAndFlush(wrapOutboundOut(.end(nil)))
        if !keepAlive {
            let channel = context.channel
            written.whenComplete { _ in channel.close(promise: nil) }
        }
    }
}
