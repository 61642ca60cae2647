import Conversation
package import IntentModel
import Synchronization

/// A client on a connection of its own, such as stdio. The client may use a version with a handshake or a stateless
/// version.
package final class MCPConnection: Sendable {
    private struct State {
        /// The client, as `initialize` has described it.
        var peer: MCPPeer?
        var calls: [JSON: Task<Void, Never>] = [:]
        /// The requests to the client that wait for its response.
        var questions: [Int: CheckedContinuation<JSON, any Error>] = [:]
        var lastQuestion = 0
        /// The times at which sessions were opened in the last hour.
        var opened: [Instant] = []
        var watcher: Task<Void, Never>?
        var isInitialized = false
        var isClosed = false
    }

    private let endpoint: MCPEndpoint
    private let principal: Principal?
    private let send: @Sendable (JSON) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - principal: The principal for whom the client acts.
    ///   - send: Sends a message to the client. Called from any thread.
    package init(_ endpoint: MCPEndpoint, principal: Principal?, send: @escaping @Sendable (JSON) -> Void) {
        self.endpoint = endpoint
        self.principal = principal
        self.send = send
    }

    /// Ends the questions to the client and the notifications. Requests to the pipeline continue, because they are in
    /// Kafka.
    package func close() {
        let (questions, watcher) = state.withLock { state in
            state.isClosed = true
            defer { state.questions = [:] }
            return (Array(state.questions.values), state.watcher)
        }
        watcher?.cancel()
        for question in questions { question.resume(throwing: CancellationError()) }
    }

    /// Receives a message of the client. The function does not wait for the result of the message.
    package func receive(_ bytes: [UInt8]) {
        let message: RPCMessage
        do { message = try RPCMessage(parsing: bytes) } catch { return send(RPCMessage.error(nil, error)) }
        switch message {
        case .request(let id, let method, let params): begin(id, method, params)
        case .notification(let method, let params): handleNotification(method, params)
        case .response(let id, let result):
            let waiting = state.withLock { state in id.view.int.flatMap { state.questions.removeValue(forKey: $0) } }
            if let result {
                waiting?.resume(returning: result)
            } else {
                waiting?.resume(throwing: AgentProblem("the client could not ask its user"))
            }
        }
    }

    private func handleNotification(_ method: String, _ params: JSONView?) {
        switch method {
        case "notifications/initialized":
            let isNew = state.withLock { state in
                defer { state.isInitialized = state.peer != nil }
                return state.peer != nil && !state.isInitialized
            }
            if isNew { watch() }
        case "notifications/cancelled":
            guard let id = params?["requestId"]?.json else { return }
            state.withLock { $0.calls[id] }?.cancel()
        default: break
        }
    }

    // MARK: Requests

    private func begin(_ id: JSON, _ method: String, _ params: JSONView?) {
        do throws(RPCError) {
            let peer = try peer(for: method, params, id)
            guard let peer else { return }
            let problem: RPCError? = state.withLock { state in
                if state.isClosed { return RPCError(.internalError, "the server ends") }
                if state.calls[id] != nil {
                    return RPCError(.invalidRequest, "the id is that of a request that goes on")
                }
                if state.calls.count >= endpoint.settings.maximumCalls {
                    return RPCError(
                        .internalError,
                        "more than \(endpoint.settings.maximumCalls) requests at once: wait for one to end")
                }
                state.calls[id] = Task { await self.run(id, method, params, peer) }
                return nil
            }
            if let problem { throw problem }
        } catch { send(RPCMessage.error(id, error)) }
    }

    private func run(_ id: JSON, _ method: String, _ params: JSONView?, _ peer: MCPPeer) async {
        let reply: JSON
        do throws(RPCError) {
            reply =
                method == "subscriptions/listen" && !peer.version.hasHandshake
                ? try await listen(id, params, peer)
                : RPCMessage.result(id, try await endpoint.result(of: method, params, peer))
        } catch { reply = RPCMessage.error(id, error) }
        state.withLock { $0.calls[id] = nil }
        // The client expects no response to a cancelled request.
        if !Task.isCancelled { send(reply) }
    }

    /// - Returns: `nil` if the request was answered already.
    private func peer(for method: String, _ params: JSONView?, _ id: JSON) throws(RPCError) -> MCPPeer? {
        if var peer = try endpoint.statelessPeer(params, principal: principal) {
            attach(&peer)
            return peer
        }
        if method == "initialize" {
            let (result, version) = endpoint.handshake(params, hasChannel: true)
            var peer = MCPPeer(version, principal: principal)
            peer.apply(capabilities: params?["capabilities"])
            attach(&peer)
            peer.elicit = { [weak self] in
                guard let self else { throw CancellationError() }
                return try await self.ask($0)
            }
            let isFirst = state.withLock { [peer] state in
                defer { if state.peer == nil { state.peer = peer } }
                return state.peer == nil
            }
            guard isFirst else { throw RPCError(.invalidRequest, "the connection is initialized already") }
            send(RPCMessage.result(id, result))
            return nil
        }
        if let peer = state.withLock(\.peer) { return peer }
        if method == "ping" { return MCPPeer(.november2025, principal: principal) }
        throw RPCError(
            .invalidParams,
            "'_meta' needs 'io.modelcontextprotocol/protocolVersion' and 'io.modelcontextprotocol/clientCapabilities', or 'initialize' has to come first"
        )
    }

    private func attach(_ peer: inout MCPPeer) {
        peer.hasChannel = true
        peer.notify = send
        // On a connection, only `notifications/cancelled` cancels calls.
        peer.hasCancelled = { true }
        peer.admitSession = { [weak self] () throws(RPCError) in try self?.admitSession() }
    }

    private func admitSession() throws(RPCError) {
        let now = endpoint.clock.now()
        let maximum = endpoint.settings.maximumSessions
        let isFull = state.withLock { state in
            state.opened.removeAll { $0.duration(to: now) > .seconds(3_600) }
            if state.opened.count >= maximum { return true }
            state.opened.append(now)
            return false
        }
        if isFull { throw RPCError(.internalError, "more than \(maximum) sessions in an hour: continue one, or wait") }
    }

    /// Asks the user of the client and waits for the response.
    private func ask(_ params: JSON) async throws -> JSON {
        let number = state.withLock { state in
            state.lastQuestion += 1
            return state.lastQuestion
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.isClosed || Task.isCancelled { return true }
                    state.questions[number] = continuation
                    return false
                }
                if isOver { return continuation.resume(throwing: CancellationError()) }
                send(RPCMessage.request(.number(number), "elicitation/create", params))
            }
        } onCancel: {
            guard let waiting = state.withLock({ $0.questions.removeValue(forKey: number) }) else { return }
            send(RPCMessage.notification("notifications/cancelled", .object(["requestId": .number(number)])))
            waiting.resume(throwing: CancellationError())
        }
    }

    // MARK: Changes of the catalogue

    private func watch() {
        let task = Task { [endpoint, send, principal] in
            await endpoint.eachChange(for: .agent(of: principal)) {
                send(RPCMessage.notification("notifications/tools/list_changed", nil))
            }
        }
        state.withLock { $0.watcher = task }
    }

    /// Sends notifications of changes until the request is cancelled.
    private func listen(_ id: JSON, _ params: JSONView?, _ peer: MCPPeer) async throws(RPCError) -> JSON {
        await endpoint.listen(id, params, peer, send)
        return RPCMessage.result(
            id, .object(["resultType": .string("complete"), "_meta": MCPEndpoint.subscription(id)]))
    }
}
