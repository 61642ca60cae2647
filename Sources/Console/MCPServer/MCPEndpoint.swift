import Conversation
import IntentEvents
import IntentModel
package import PersonGateway
import Synchronization

/// Serves the Model Context Protocol on a ``Gateway``: the intents of the live catalogue are tools.
///
/// An endpoint has no state between calls: the state is in Kafka, or sealed in the values that the client sends back.
/// Any process with the same key can continue a conversation.
///
/// Over HTTP, for a route `POST /mcp`:
///
/// ```swift
/// switch await endpoint.respond(to: body, header: { request.headers[HTTPField.Name($0)!] }, principal: caller) {
/// case .json(let json, let status): …           // application/json
/// case .events(let messages): …                 // text/event-stream: each message is one `data:` line
/// case .accepted: …                             // 202 without a body
/// }
/// ```
///
/// On a connection, such as stdio, use ``MCPConnection``.
package final class MCPEndpoint: Sendable {
    let gateway: Gateway
    let clock: AgentClock
    let settings: AgentSettings
    let serverInfo: JSON
    /// The cached fingerprint of the tools, and the number of changes of the catalogue when the fingerprint was made.
    let known = Mutex<(changes: Int, fingerprint: [JSON])?>(nil)

    private static let instructions = """
        Each tool asks for something in the real world on behalf of the person. Pass on what the person has said and leave out what they have not. \
        What is missing or ambiguous is asked, and the person agrees before anything is done. If a result has the status input_required or working, go on with \
        intent_reply or intent_status and its handle.
        """

    package init(_ gateway: Gateway, clock: AgentClock, settings: AgentSettings) {
        self.gateway = gateway
        self.clock = clock
        self.settings = settings
        serverInfo = .object([
            "name": .string("intent-pipeline"), "title": .string("IntentPipeline"),
            "version": .string(settings.version),
        ])
    }

    func tools(for viewer: Viewer) -> ToolList {
        ToolList(gateway.view(for: viewer).catalogue.map { ($0.intent, $0.published) }, settings)
    }

    /// Waits at most 10 s until the gateway has read the existing records, so that the first list of tools is complete.
    func untilReady() async {
        for _ in 0..<200 where !gateway.isReady { try? await clock.sleep(.milliseconds(50)) }
    }

    // MARK: Methods

    /// Performs a method.
    ///
    /// - Returns: The result, without the JSON-RPC envelope.
    func result(of method: String, _ params: JSONView?, _ peer: MCPPeer) async throws(RPCError) -> JSON {
        let hasHandshake = peer.version.hasHandshake
        switch MCPMethod(rawValue: method) {
        case .ping where hasHandshake: return .object([:])
        case .discover where !hasHandshake: return discovery(peer)
        case .listTools:
            await untilReady()
            return try toolPage(params, peer)
        case .callTool:
            await untilReady()
            return try await call(params, peer)
        case .getTask where !hasHandshake, .updateTask where !hasHandshake, .cancelTask where !hasHandshake:
            await untilReady()
            return try await task(method, params, peer)
        default:
            throw RPCError(
                .methodNotFound,
                "there is no method '\(method.printable.shown(100))' in version \(peer.version.rawValue)")
        }
    }

    /// Returns the result of `initialize`, and the version for the rest of the connection.
    func handshake(_ params: JSONView?, hasChannel: Bool) -> (result: JSON, version: MCPVersion) {
        let wanted = params?["protocolVersion"]?.string.flatMap(MCPVersion.init)
        let version = wanted.flatMap { $0.hasHandshake ? $0 : nil } ?? .november2025
        let result = JSON.object([
            "protocolVersion": .string(version.rawValue),
            "capabilities": .object(["tools": .object(["listChanged": .bool(hasChannel)])]), "serverInfo": serverInfo,
            "instructions": .string(Self.instructions),
        ])
        return (result, version)
    }

    private func discovery(_ peer: MCPPeer) -> JSON {
        peer.result([
            ("supportedVersions", .array(MCPVersion.allCases.map { .string($0.rawValue) })),
            (
                "capabilities",
                .object([
                    "tools": .object(["listChanged": .bool(true)]),
                    "extensions": .object([MCPPeer.tasks: .object([:])]),
                ])
            ),
            ("instructions", .string(Self.instructions)), ("ttlMs", .number(60_000)), ("cacheScope", .string("public")),
        ])
    }

    private func toolPage(_ params: JSONView?, _ peer: MCPPeer) throws(RPCError) -> JSON {
        if let cursor = params?["cursor"], cursor.string == nil { throw RPCError(.invalidParams, "'cursor' is a text") }
        let page = try tools(for: peer.viewer).page(after: params?["cursor"]?.string)
        var members: [(String, JSON)] = [("tools", .array(page.tools))]
        if let next = page.next { members.append(("nextCursor", .string(next))) }
        if !peer.version.hasHandshake { members += [("ttlMs", .number(5_000)), ("cacheScope", .string("public"))] }
        return peer.result(members)
    }

    // MARK: Versions

    /// Returns the client of a request that carries its version; `nil` if the request carries none.
    func statelessPeer(_ params: JSONView?, principal: Principal?) throws(RPCError) -> MCPPeer? {
        guard let meta = params?["_meta"], let wanted = meta["io.modelcontextprotocol/protocolVersion"] else {
            return nil
        }
        guard let name = wanted.string, name.utf8.count <= 64 else {
            throw RPCError(.invalidParams, "'io.modelcontextprotocol/protocolVersion' is a text")
        }
        guard MCPVersion(rawValue: name) == .july2026 else {
            let supported = MCPVersion.allCases.map { JSON.string($0.rawValue) }
            throw RPCError(
                .unsupportedVersion, "version \(name.printable) is not spoken here in this way",
                data: .object(["supported": .array(supported), "requested": .string(name)]))
        }
        guard let capabilities = meta["io.modelcontextprotocol/clientCapabilities"], capabilities.kind == .object else {
            throw RPCError(.invalidParams, "'_meta' needs 'io.modelcontextprotocol/clientCapabilities', an object")
        }
        var peer = MCPPeer(.july2026, principal: principal)
        peer.serverInfo = serverInfo
        peer.apply(capabilities: capabilities)
        return peer
    }
}
