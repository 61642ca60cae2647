import Conversation
import IntentModel
import PersonGateway
import Synchronization

/// The client of a request: its capabilities, and how to reach it during the request.
struct MCPPeer: Sendable {
    /// Sends a request to the client and waits for its result. The version must have ``MCPVersion/hasHandshake``.
    typealias Elicit = @Sendable (_ params: JSON) async throws -> JSON

    var version: MCPVersion
    var principal: Principal?
    /// The description of the server in results.
    var serverInfo = JSON.object([:])
    /// The capabilities of the host: to show forms, to open pages, and to follow tasks.
    var hasForms = false
    var hasPages = false
    var hasTasks = false
    /// `true` if messages can be sent at any time, and not only during a request.
    var hasChannel = false
    var notify: @Sendable (JSON) -> Void = { _ in }
    var elicit: Elicit?
    /// Returns `true` if the client has cancelled the request of a call whose task was cancelled. A process that ends
    /// cancels no request, and by default neither does a lost connection.
    var hasCancelled: @Sendable () -> Bool = { false }
    /// Called for each session that is opened.
    var admitSession: @Sendable () throws(RPCError) -> Void = {}

    static let tasks = "io.modelcontextprotocol/tasks"

    init(_ version: MCPVersion, principal: Principal?) {
        self.version = version
        self.principal = principal
    }

    mutating func apply(capabilities: JSONView?) {
        if let elicitation = capabilities?["elicitation"], elicitation.kind == .object {
            hasPages = elicitation["url"] != nil && version != .june2025
            hasForms = elicitation["form"] != nil || !hasPages
        }
        hasTasks = version == .july2026 && capabilities?["extensions"]?[Self.tasks]?.kind == .object
    }

    /// The viewer of the client's sessions.
    var viewer: Viewer { .agent(of: principal) }

    var dialect: FormField.Dialect { version == .june2025 ? .named : .titled }

    /// Returns a result in the format of this version.
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

/// Reports the progress of a request if the client has asked for progress. The value only grows, as the protocol
/// requires.
final class MCPProgress: Sendable {
    private let token: JSON
    private let notify: @Sendable (JSON) -> Void
    private let last = Mutex(0.0)

    /// - Returns: `nil` if the client has not asked for progress.
    init?(_ meta: JSONView?, _ peer: MCPPeer) {
        guard let token = meta?["progressToken"], token.string != nil || token.int != nil, token.json.bytes.count <= 256
        else { return nil }
        self.token = token.json
        notify = peer.notify
    }

    /// - Parameter data: The data of `intent.progressed.v1`; `nil` to show that the call still waits.
    func report(_ data: JSON?) {
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
                    "progressToken": token, "progress": .number(value), "total": .number(100),
                    "message": .string(message.shown(500)),
                ])))
    }
}
