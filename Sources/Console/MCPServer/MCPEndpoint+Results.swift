import Conversation
import IntentModel

// The results of calls.
extension MCPEndpoint {
    func place(_ call: AgentCall, asked: String? = nil) -> AgentPlace {
        AgentPlace(
            session: call.session, request: call.request, asked: asked,
            expires: clock.now().advanced(by: settings.lifetime))
    }

    func handle(_ call: AgentCall, asked: String?, for peer: MCPPeer) -> String {
        place(call, asked: asked).sealed(with: settings.key, for: peer.principal, purpose: Self.handlePurpose)
    }

    /// Makes a result of a tool: the text, and the JSON, which is also included as text for clients that only read
    /// text.
    static func toolResult(_ text: String, _ structured: JSON, isError: Bool, _ peer: MCPPeer) -> JSON {
        func block(_ text: String) -> JSON { .object(["type": .string("text"), "text": .string(text)]) }
        return peer.result([
            ("content", .array([block(text), block(structured.description)])), ("structuredContent", structured),
            ("isError", .bool(isError)),
        ])
    }

    static func failure(_ message: String, _ peer: MCPPeer) -> JSON {
        toolResult(message, .object(["status": .string("rejected"), "message": .string(message)]), isError: true, peer)
    }

    func finished(_ result: AgentResult, _ talk: Talk) -> JSON {
        Self.toolResult(result.text, result.structured, isError: result.isError, talk.peer)
    }

    /// Asks the client for its user's input. The client repeats the call with the input.
    func inputRequired(_ key: String, _ params: JSON, _ talk: Talk) -> JSON {
        let request = JSON.object(["method": .string("elicitation/create"), "params": params])
        return talk.peer.result(
            [("inputRequests", .object([key: request])), ("requestState", .string(state(key, talk)))],
            type: "input_required")
    }

    private func state(_ asked: String?, _ talk: Talk) -> String {
        place(talk.call, asked: asked).sealed(with: settings.key, for: talk.peer.principal, purpose: talk.purpose)
    }

    /// Returns that the request is in progress or still waits for the person.
    func unfinished(_ standing: RequestStanding, _ talk: Talk) -> JSON {
        if talk.peer.hasTasks { return created(standing, talk) }
        if !talk.peer.version.hasHandshake {
            // The client repeats the call without changes.
            return talk.peer.result(
                [("requestState", .string(state(talk.known.map { "~\($0)" }, talk)))], type: "input_required")
        }
        if let step = AgentStep(standing, session: talk.call.session, settings: settings) {
            return fallback(step, talk)
        }
        let said = standing.progress?.view["dialog"]?.string?.shown(500)
        return working("\(said ?? "It goes on.") Call \(ToolList.status) with the handle to wait for it.", talk)
    }

    /// Returns that the request may or may not have arrived. The client continues with the same request: another call
    /// would be another request, and both might be performed.
    func undecided(_ talk: Talk) -> JSON {
        if !talk.peer.version.hasHandshake {
            return talk.peer.result([("requestState", .string(state(nil, talk)))], type: "input_required")
        }
        return working(
            "Kafka has not acknowledged the request in time, and it may still arrive. Don't call the tool again: it could be done twice. Call \(ToolList.status) with the handle to see how it goes.",
            talk)
    }

    private func working(_ text: String, _ talk: Talk) -> JSON {
        Self.toolResult(
            text,
            .object([
                "status": .string("working"), "handle": .string(handle(talk.call, asked: nil, for: talk.peer)),
                "message": .string(text),
                "session": .string(talk.call.session),
            ]), isError: false, talk.peer)
    }

    /// Returns instructions for the model or the person, for hosts that can't ask their user.
    func fallback(_ step: AgentStep, _ talk: Talk) -> JSON {
        let text: String
        var schema: JSON?
        var page: String?
        var asked: String?
        switch step {
        case .form(let form, let question, false):
            asked = question.key
            schema = form.schema()
            text =
                "\(form.message)\nAsk the person, and then call \(ToolList.reply) with the handle and the values that requestedSchema names."
        case .form(let form, let question, true):
            asked = question.key
            page = settings.page(of: talk.call.session)
            // The schema has the options, so that the model can tell the person about them.
            if !form.fields.isEmpty { schema = form.schema() }
            text =
                "\(form.message)\n\(personSteps(talk.call)) Then call \(ToolList.status) with the handle. \(ToolList.reply) can decline."
        case .person(let message, let url, let key):
            asked = talk.call.standing.question == nil ? nil : key
            page = url
            let how = url.map { "Only the person can do this, at \($0)" } ?? personSteps(talk.call)
            text = "\(message)\n\(how) Then call \(ToolList.status) with the handle."
        }
        return Self.toolResult(
            text,
            .make { writer in
                writer.beginObject()
                writer.member("status", "input_required")
                writer.member("handle", handle(talk.call, asked: asked, for: talk.peer))
                writer.member("message", text)
                writer.member("requestedSchema", ifPresent: schema)
                writer.member("url", ifPresent: page)
                writer.member("session", talk.call.session)
                writer.endObject()
            }, isError: false, talk.peer)
    }

    /// Returns instructions for an action that only the person can take.
    func personSteps(_ call: AgentCall) -> String {
        if let page = settings.page(of: call.session) { return "The person has to do it themselves, at \(page)" }
        return "The person has to do it themselves, on a channel of their own, in the session \(call.session)."
    }
}
