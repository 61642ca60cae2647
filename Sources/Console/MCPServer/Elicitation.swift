import IntentModel

/// Writes questions to the user of a client, and reads the responses.
enum Elicitation {
    /// Returns the parameters of `elicitation/create` with a form.
    static func form(_ form: PromptForm, _ peer: MCPPeer, complaint: String? = nil) -> JSON {
        .make { writer in
            writer.beginObject()
            if peer.version != .june2025 { writer.member("mode", "form") }
            writer.member("message", complaint.map { "Not accepted: \($0)\n\(form.message)" } ?? form.message)
            writer.member("requestedSchema", form.schema(peer.dialect))
            writer.endObject()
        }
    }

    /// Returns the parameters of `elicitation/create` with a page to open.
    static func page(_ url: String, _ message: String, key: String, _ peer: MCPPeer) -> JSON {
        .make { writer in
            writer.beginObject()
            writer.member("mode", "url")
            writer.member("message", message)
            writer.member("url", url)
            if peer.version.hasHandshake { writer.member("elicitationId", key) }
            writer.endObject()
        }
    }

    enum Action: String { case accept, decline, cancel }

    static func action(of response: JSONView) throws(RPCError) -> Action {
        guard let action = response["action"]?.string.flatMap(Action.init) else {
            throw RPCError(.invalidParams, "the 'action' of an elicitation's result is accept, decline or cancel")
        }
        return action
    }
}
