import NIOCore
import NIOPosix

/// A connection to a server on this machine that sends exactly the bytes of the test.
struct RawConnection {
    private let inbound: NIOAsyncChannelInboundStream<ByteBuffer>
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>

    static func open<Result>(port: Int, _ body: (RawConnection) async throws -> Result) async throws -> Result {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup).connect(
            host: "127.0.0.1", port: port
        ) {
            channel in
            channel.eventLoop.makeCompletedFuture {
                try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }
        }
        return try await channel.executeThenClose { inbound, outbound in
            try await body(RawConnection(inbound: inbound, outbound: outbound))
        }
    }

    func send(_ text: String) async throws { try await outbound.write(ByteBuffer(string: text)) }

    /// Sends a text, and waits until the server closes the connection.
    ///
    /// - Returns: The server's whole output.
    func exchange(_ text: String) async throws -> String {
        var received = ""
        // A server that closes before it has read everything resets the connection.
        do {
            try await send(text)
            for try await part in inbound { received += String(buffer: part) }
        } catch is IOError {
        } catch is ChannelError {
        } catch is NIOAsyncWriterError {}
        return received
    }

    static func exchange(_ text: String, port: Int) async throws -> String {
        var received = ""
        // A refused connection may be closed before it is set up, and then can't be closed again.
        do { try await open(port: port) { received = try await $0.exchange(text) } } catch is ChannelError {}
        return received
    }
}
