import IntentModel
import NIOCore
import NIOHTTP1
import Pipeline

/// Serves one connection: reads one request at a time and answers it. A request whose head is invalid is answered at
/// once, and its body is not read.
final class CallbackHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// A request whose body is being read.
    private struct Reading {
        var call: DeferredOutcomeAddress
        var isKeepAlive: Bool
        var body: [UInt8] = []
    }

    private let answers: DeferredOutcomes
    private let limits: CallbackLimits
    private let connection: RequestGuard
    private var reading: Reading?
    private var isRefused = false

    init(_ answers: DeferredOutcomes, _ limits: CallbackLimits, _ connection: RequestGuard) {
        self.answers = answers
        self.limits = limits
        self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            // Anything that a client sends after a rejected request is ignored.
            if isRefused { return }
            do {
                reading = Reading(call: try call(of: head), isKeepAlive: head.isKeepAlive)
                connection.headEnded()
                if head.headers[canonicalForm: "expect"].contains(where: { $0.lowercased() == "100-continue" }) {
                    context.writeAndFlush(
                        wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
                }
            } catch {
                refuse(error, context)
            }
        case .body(let part):
            guard let count = reading?.body.count else { return }
            if count + part.readableBytes > DeferredOutcomes.maximumBytes { return refuse(Self.tooLarge, context) }
            reading?.body += part.readableBytesView
        case .end:
            guard let reading else { return }
            self.reading = nil
            connection.requestEnded()
            accept(reading, context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is RequestGuard.TooSlow {
            let message = "the request was not complete within \(limits.requestTime): post it again"
            return refuse(CallbackProblem(.requestTimeout, .busy, message), context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    /// Returns the call that the head of a request is for.
    ///
    /// - Throws: ``CallbackProblem`` if the request is rejected, whatever its body is.
    private func call(of head: HTTPRequestHead) throws(CallbackProblem) -> DeferredOutcomeAddress {
        let path = head.uri.prefix { $0 != "?" }
        guard path.hasPrefix(CallbackTokens.path), path.utf8.count > CallbackTokens.path.utf8.count else {
            let message =
                "only \(CallbackTokens.path)<token> is served here: post to 'callback.url' without changing it"
            throw CallbackProblem(.notFound, .unsupported, message)
        }
        guard head.method == .POST else {
            throw CallbackProblem(.methodNotAllowed, .unsupported, "only POST is supported")
        }
        let call = try answers.call(of: String(path.dropFirst(CallbackTokens.path.utf8.count)))
        if let length = head.headers.first(name: "content-length").flatMap({ Int($0) }),
            length > DeferredOutcomes.maximumBytes
        {
            throw Self.tooLarge
        }
        return call
    }

    private static let tooLarge = CallbackProblem(
        .contentTooLarge, .complex, "the body exceeds \(DeferredOutcomes.maximumBytes) bytes")

    private func accept(_ request: Reading, _ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.makeFutureWithTask { [answers] in
            try await answers.accept(request.body, for: request.call)
        }.whenComplete { result in
            let (handler, context) = bound.value
            var problem: CallbackProblem?
            if case .failure(let error) = result {
                problem = error as? CallbackProblem ?? CallbackProblem(.unavailable, .internal, "post it again")
            }
            // The guard is informed before the response is written, because a request that arrived together with this
            // one is passed on as soon as the response is written.
            if request.isKeepAlive { handler.connection.answered() }
            let written = handler.respond(problem, isLast: !request.isKeepAlive, context)
            if request.isKeepAlive { return }
            let channel = context.channel
            written.whenComplete { _ in channel.close(promise: nil) }
        }
    }

    /// Rejects a request that was not read to its end.
    private func refuse(_ problem: CallbackProblem, _ context: ChannelHandlerContext) {
        reading = nil
        isRefused = true
        _ = respond(problem, isLast: true, context)
        connection.linger()
    }

    private func respond(_ problem: CallbackProblem?, isLast: Bool, _ context: ChannelHandlerContext)
        -> EventLoopFuture<Void>
    {
        let body = problem?.body ?? Array("{}".utf8)
        var headers = HTTPHeaders([("Content-Type", "application/json"), ("Content-Length", "\(body.count)")])
        switch problem?.status {
        case .methodNotAllowed: headers.add(name: "Allow", value: "POST")
        case .unavailable: headers.add(name: "Retry-After", value: "1")
        default: break
        }
        if isLast { headers.add(name: "Connection", value: "close") }
        let status = HTTPResponseStatus(statusCode: problem?.status.rawValue ?? 202)
        context.write(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
        return context.writeAndFlush(wrapOutboundOut(.end(nil)))
    }
}
