import A2AServer
import AgentConversation
import Foundation
import HTTPTypes
import Hummingbird
import IntentModel
import MCPServer
import NIOCore
import PersonGateway
import ServiceLifecycle

/// The doors for agents: the Model Context Protocol at `/mcp`, and Agent2Agent at `/a2a`.
struct AgentRoutes: Sendable {
    private struct Endpoints {
        let mcp: MCPEndpoint
        let a2a: A2AEndpoint
    }

    private let endpoints: Endpoints
    /// For callers that are agents by their token: they agree to nothing, whatever the settings are.
    private let endpointsOfAgents: Endpoints

    init(_ gateway: Gateway, clock: AgentClock, settings: AgentSettings, card: AgentCard) {
        func endpoints(_ settings: AgentSettings) -> Endpoints {
            Endpoints(
                mcp: MCPEndpoint(gateway, clock: clock, settings: settings),
                a2a: A2AEndpoint(gateway, clock: clock, settings: settings, card: card))
        }
        var ofAgents = settings
        ofAgents.agreement = .person
        self.endpoints = endpoints(settings)
        endpointsOfAgents = endpoints(ofAgents)
    }

    private func endpoints(for caller: Caller) -> Endpoints { caller.isPerson ? endpoints : endpointsOfAgents }

    /// The largest message.
    private static let maximumBytes = 128 << 10

    /// What needs no token.
    func addPublic(to router: Router<ConsoleContext>) {
        router.get("/.well-known/agent-card.json") { _, _ in Response(json: endpoints.a2a.cardJSON) }
        router.get("/mcp") { _, _ in Response(status: .methodNotAllowed, headers: [.allow: "POST"]) }
    }

    func add(to group: RouterGroup<ConsoleContext>, _ streams: OpenStreams) {
        group.post("mcp") { request, context in
            let caller = try context.caller
            try caller.require(.agent, .person)
            let (body, header) = try await Self.read(request)
            // A call goes on while its reply waits for the pipeline, so it takes a seat before it begins.
            let seat = try streams.admit(caller)
            switch await endpoints(for: caller).mcp.respond(to: body, header: header, principal: caller.principal) {
            case .json(let json, let status): return Response(.init(code: status), json: json)
            case .events(let messages): return Self.stream(messages, on: seat)
            case .accepted: return Response(status: .accepted)
            }
        }
        group.post("a2a") { request, context in try await answer(request, context, streams) }
        group.get("a2a/**") { request, context in try await answer(request, context, streams) }
        group.post("a2a/**") { request, context in try await answer(request, context, streams) }
        group.delete("a2a/**") { request, context in try await answer(request, context, streams) }
    }

    private func answer(_ request: Request, _ context: ConsoleContext, _ streams: OpenStreams) async throws -> Response {
        let caller = try context.caller
        try caller.require(.agent, .person)
        let (body, header) = try await Self.read(request)
        let seat = try streams.admit(caller)
        // The id of a task may have a slash in it, so what is between the slashes is decoded by itself.
        let path = request.uri.path.dropFirst("/a2a".count).split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
        let query = Dictionary(
            request.uri.queryParameters.map { (String($0.key), $0.value.removingPercentEncoding ?? String($0.value)) },
            uniquingKeysWith: { $1 })
        let reply = await endpoints(for: caller).a2a.respond(
            method: request.method.rawValue, path: path, query: query, body: body, header: header, principal: caller.principal)
        switch reply {
        case .json(let json, let status): return Response(.init(code: status), json: json)
        case .events(let events): return Self.stream(events, on: seat)
        }
    }

    private static func read(_ request: Request) async throws -> ([UInt8], (String) -> String?) {
        var request = request
        let body = try await request.collectBody(upTo: maximumBytes)
        let headers = request.headers
        return (Array(body.readableBytesView), { name in HTTPField.Name(name).flatMap { headers[$0] } })
    }

    /// How often a stream without messages shows that it is alive. To write is also what notices that the client has left.
    private static let pulse = Duration.seconds(15)
    /// How many messages wait for a client that does not read, at most.
    private static let maximumWaiting = 1_000

    /// Each message as an event without a name. To leave ends the call.
    ///
    /// - Parameter pulse: how often a comment comes.
    static func stream(
        _ messages: AsyncStream<JSON>, on seat: StreamSeat, pulse: Duration = pulse
    ) -> Response {
        EventStream.response(on: seat) { writer in
            try await withThrowingTaskGroup(of: Void.self) { group in
                let (parts, part) = AsyncStream.makeStream(of: JSON?.self, bufferingPolicy: .bufferingOldest(maximumWaiting))
                group.addTask {
                    defer { part.finish() }
                    for await message in messages.cancelOnGracefulShutdown() {
                        if case .dropped = part.yield(message) { throw EventStream.Cut() }
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
