import NIOCore

/// Limits the open connections of a server, on the server's event loop. When too many are open, the connection that has
/// waited longest for its client is closed. Slow clients, however many, therefore can't block a client that sends its
/// request immediately.
final class OpenConnections {
    private let maximum: Int
    private var open: [ObjectIdentifier: (clock: RequestClock, turn: UInt64)] = [:]
    private var turn: UInt64 = 0

    init(maximum: Int) { self.maximum = maximum }

    func add(_ clock: RequestClock) {
        markServed(clock)
        guard open.count > maximum, let slowest = open.values.min(by: { $0.turn < $1.turn })?.clock else { return }
        remove(slowest)
        slowest.close()
    }

    /// Moves a connection to the end of the order after a response to its client.
    func markServed(_ clock: RequestClock) {
        turn += 1
        open[ObjectIdentifier(clock)] = (clock, turn)
    }

    func remove(_ clock: RequestClock) { open[ObjectIdentifier(clock)] = nil }
}

/// Closes a connection whose request and response take too long. Single bytes do not extend the time limit.
final class RequestClock: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let timeout: TimeAmount
    private let connections: OpenConnections
    private var deadline: Scheduled<Void>?
    private var channel: (any Channel)?

    init(_ timeout: TimeAmount, _ connections: OpenConnections) {
        (self.timeout, self.connections) = (timeout, connections)
    }

    func channelActive(context: ChannelHandlerContext) {
        channel = context.channel
        connections.add(self)
        start()
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if deadline == nil { start() }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        connections.remove(self)
        channel = nil
        context.fireChannelInactive()
    }

    /// Stops the clock after the response to a request was written.
    func answered() {
        guard channel != nil else { return }
        deadline?.cancel()
        deadline = nil
        connections.markServed(self)
    }

    func close() { channel?.close(promise: nil) }

    private func start() {
        guard let channel else { return }
        deadline = channel.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
    }
}
