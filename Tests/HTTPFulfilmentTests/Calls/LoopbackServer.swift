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
        case answer(Int, [String: String] = [:], String = "")
        /// Reads the request, and never replies.
        case silence
        /// Begins a reply that never ends.
        case endless
        /// Closes the connection without a reply.
        case close

        static func ok(_ body: String) -> Reply { .answer(200, [:], body) }
        static let (ready, success) = (ok(#"{"code":"ready"}"#), ok(#"{"code":"success"}"#))
    }

    private typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

    let port: Int
    private let state = Mutex<(requests: [Request], closed: Int)>(([], 0))
    private let (events, happened) = AsyncStream<Void>.makeStream()
    private let reply: @Sendable (Request, Int) -> Reply

    private init(_ port: Int, _ reply: @escaping @Sendable (Request, Int) -> Reply) {
        (self.port, self.reply) = (port, reply)
    }

    var requests: [Request] { state.withLock { $0.requests } }
    var url: String { "http://127.0.0.1:\(port)" }

    /// Runs a server while `body` runs.
    ///
    /// - Parameter reply: Returns the reply to a request. The second argument is the request's number, from 1.
    static func run<Result: Sendable>(
        isSecure: Bool = false, _ reply: @escaping @Sendable (Request, Int) -> Reply,
        _ body: (LoopbackServer) async throws -> Result
    ) async throws -> Result {
        let tls = isSecure ? try TestCertificate.made?.serverContext() : nil
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handlers = channel.pipeline.syncOperations
                    if let tls { try handlers.addHandler(NIOSSLServerHandler(context: tls)) }
                    try handlers.configureHTTPServerPipeline()
                    return try Connection(wrappingChannelSynchronously: channel)
                }
            }
        let server = LoopbackServer(listener.channel.localAddress?.port ?? 0, reply)
        let serving = Task {
            try await listener.executeThenClose { connections in
                try await withThrowingDiscardingTaskGroup { tasks in
                    for try await connection in connections { tasks.addTask { await server.serve(connection) } }
                }
            }
        }
        func end() async {
            serving.cancel()
            _ = await serving.result
        }
        do {
            let result = try await body(server)
            await end()
            return result
        } catch {
            await end()
            throw error
        }
    }

    /// Waits until the condition is true.
    func until(_ isTrue: (_ requests: Int, _ closed: Int) -> Bool) async {
        if state.withLock({ isTrue($0.requests.count, $0.closed) }) { return }
        for await _ in events where state.withLock({ isTrue($0.requests.count, $0.closed) }) { return }
    }

    private func serve(_ connection: Connection) async {
        // A client may close the connection at any time.
        try? await connection.executeThenClose { inbound, outbound in
            var request = Request(method: "", uri: "", headers: [:], body: [])
            for try await part in inbound {
                switch part {
                case .head(let head):
                    request = Request(method: head.method.rawValue, uri: head.uri, headers: head.headers, body: [])
                case .body(let part): request.body += part.readableBytesView
                case .end:
                    let number = state.withLock { state in
                        state.requests.append(request)
                        return state.requests.count
                    }
                    happened.yield()
                    guard try await send(reply(request, number), outbound) else { return }
                }
            }
        }
        state.withLock { $0.closed += 1 }
        happened.yield()
    }

    /// Sends a reply. Returns `false` if the connection is to be closed.
    private func send(_ reply: Reply, _ outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>) async throws
        -> Bool
    {
        func head(_ status: Int, _ headers: [(String, String)]) -> HTTPServerResponsePart {
            .head(HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: .init(headers)))
        }
        switch reply {
        case .silence: return true
        case .close: return false
        case .answer(let status, let headers, let body):
            let length = ("Content-Length", "\(body.utf8.count)")
            try await outbound.write(head(status, headers.map { ($0.key, $0.value) } + [length]))
            try await outbound.write(.body(.byteBuffer(ByteBuffer(string: body))))
            try await outbound.write(.end(nil))
            return true
        case .endless:
            try await outbound.write(head(200, []))
            while true { try await outbound.write(.body(.byteBuffer(ByteBuffer(repeating: 0x20, count: 16_384)))) }
        }
    }
}
