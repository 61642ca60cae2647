import NIOCore
import NIOHTTP1

/// Answers the requests of one connection, one after the other.
final class TelemetryHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let answers: TelemetryAnswers
    private let clock: RequestClock
    private var request: HTTPRequestHead?

    init(_ answers: TelemetryAnswers, _ clock: RequestClock) { (self.answers, self.clock) = (answers, clock) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): request = head
        // Requests with a body are not supported.
        case .body: context.close(promise: nil)
        case .end:
            guard let head = request else { return }
            request = nil
            answer(head, context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent {
            context.close(promise: nil)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let isRead = head.method == .GET || head.method == .HEAD
        let answer =
            isRead
            ? answers.answer(to: head.uri, accept: head.headers[canonicalForm: "accept"].joined(separator: ","))
            : TelemetryAnswers.Answer(status: 405, contentType: "text/plain; charset=utf-8", body: "Use GET.\n")
        var headers: HTTPHeaders = [
            "Content-Type": answer.contentType, "Content-Length": "\(answer.body.utf8.count)",
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
        ]
        if !isRead { headers.add(name: "Allow", value: "GET, HEAD") }
        if !head.isKeepAlive { headers.add(name: "Connection", value: "close") }
        let response = HTTPResponseHead(
            version: head.version, status: HTTPResponseStatus(statusCode: answer.status), headers: headers)
        context.write(wrapOutboundOut(.head(response)), promise: nil)
        if head.method != .HEAD {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: answer.body)))), promise: nil)
        }
        let ended = context.writeAndFlush(wrapOutboundOut(.end(nil)))
        ended.assumeIsolated().whenComplete { [clock] _ in
            clock.answered()
            if !head.isKeepAlive { context.close(promise: nil) }
        }
    }
}
