import Conversation
import IntentModel
import PersonGateway
import Synchronization

/// The client of a request: what it can do, and how it is reached while the request goes on.
struct MCPPeer: Sendable {
    /// Sends a request to the client and waits for its result. Only with ``MCPVersion/hasHandshake``.
    typealias Elicit = @Sendable (_ params: JSON) async throws -> JSON

    var version: MCPVersion
    var principal: Principal?
    /// What results say of the server.
    var serverInfo = JSON.object([:])
    /// Whether the host can show forms, open pages, and follow tasks.
    var hasForms = false
    var hasPages = false
    var hasTasks = false
    /// Whether messages can be sent at any time, and not only while a request goes on.
    var hasChannel = false
    var notify: @Sendable (JSON) -> Void = { _ in }
    var elicit: Elicit?
    /// Whether the client has cancelled the request of a call whose task was cancelled. A lost connection and a process that ends cancel no request.
    var hasCancelled: @Sendable () -> Bool = { false }
    /// Called with each session that is opened.
    var opened: @Sendable () throws(RPCError) -> Void = {}

    static let tasks = "io.modelcontextprotocol/tasks"

    init(_ version: MCPVersion, principal: Principal?) {
        self.version = version
        self.principal = principal
    }

    mutating func take(capabilities: JSONView?) {
        if let elicitation = capabilities?["elicitation"], elicitation.kind == .object {
            hasPages = elicitation["url"] != nil && version != .june2025
            hasForms = elicitation["form"] != nil || !hasPages
        }
        hasTasks = version == .july2026 && capabilities?["extensions"]?[Self.tasks]?.kind == .object
    }

    /// What the client sees of sessions.
    var viewer: Viewer { .agent(of: principal) }

    var dialect: FormField.Dialect { version == .june2025 ? .named : .titled }

    /// A result of this version.
    func result(_ members: [(String, JSON)], type: String = "complete") -> JSON {
        .make { writer in
            writer.beginObject()
            if !version.hasHandshake { writer.member("resultType", type) }
            for (name, value) in members { writer.member(named: name, value) }
            if !version.hasHandshake, !members.contains(where: { $0.0 == "_meta" }) {
                writer.member("_meta", .object(["io.modelcontextprotocol/serverInfo": serverInfo]))
            }
            writer.endObject()
        }
    }
}

/// Tells how far a request is, if the client has asked for that. The value only grows, as the protocol demands.
final class MCPProgress: Sendable {
    private let token: JSON
    private let notify: @Sendable (JSON) -> Void
    private let last = Mutex(0.0)

    /// - Returns: `nil` if the client has not asked for it.
    init?(_ meta: JSONView?, _ peer: MCPPeer) {
        guard let token = meta?["progressToken"], token.string != nil || token.int != nil, token.json.bytes.count <= 256 else { return nil }
        self.token = token.json
        notify = peer.notify
    }

    /// - Parameter data: that of `intent.progressed.v1`; `nil` to show that someone is still waiting.
    func tell(_ data: JSON?) {
        let fraction = data?.view["fraction"]?.double
        let value = last.withLock { last in
            last = max(last + (100 - last) / 20, min(100, (fraction ?? 0) * 100))
            return last
        }
        let message = data?.view["dialog"]?.string ?? data?.view["phase"]?.string ?? "Waiting"
        notify(
            RPCMessage.notification(
                "notifications/progress",
                .object([
                    "progressToken": token, "progress": .number(value), "total": .number(100), "message": .string(message.shown(500)),
                ])))
    }
}
