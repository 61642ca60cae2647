import Conversation
import CoreMetrics
import Foundation
import GatewayFixture
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import IntentModel
import Logging
import MCPServer
import NIOCore
import NIOPosix
import PersonGateway
import PipelineTestKit
import RecordLog

@testable import Console

/// A console over a pipeline in memory.
struct RunningConsole {
    let running: RunningGateway
    let client: any TestClientProtocol
    let authenticator: Authenticator
    let streams: OpenStreams
    let server: ConsoleServer
    private let tokens: TestTokens?

    /// The key that seals handles, states and tasks of agents.
    static let sealingKey = [UInt8](repeating: 7, count: 32)

    /// Calls `body` with a console.
    ///
    /// - Parameter isOpen: `true` for a console for this machine alone, without tokens.
    static func with(
        isOpen: Bool = true, agreement: AgentSettings.Agreement? = nil, streamsPerPrincipal: Int = 1_000,
        hosts: Set<String> = ["localhost"], publicAuthority: String? = nil,
        metrics: (any MetricsFactory)? = nil,
        _ body: @Sendable @escaping (RunningConsole) async throws -> Void
    ) async throws {
        let running = UncheckedRunning(try await RunningGateway())
        let quiet = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        let gateway = running.value.gateway
        let monitor = TopicMonitor(
            client: try running.value.pipeline.log.connect(ClientConfiguration(clientID: "monitor")),
            log: running.value.pipeline.log,
            topics: gateway.topics, partitions: 2, logger: quiet)
        let tokens = isOpen ? nil : TestTokens()
        let authenticator =
            if let tokens {
                try await Authenticator(
                    .init(issuer: TestTokens.issuer, audience: TestTokens.audience), jwks: Data(try tokens.jwks().utf8))
            } else { Authenticator(local: nil) }
        let streams = OpenStreams(authenticator: authenticator, maximumPerPrincipal: streamsPerPrincipal)
        let clock = running.value.pipeline.clock
        let agentClock = AgentClock(now: { clock.now }, sleep: { try await ContinuousClock().sleep(for: $0) })
        let settings = AgentSettings(
            agreement: agreement ?? (isOpen ? .client : .person), consoleURL: "http://localhost", key: sealingKey)
        let server = ConsoleServer(
            gateway: gateway, archive: running.value.archive, figures: FigureTicker(gateway: gateway, monitor: monitor),
            agents: AgentRoutes(gateway, clock: agentClock, settings: settings), authenticator: authenticator,
            streams: streams,
            hosts: isOpen ? hosts : nil, publicAuthority: publicAuthority, metrics: metrics,
            logger: quiet)
        try await Application(router: server.router).test(.router) { client in
            try await body(
                RunningConsole(
                    running: running.value, client: client, authenticator: authenticator, streams: streams,
                    server: server,
                    tokens: tokens))
        }
    }

    /// Signs a token.
    ///
    /// - Parameter change: Changes the claims, so that the console rejects the token.
    func token(
        _ subject: String, _ roles: [String], change: (inout TestTokens.Claims) -> Void = { _ in }, kid: String = "k1"
    ) async throws
        -> String
    {
        try await tokens?.token(subject, roles, change: change, kid: kid) ?? ""
    }

    struct Answer {
        var status: Int
        var json: JSONView
        var headers: HTTPFields
        var text: String
    }

    func call(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, token: String? = nil,
        headers: HTTPFields = [:],
        closing: Bool = false
    ) async throws -> Answer {
        var fields = headers
        if body != nil, fields[.contentType] == nil { fields[.contentType] = "application/json" }
        if let token { fields[.authorization] = "Bearer \(token)" }
        let response = try await running.during(closing: closing) { [client, fields] in
            try await client.execute(
                uri: path, method: method, headers: fields, body: body.map { ByteBuffer(string: $0) })
        }
        let text = String(buffer: response.body)
        let json = (try? JSONView(parsing: Array(text.utf8), limits: .journal)) ?? JSON.null.view
        return Answer(status: response.status.code, json: json, headers: response.headers, text: text)
    }

    /// Calls a method of the agents' protocol, as a client that shows forms and follows tasks.
    ///
    /// - Parameters:
    ///   - params: The members of the parameters.
    ///   - session: The session that the client names.
    func call(_ method: MCPMethod, _ params: String, session: String, token: String) async throws -> Answer {
        let version = "2026-07-28"
        let capabilities = #"{"extensions":{"io.modelcontextprotocol/tasks":{}},"elicitation":{}}"#
        let meta =
            #""_meta":{"io.modelcontextprotocol/protocolVersion":"\#(version)","intents/session":"\#(session)","#
            + #""io.modelcontextprotocol/clientCapabilities":\#(capabilities)}"#
        let body =
            #"{"jsonrpc":"2.0","id":1,"method":"\#(method.rawValue)","params":{\#(params)\#(params.isEmpty ? "" : ",")\#(meta)}}"#
        let view = try JSONView(parsing: Array(body.utf8))
        var headers: HTTPFields = [:]
        for (name, value) in [
            ("mcp-protocol-version", version), ("mcp-method", method.rawValue),
            ("mcp-name", view["params"]?["taskId"]?.string ?? view["params"]?["name"]?.string),
        ] { if let name = HTTPField.Name(name), let value { headers[name] = value } }
        return try await call(.post, "/mcp", body, token: token, headers: headers)
    }
}

/// The fixture, unchecked because only one test uses it.
private struct UncheckedRunning: @unchecked Sendable {
    let value: RunningGateway
    init(_ value: RunningGateway) { self.value = value }
}

/// A client that sends bytes unchanged.
enum RawClient {
    /// The server's output until it closes the connection.
    static func answer(to request: String, port: Int) async throws -> String {
        let (texts, text) = AsyncStream.makeStream(of: String.self)
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Reader(text)) }
            }
            .connect(host: "127.0.0.1", port: port).get()
        try await channel.writeAndFlush(ByteBuffer(string: request))
        var answer = ""
        for await text in texts { answer += text }
        return answer
    }

    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let text: AsyncStream<String>.Continuation

        init(_ text: AsyncStream<String>.Continuation) { self.text = text }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            text.yield(String(buffer: unwrapInboundIn(data)))
        }
        func channelInactive(context: ChannelHandlerContext) { text.finish() }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
