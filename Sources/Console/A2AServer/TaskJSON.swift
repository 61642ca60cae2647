import AgentConversation
import Conversation
import IntentModel
import PersonGateway

/// A request as a task of the protocol: the request is the task, its session the context.
struct TaskJSON: Sendable {
    let call: AgentCall
    let standing: RequestStanding
    let settings: AgentSettings

    enum State: String {
        case submitted = "TASK_STATE_SUBMITTED"
        case working = "TASK_STATE_WORKING"
        case completed = "TASK_STATE_COMPLETED"
        case failed = "TASK_STATE_FAILED"
        case cancelled = "TASK_STATE_CANCELED"
        case inputRequired = "TASK_STATE_INPUT_REQUIRED"
        case rejected = "TASK_STATE_REJECTED"
        case authRequired = "TASK_STATE_AUTH_REQUIRED"
    }

    private var step: AgentStep? { AgentStep(standing, session: call.session, settings: settings) }

    var state: State {
        switch standing.state {
        case .unknown: return .submitted
        case .ended(let completion):
            switch completion.view["status"]?.string {
            case "success", "deferredToApp": return .completed
            case "cancelled": return .cancelled
            case "unsupported": return .rejected
            default: return .failed
            }
        case .rejected: return .rejected
        case .handedOff(_, isClaimed: true), .working: return .working
        case .handedOff: return .inputRequired
        case .asking:
            guard let question = standing.question else { return .working }
            return question.prompt.view["kind"]?.string == "signIn" ? .authRequired : .inputRequired
        }
    }

    private var result: AgentResult? {
        switch standing.state {
        case .ended(let completion): AgentResult(completion: completion, session: call.session)
        case .rejected(let rejection): AgentResult(rejection: rejection, session: call.session)
        default: nil
        }
    }

    // MARK: Parts

    private static func text(_ text: String) -> JSON { .object(["text": .string(text), "mediaType": .string("text/plain")]) }
    private static func data(_ data: JSON) -> JSON { .object(["data": data, "mediaType": .string("application/json")]) }
    private static func page(_ url: String) -> JSON { .object(["url": .string(url), "mediaType": .string("text/html")]) }

    private var parts: [JSON] {
        if let result { return [Self.text(result.text)] }
        switch step {
        case .form(let form, let question, let isAgreement):
            let asked = JSON.make { writer in
                writer.beginObject()
                writer.member("prompt", question.id)
                writer.member("kind", ifPresent: question.prompt.view["kind"]?.json)
                writer.member("parameter", ifPresent: question.prompt.view["parameter"]?.json)
                writer.member("options", ifPresent: (question.page ?? question.prompt).view["options"]?.json)
                writer.member("requestedSchema", form.schema())
                if isAgreement { writer.member("agreement", true) }
                writer.endObject()
            }
            return [Self.text(form.message), Self.data(asked)]
        case .person(let message, let url, _):
            let how = url == nil ? "\nOnly the person can do this, on a channel of their own, in the session \(call.session)." : ""
            return [Self.text(message + how)] + (url.map { [Self.page($0)] } ?? [])
        case nil:
            let said = standing.progress?.view["dialog"]?.string ?? standing.progress?.view["phase"]?.string
            return said.map { [Self.text($0.shown(500))] } ?? []
        }
    }

    // MARK: Objects

    var status: JSON {
        let parts = parts
        return .make { writer in
            writer.beginObject()
            writer.member("state", state.rawValue)
            if !parts.isEmpty {
                let message = JSON.object([
                    "messageId": .string("\(state.rawValue.lowercased()).\((standing.waitsFor ?? call.request.text).digest)"),
                    "contextId": .string(call.session), "taskId": .string(call.request), "role": .string("ROLE_AGENT"),
                    "parts": .array(parts),
                ])
                writer.member("message", message)
            }
            writer.member("timestamp", (call.followed?.updated ?? call.clock.now()).description)
            writer.endObject()
        }
    }

    /// What came of it; `nil` while it goes on.
    var artifact: JSON? {
        guard let result, case .ended = standing.state else { return nil }
        return .object([
            "artifactId": .string("result"), "name": .string("result"),
            "parts": .array([Self.text(result.text), Self.data(result.structured)]),
        ])
    }

    func json(artifacts: Bool = true) -> JSON {
        .make { writer in
            writer.beginObject()
            writer.member("id", call.request)
            writer.member("contextId", call.session)
            writer.member("status", status)
            if artifacts, let artifact { writer.member("artifacts", .array([artifact])) }
            if let intent = call.followed?.requests.last(where: { $0.id == call.request })?.intent {
                writer.member("metadata", .object(["intent": .string(intent)]))
            }
            writer.endObject()
        }
    }

    /// What a stream tells after the task itself.
    var updates: [JSON] {
        let ids: KeyValuePairs<String, JSON> = ["taskId": .string(call.request), "contextId": .string(call.session)]
        func event(_ members: [(String, JSON)]) -> JSON {
            .make { writer in
                writer.beginObject()
                for (name, value) in ids { writer.member(named: name, value) }
                for (name, value) in members { writer.member(named: name, value) }
                writer.endObject()
            }
        }
        let end = artifact.map { [JSON.object(["artifactUpdate": event([("artifact", $0), ("lastChunk", .bool(true))])])] } ?? []
        return end + [.object(["statusUpdate": event([("status", status)])])]
    }
}
