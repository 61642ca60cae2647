package import IntentModel
import ServiceLifecycle

// The transport Streamable HTTP, without HTTP: one message in, one reply out, and nothing kept.
extension MCPEndpoint {
    /// Answers a message of `POST /mcp`.
    ///
    /// Who calls this has checked `Origin` and `Host`, and who the caller is. The earlier versions of the protocol are served without what needs memory of a client: hosts that
    /// speak them are asked nothing, and use `intent_reply` and `intent_status`.
    ///
    /// - Parameters:
    ///   - body: the body, as it came.
    ///   - header: the value of a header by its name in lower case.
    ///   - principal: the caller; `nil` if it is not authenticated.
    package func respond(to body: [UInt8], header: (String) -> String?, principal: Principal?) async -> MCPReply {
        var id: JSON?
        do throws(RPCError) {
            guard case .request(let number, let method, let params) = try RPCMessage(parsing: body) else { return .accepted }
            id = number
            if method == MCPMethod.initialize.rawValue {
                return .json(RPCMessage.result(number, handshake(params, hasChannel: false).result), status: 200)
            }
            guard let peer = try peer(method, params, header, principal) else {
                throw RPCError(
                    .invalidParams,
                    "'_meta' needs 'io.modelcontextprotocol/protocolVersion' and 'io.modelcontextprotocol/clientCapabilities'")
            }
            if method == MCPMethod.listen.rawValue, !peer.version.hasHandshake { return .events(changes(number, params, peer)) }
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
        // What the headers say is what others have looked at: it must be what is done.
        let target = method.hasPrefix("tasks/") ? params?["taskId"]?.string : params?["name"]?.string
        let expected = [
            ("mcp-protocol-version", peer.version.rawValue), ("mcp-method", method),
            ("mcp-name", method == "tools/call" || method.hasPrefix("tasks/") ? target : nil),
        ]
        for (name, value) in expected {
            guard let value, header(name) != value else { continue }
            throw RPCError(.headerMismatch, "the header '\(name)' has to say the same as the message: \(value.printable.shown(200))")
        }
        return peer
    }

    /// The reply to a call, after the progress that it makes.
    private func streamed(_ id: JSON, _ method: String, _ params: JSONView?, _ peer: MCPPeer) -> AsyncStream<JSON> {
        let (stream, messages) = AsyncStream.makeStream(of: JSON.self, bufferingPolicy: .bufferingOldest(1_000))
        var peer = peer
        peer.notify = { messages.yield($0) }
        // To leave the stream cancels the request since 2026-07-28. The versions before say that a lost connection must not be taken for that.
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
