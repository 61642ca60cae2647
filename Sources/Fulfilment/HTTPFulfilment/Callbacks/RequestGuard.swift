import NIOCore

/// Ends a connection whose requests take too long or are too large. It sits before the parser of HTTP, where it sees every byte, and ``CallbackHandler`` behind
/// the parser tells it how far a request is.
final class RequestGuard: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// A request whose head was read, and whose body takes too long.
    struct TooSlow: Sendable {}

    private enum Stage {
        /// Nothing of the next request has come.
        case idle
        case head
        case body
        /// The request was read.
        case answering
        /// The last response of the connection is on its way.
        case closing
    }

    private let limits: CallbackLimits
    private var stage = Stage.head
    /// The bytes since the beginning of the request.
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
        // The stage is that after these bytes: the end of a head counts for the body.
        let limit: Int
        switch stage {
        case .head: limit = limits.headBytes
        case .body, .answering: limit = limits.headBytes + DeferredOutcomes.maximumBytes + CallbackLimits.framingBytes
        case .idle, .closing: return
        }
        if received > limit { context.close(promise: nil) }
    }

    /// The head was read, and its body is wanted.
    func headEnded() {
        // A request that came with the one before is passed on only now.
        if stage == .idle { begin() }
        stage = .body
        let left = begun + TimeAmount(limits.requestTime) - (context?.eventLoop.now ?? begun)
        schedule(after: left) { $0.context?.fireUserInboundEventTriggered(TooSlow()) }
    }

    func requestEnded() {
        stage = .answering
        timer?.cancel()
    }

    /// A response was written, and another request may follow.
    func answered() {
        stage = .idle
        received = 0
        schedule(after: TimeAmount(limits.idleTime)) { $0.context?.close(promise: nil) }
    }

    /// Nothing more is read; the connection is closed when the other side has had the time to read the response.
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
