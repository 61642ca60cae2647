import NIOCore

/// Closes a connection whose requests take too long or are too large. The guard sits before the HTTP parser, where it
/// sees every byte. ``CallbackHandler``, behind the parser, reports the progress of each request to the guard.
final class RequestGuard: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// An event for a request whose head was read and whose body takes too long.
    struct TooSlow: Sendable {}

    private enum Stage {
        /// No byte of the next request has arrived.
        case idle
        case head
        case body
        /// The request was read, and its response is not written yet.
        case answering
        /// The last response of the connection is being written.
        case closing
    }

    private let limits: CallbackLimits
    private var stage = Stage.head
    /// The number of bytes since the beginning of the request.
    private var received = 0
    private var begun = NIODeadline.uptimeNanoseconds(0)
    private var timer: Scheduled<Void>?
    private var context: ChannelHandlerContext?

    init(_ limits: CallbackLimits) { self.limits = limits }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        begin()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if stage == .closing { return }
        if stage == .idle { begin() }
        received += unwrapInboundIn(data).readableBytes
        context.fireChannelRead(data)
        // The parser has processed these bytes already, so the bytes at the end of a head are counted for the body.
        let limit: Int
        switch stage {
        case .head: limit = limits.headBytes
        case .body, .answering: limit = limits.headBytes + DeferredOutcomes.maximumBytes + CallbackLimits.framingBytes
        case .idle, .closing: return
        }
        if received > limit { context.close(promise: nil) }
    }

    /// Replaces the time limit of the head by the limit of the whole request. Called when the head was accepted.
    func headEnded() {
        // A request that arrived together with the previous one is passed on only now.
        if stage == .idle { begin() }
        stage = .body
        let left = begun + TimeAmount(limits.requestTime) - (context?.eventLoop.now ?? begun)
        schedule(after: left) { $0.context?.fireUserInboundEventTriggered(TooSlow()) }
    }

    func requestEnded() {
        stage = .answering
        timer?.cancel()
    }

    /// Starts the idle time when a response was written and another request may follow.
    func answered() {
        stage = .idle
        received = 0
        schedule(after: TimeAmount(limits.idleTime)) { $0.context?.close(promise: nil) }
    }

    /// Stops reading. The connection is closed when the client has had time to read the response.
    func linger() {
        stage = .closing
        _ = context?.channel.setOption(.autoRead, value: false)
        schedule(after: TimeAmount(CallbackLimits.lingerTime)) { $0.context?.close(promise: nil) }
    }

    private func begin() {
        stage = .head
        received = 0
        begun = context?.eventLoop.now ?? begun
        schedule(after: TimeAmount(limits.headTime)) { $0.context?.close(promise: nil) }
    }

    private func schedule(after time: TimeAmount, _ act: @escaping @Sendable (RequestGuard) -> Void) {
        timer?.cancel()
        guard let loop = context?.eventLoop else { return }
        let bound = NIOLoopBound(self, eventLoop: loop)
        timer = loop.scheduleTask(in: time) { act(bound.value) }
    }
}
