package import IntentModel
import ServiceLifecycle

// The transport Streamable HTTP without an HTTP server: one message in, one reply out, and no state.
extension MCPEndpoint {
    /// Answers a message of `POST /mcp`.
    ///
    /// The caller of this function has checked `Origin` and `Host`, and has authenticated the client. Earlier versions
    /// of the protocol are served without the features that need state about a client: their users are asked nothing,
    /// and the models use `intent_reply` and `intent_status`.
    ///
    /// - Parameters:
    ///   - body: The body as received.
    ///   - header: Returns the value of a header by its name in lower case.
    ///   - principal: The principal of the client; `nil` if the client is not authenticated.
    package func respond(to body: [UInt8], header: (String) -> String?, principal: Principal?) async -> MCPReply {
        var id: JSON?
        do throws(RPCError) {
            guard case .request(let number, let method, let params) = try RPCMessage(parsing: body) else {
                return .accepted
            }
            id = number
            if method == MCPMethod.initialize.rawValue {
                return .json(RPCMessage.result(number, handshake(params, hasChannel: false).result), status: 200)
            }
            guard let peer = try peer(method, params, header, principal) else {
                throw RPCError(
                    .invalidParams,
                    "'_meta' needs 'io.modelcontextprotocol/protocolVersion' and 'io.modelcontextprotocol/clientCapabilities'"
                )
            }
            if method == MCPMethod.listen.rawValue, !peer.version.hasHandshake {
                return .events(changes(number, params, peer))
            }
            if method == MCPMethod.callTool.rawValue, header("accept")?.contains("text/event-stream") == true {
                return .events(streamed(number, method, params, peer))
            }
            return .json(RPCMessage.result(number, try await result(of: method, params, peer)), status: 200)
        } catch {
            return .json(RPCMessage.error(id, error), status: error.httpStatus)
        }
    }

    private func peer(
        _ method: String, _ params: JSONView?, _ header: (String) -> String?, _ principal: Principal?
    ) throws(RPCError) -> MCPPeer? {
        guard let peer = try statelessPeer(params, principal: principal) else {
            let version = header("mcp-protocol-version").flatMap(MCPVersion.init)
            return version.flatMap { $0.hasHandshake ? MCPPeer($0, principal: principal) : nil }
        }
        // Intermediaries decide by the headers, so the headers must match the message.
        let target = method.hasPrefix("tasks/") ? params?["taskId"]?.string : params?["name"]?.string
        let expected = [
            ("mcp-protocol-version", peer.version.rawValue), ("mcp-method", method),
            ("mcp-name", method == "tools/call" || method.hasPrefix("tasks/") ? target : nil),
        ]
        for (name, value) in expected {
            guard let value, header(name) != value else { continue }
            throw RPCError(
                .headerMismatch,
                "the header '\(name)' has to say the same as the message: \(value.printable.shown(200))")
        }
        return peer
    }

    /// Streams the progress of a call, then its reply.
    private func streamed(_ id: JSON, _ method: String, _ params: JSONView?, _ peer: MCPPeer) -> AsyncStream<JSON> {
        let (stream, messages) = AsyncStream.makeStream(of: JSON.self, bufferingPolicy: .bufferingOldest(1_000))
        var peer = peer
        peer.notify = { messages.yield($0) }
        // Since 2026-07-28, closing the stream cancels the request. Earlier versions forbid treating a lost connection
        // as a cancellation.
        if !peer.version.hasHandshake { peer.hasCancelled = { !Task.isShuttingDownGracefully } }
        let task = Task { [peer] in
            do throws(RPCError) {
                messages.yield(RPCMessage.result(id, try await self.result(of: method, params, peer)))
            } catch { messages.yield(RPCMessage.error(id, error)) }
            messages.finish()
        }
        messages.onTermination = { if case .cancelled = $0 { task.cancel() } }
        return stream
    }

    private func changes(_ id: JSON, _ params: JSONView?, _ peer: MCPPeer) -> AsyncStream<JSON> {
        let (stream, messages) = AsyncStream.makeStream(of: JSON.self, bufferingPolicy: .bufferingNewest(16))
        let task = Task {
            await self.listen(id, params, peer) { messages.yield($0) }
            messages.finish()
        }
        messages.onTermination = { _ in task.cancel() }
        return stream
    }
}
