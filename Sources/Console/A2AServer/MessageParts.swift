import AgentConversation
import IntentModel

/// What a message of another agent says.
struct MessageParts {
    var id: String
    var context: Identifier?
    var task: Identifier?
    /// The first part with data, and all text.
    var data: JSONView?
    var text: String?

    /// - Throws: ``A2AError`` that says what a message has to be.
    init(_ params: JSONView?) throws(A2AError) {
        guard let message = params?["message"], message.kind == .object else { throw A2AError(.invalidParams, "'message' is an object") }
        guard let id = message["messageId"]?.string, 1...128 ~= id.utf8.count else {
            throw A2AError(.invalidParams, "'messageId' is a text of 1 to 128 bytes")
        }
        guard message["role"]?.string == "ROLE_USER" else { throw A2AError(.invalidParams, "'role' is ROLE_USER") }
        let parts = message["parts"]?.elements ?? []
        guard 1...16 ~= parts.count else { throw A2AError(.invalidParams, "'parts' has 1 to 16 parts") }
        guard parts.allSatisfy({ $0["text"]?.string != nil || $0["data"]?.kind == .object }) else {
            throw A2AError(.contentNotSupported, "a part has a 'text', or 'data' that is an object")
        }
        self.id = id
        context = message["contextId"]?.identifier.flatMap { $0.isEmpty ? nil : $0 }
        task = message["taskId"]?.identifier.flatMap { $0.isEmpty ? nil : $0 }
        data = parts.lazy.compactMap { $0["data"] }.first
        let texts = parts.compactMap { $0["text"]?.string }.joined(separator: "\n")
        text = texts.isEmpty ? nil : texts
    }

    /// The answer to a question.
    ///
    /// - Throws: ``A2AError`` if it says nothing that answers it. Words alone agree to nothing.
    func answer(to form: PromptForm, _ question: RequestStanding.Question) throws(A2AError) -> JSON {
        let kind = question.prompt.view["kind"]?.string
        if let data {
            guard let action = data["action"] == nil ? "accept" : data["action"]?.string,
                ["accept", "decline", "cancel"].contains(action)
            else { throw A2AError(.invalidParams, "'action' is accept, decline or cancel") }
            if action == "accept", data["action"] == nil, kind == "confirmIntent" || kind == "confirmValue" {
                throw A2AError(.invalidParams, "a confirmation needs a data part with 'action': accept or decline")
            }
            return .make { writer in
                writer.beginObject()
                writer.member("action", action)
                for name in ["value", "option", "parameters"] {
                    if let value = data[name] { writer.member(named: name, value.json) }
                }
                writer.endObject()
            }
        }
        guard let text, kind == "value" || kind == "choice" else {
            throw A2AError(.invalidParams, "a confirmation needs a data part with 'action': accept or decline")
        }
        let options = (question.page ?? question.prompt).view["options"]?.elements ?? []
        let chosen = options.first { $0["id"]?.string == text || $0["title"]?.string?.lowercased() == text.lowercased() }?["id"]
        return .make { writer in
            writer.beginObject()
            writer.member("action", "accept")
            if let chosen { writer.member("option", chosen.json) } else { writer.member("value", text) }
            writer.endObject()
        }
    }
}
