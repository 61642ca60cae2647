import NIOCore

/// The open connections of a server, on its event loop. When too many are open, the one that has waited longest for its client is closed, so that slow clients, however many, keep
/// out nobody who sends a request at once.
final class OpenConnections {
    private let maximum: Int
    private var open: [ObjectIdentifier: (clock: RequestClock, turn: UInt64)] = [:]
    private var turn: UInt64 = 0

    init(maximum: Int) { self.maximum = maximum }

    func enter(_ clock: RequestClock) {
        hasMoved(clock)
        guard open.count > maximum, let slowest = open.values.min(by: { $0.turn < $1.turn })?.clock else { return }
        leave(slowest)
        slowest.close()
    }

    /// The client of the connection has been answered.
    func hasMoved(_ clock: RequestClock) {
        turn += 1
        open[ObjectIdentifier(clock)] = (clock, turn)
    }

    func leave(_ clock: RequestClock) { open[ObjectIdentifier(clock)] = nil }
}

/// Closes a connection whose request and its answer take too long. A byte now and then does not help.
final class RequestClock: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let timeout: TimeAmount
    private let connections: OpenConnections
    private var deadline: Scheduled<Void>?
    private var channel: (any Channel)?

    init(_ timeout: TimeAmount, _ connections: OpenConnections) { (self.timeout, self.connections) = (timeout, connections) }

    func channelActive(context: ChannelHandlerContext) {
        channel = context.channel
        connections.enter(self)
        start()
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if deadline == nil { start() }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        connections.leave(self)
        channel = nil
        context.fireChannelInactive()
    }

    /// The answer to a request is written.
    func answered() {
        guard channel != nil else { return }
        deadline?.cancel()
        deadline = nil
        connections.hasMoved(self)
    }

    func close() { channel?.close(promise: nil) }

    private func start() {
        guard let channel else { return }
        deadline = channel.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
    }
}
