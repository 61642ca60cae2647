import IntentModel
import PersonGateway
import Synchronization

// Notifications of changes of the catalogue.
extension MCPEndpoint {
    /// The interval between two checks of the catalogue.
    private static let interval = Duration.seconds(2)

    /// Calls `told` at each change of the tools until the task is cancelled.
    func eachChange(for viewer: Viewer, _ told: @Sendable () -> Void) async {
        await untilReady()
        var known = fingerprint(for: viewer)
        while (try? await clock.sleep(Self.interval)) != nil, !Task.isCancelled {
            let now = fingerprint(for: viewer)
            if now != known { told() }
            known = now
        }
    }

    /// Returns the present tools as JSON, to detect changes. The result is made once for each change of the catalogue,
    /// however many clients listen.
    private func fingerprint(for viewer: Viewer) -> [JSON] {
        // The number of changes is read first, so that a change in the meantime is seen the next time.
        let changes = gateway.view(for: viewer).catalogueChanges
        return known.withLock { known in
            if let known, known.changes == changes { return known.fingerprint }
            let fingerprint = tools(for: viewer).fingerprint
            known = (changes, fingerprint)
            return fingerprint
        }
    }

    static func subscription(_ id: JSON) -> JSON { .object(["io.modelcontextprotocol/subscriptionId": id]) }

    /// Performs `subscriptions/listen`: acknowledges the subscription and sends its notifications until the task is
    /// cancelled.
    func listen(_ id: JSON, _ params: JSONView?, _ peer: MCPPeer, _ send: @escaping @Sendable (JSON) -> Void) async {
        let wantsTools = params?["notifications"]?["toolsListChanged"]?.bool == true
        let agreed: JSON = wantsTools ? .object(["toolsListChanged": .bool(true)]) : .object([:])
        send(
            RPCMessage.notification(
                "notifications/subscriptions/acknowledged",
                .object(["_meta": Self.subscription(id), "notifications": agreed])))
        await eachChange(for: peer.viewer) {
            guard wantsTools else { return }
            send(RPCMessage.notification("notifications/tools/list_changed", .object(["_meta": Self.subscription(id)])))
        }
    }
}
