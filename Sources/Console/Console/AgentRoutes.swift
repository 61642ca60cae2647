import HTTPTypes
import Hummingbird
import IntentModel
import MCPServer
import NIOCore
import PersonGateway
import ServiceLifecycle

/// The routes for agents: the Model Context Protocol at `/mcp`.
struct AgentRoutes: Sendable {
    private let endpoint: MCPEndpoint
    /// The endpoint for callers that are agents by their token. Only the person can agree to their requests, whatever
    /// the settings are.
    private let endpointOfAgents: MCPEndpoint

    init(_ gateway: Gateway, clock: AgentClock, settings: AgentSettings) {
        var ofAgents = settings
        ofAgents.agreement = .person
        endpoint = MCPEndpoint(gateway, clock: clock, settings: settings)
        endpointOfAgents = MCPEndpoint(gateway, clock: clock, settings: ofAgents)
    }

    private func endpoint(for caller: Caller) -> MCPEndpoint { caller.isPerson ? endpoint : endpointOfAgents }

    /// The maximum size of a message in bytes.
    private static let maximumBytes = 128 << 10

    /// Adds the routes that need no token.
    func addPublic(to router: Router<ConsoleContext>) {
        router.get("/mcp") { _, _ in Response(status: .methodNotAllowed, headers: [.allow: "POST"]) }
    }

    func add(to group: RouterGroup<ConsoleContext>, _ streams: OpenStreams) {
        group.post("mcp") { request, context in
            let caller = try context.caller
            try caller.require(.agent, .person)
            let (body, header) = try await Self.read(request)
            // A call keeps running while its reply waits for the pipeline, so the call counts as an open stream from
            // its start.
            let seat = try streams.admit(caller)
            switch await endpoint(for: caller).respond(to: body, header: header, principal: caller.principal) {
            case .json(let json, let status): return Response(.init(code: status), json: json)
            case .events(let messages): return Self.stream(messages, on: seat)
            case .accepted: return Response(status: .accepted)
            }
        }
    }

    private static func read(_ request: Request) async throws -> ([UInt8], (String) -> String?) {
        var request = request
        let body = try await request.collectBody(upTo: maximumBytes)
        let headers = request.headers
        return (Array(body.readableBytesView), { name in HTTPField.Name(name).flatMap { headers[$0] } })
    }

    /// The interval of keep-alive comments. Writing a comment also detects that the client has disconnected.
    private static let pulse = Duration.seconds(15)
    /// The maximum number of messages that wait for a client that does not read.
    private static let maximumWaiting = 1_000

    /// Returns a response that streams each message as an event without a name. The call ends when the client
    /// disconnects.
    ///
    /// - Parameter pulse: The interval of keep-alive comments.
    static func stream(
        _ messages: AsyncStream<JSON>, on seat: StreamSeat, pulse: Duration = pulse
    ) -> Response {
        EventStream.response(on: seat) { writer in
            try await withThrowingTaskGroup(of: Void.self) { group in
                let (parts, part) = AsyncStream.makeStream(
                    of: JSON?.self, bufferingPolicy: .bufferingOldest(maximumWaiting))
                group.addTask {
                    defer { part.finish() }
                    for await message in messages.cancelOnGracefulShutdown() {
                        if case .dropped = part.yield(message) { throw EventStream.Disconnect() }
                    }
                }
                group.addTask { while (try? await ContinuousClock().sleep(for: pulse)) != nil { part.yield(nil) } }
                for await message in parts {
                    guard let message else {
                        try await writer.write(EventStream.alive)
                        continue
                    }
                    var buffer = ByteBuffer(string: "data: ")
                    EventStream.writeLine(message, to: &buffer)
                    buffer.writeStaticString("\n\n")
                    try await writer.write(buffer)
                }
                group.cancelAll()
                try await group.waitForAll()
            }
        }
    }
}
