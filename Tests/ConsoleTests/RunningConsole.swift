import Conversation
import CoreMetrics
import Foundation
import GatewayFixture
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import IntentEvents
import IntentModel
import Logging
import MCPServer
import NIOCore
import NIOPosix
import PersonGateway
import PipelineTestKit
import RecordLog
import Testing

@testable import Console

/// A console over a pipeline in memory.
final class RunningConsole {
    let running: RunningGateway
    let client: any TestClientProtocol
    let authenticator: Authenticator
    let streams: OpenStreams
    let server: ConsoleServer
    private let tokens: TestTokens?
    private let end: AsyncStream<Void>.Continuation

    /// The key that seals handles, states and tasks of agents.
    static let sealingKey = [UInt8](repeating: 7, count: 32)

    /// Starts a console, which ends with its value. An open console is for this machine alone, and has no tokens.
    init(
        isOpen: Bool = true, agreement: AgentSettings.Agreement? = nil, streamsPerPrincipal: Int = 1_000,
        hosts: Set<String> = ["localhost"], publicAuthority: String? = nil, metrics: (any MetricsFactory)? = nil,
        approval: Approval? = nil
    ) async throws {
        running = try await RunningGateway(approval: approval)
        let gateway = running.gateway
        tokens = isOpen ? nil : TestTokens()
        authenticator =
            if let tokens {
                try await Authenticator(
                    .init(issuer: TestTokens.issuer, audience: TestTokens.audience), jwks: Data(try tokens.jwks().utf8))
            } else { Authenticator(local: nil) }
        streams = OpenStreams(authenticator: authenticator, maximumPerPrincipal: streamsPerPrincipal)
        let clock = running.pipeline.clock
        let agentClock = AgentClock(now: { clock.now }, sleep: { try await ContinuousClock().sleep(for: $0) })
        let settings = AgentSettings(
            agreement: agreement ?? (isOpen ? .client : .person), consoleURL: "http://localhost", key: Self.sealingKey)
        let monitor = try TopicMonitor.of(running.pipeline.log, gateway.topics, partitions: 2)
        server = ConsoleServer(
            gateway: gateway, archive: running.archive, figures: FigureTicker(gateway: gateway, monitor: monitor),
            agents: AgentRoutes(gateway, clock: agentClock, settings: settings), authenticator: authenticator,
            streams: streams, hosts: isOpen ? hosts : nil, publicAuthority: publicAuthority, metrics: metrics,
            logger: .silent)
        let application = Application(router: server.router)
        let (clients, found) = AsyncStream.makeStream(of: (any TestClientProtocol).self)
        let (ending, end) = AsyncStream.makeStream(of: Void.self)
        self.end = end
        Task {
            defer { found.finish() }
            do {
                try await application.test(.router) { client in
                    found.yield(client)
                    for await _ in ending {}
                }
            } catch { Issue.record(error) }
        }
        client = try #require(await clients.first { _ in true })
    }

    deinit { end.finish() }

    /// Signs a token, with claims that `change` may make invalid.
    func token(
        _ subject: String, _ roles: [String], change: (inout TestTokens.Claims) -> Void = { _ in }, kid: String = "k1"
    ) async throws -> String { try await tokens?.token(subject, roles, change: change, kid: kid) ?? "" }

    func caller(_ subject: String, _ roles: String...) async throws -> TestCaller {
        TestCaller(console: self, token: try await token(subject, roles))
    }

    /// The number of records in the topics that persons and agents write.
    var saidCount: Int {
        let topics = running.pipeline.topics
        return [topics.requests, topics.answers].reduce(0) { $0 + running.pipeline.log.records(in: $1).count }
    }

    struct Answer {
        var status: Int
        var json: JSONView
        var headers: HTTPFields
        var text: String
    }

    func get(_ path: String, token: String? = nil, closing: Bool = false) async throws -> Answer {
        try await call(.get, "/api/v1/\(path)", token: token, closing: closing)
    }

    func post(_ path: String, _ body: String, token: String? = nil, headers: HTTPFields = [:]) async throws -> Answer {
        try await call(.post, "/api/v1/\(path)", body, token: token, headers: headers)
    }

    func call(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, token: String? = nil,
        headers: HTTPFields = [:], closing: Bool = false
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

    /// Begins to read a stream, which ends with its task.
    func follow(_ path: String, token: String? = nil) -> Task<String, any Error> {
        Task { [client] in
            let headers: HTTPFields = token.map { [.authorization: "Bearer \($0)"] } ?? [:]
            let response = try await client.execute(uri: "/api/v1/\(path)", method: .get, headers: headers, body: nil)
            return String(buffer: response.body)
        }
    }

    /// Calls a method of the agents' protocol with the members of its parameters, as a client of a session that shows
    /// forms and follows tasks.
    func call(_ method: MCPMethod, _ params: String, session: String, token: String) async throws -> Answer {
        let version = "2026-07-28"
        let capabilities = #"{"extensions":{"io.modelcontextprotocol/tasks":{}},"elicitation":{}}"#
        let meta =
            #""_meta":{"io.modelcontextprotocol/protocolVersion":"\#(version)","intents/session":"\#(session)","#
            + #""io.modelcontextprotocol/clientCapabilities":\#(capabilities)}"#
        let members = params.isEmpty ? meta : "\(params),\(meta)"
        let body = #"{"jsonrpc":"2.0","id":1,"method":"\#(method.rawValue)","params":{\#(members)}}"#
        let view = try JSONView(parsing: Array(body.utf8))["params"]
        var headers: HTTPFields = [:]
        for (name, value) in [
            ("mcp-protocol-version", version), ("mcp-method", method.rawValue),
            ("mcp-name", view?["taskId"]?.string ?? view?["name"]?.string),
        ] { if let name = HTTPField.Name(name), let value { headers[name] = value } }
        return try await call(.post, "/mcp", body, token: token, headers: headers)
    }
}

/// A caller of the console, with a token.
struct TestCaller {
    let console: RunningConsole
    let token: String

    func get(_ path: String, closing: Bool = false) async throws -> RunningConsole.Answer {
        try await console.get(path, token: token, closing: closing)
    }

    func post(_ path: String, _ body: String = "{}") async throws -> RunningConsole.Answer {
        try await console.post(path, body, token: token)
    }

    /// Requests an order in the session `s`, and waits for its prompt.
    func order(_ parameters: String = "{}") async throws -> String {
        let body = #"{"session":"s","intent":"Order","parameters":\#(parameters)}"#
        #expect(try await post("requests", body).status == 202)
        return try await console.running.untilPrompt("s")
    }

    /// Answers a prompt of the session `s`.
    func answer(_ prompt: String, _ more: String = "", action: String = "accept") async throws -> RunningConsole.Answer
    { try await post("sessions/s/answers", #"{"prompt":"\#(prompt)","action":"\#(action)"\#(more)}"#) }
}

extension TopicMonitor {
    static func of(_ log: InMemoryLog, _ topics: Topics, partitions: Int32) throws -> TopicMonitor {
        let client = try log.connect(ClientConfiguration(clientID: "monitor"))
        return TopicMonitor(client: client, log: log, topics: topics, partitions: partitions, logger: .silent)
    }
}

/// Waits for a condition that other tasks bring about.
func until(_ isTrue: () -> Bool) async throws {
    let deadline = ContinuousClock.now.advanced(by: .seconds(180))
    while !isTrue() {
        try #require(ContinuousClock.now < deadline)
        await Task.yield()
    }
}

/// A connection to a server on this machine that sends bytes unchanged.
struct RawConnection {
    private let channel: any Channel
    private let texts: AsyncStream<String>

    /// - Parameter reads: `false` for a client that does not read until ``rest()``.
    init(port: Int, sending request: String, reads: Bool = true) async throws {
        let (texts, text) = AsyncStream.makeStream(of: String.self)
        self.texts = texts
        let bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        channel = try await bootstrap.channelOption(.autoRead, value: reads).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Reader(text)) }
        }.connect(host: "127.0.0.1", port: port).get()
        try await channel.writeAndFlush(ByteBuffer(string: request))
    }

    /// The server's output until it closes the connection.
    func rest() async throws -> String {
        try? await channel.setOption(.autoRead, value: true).get()
        return await texts.reduce(into: "") { $0 += $1 }
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
