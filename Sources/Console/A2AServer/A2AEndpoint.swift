package import AgentConversation
import Conversation
import IntentEvents
package import IntentModel
package import PersonGateway

/// The Agent2Agent protocol, version 1, on a ``Gateway``: each intent of the live catalogue is a skill, a request is a task, and its session the task's context.
///
/// It keeps nothing between requests. For routes under one path, such as `/a2a`, and `GET /.well-known/agent-card.json`:
///
/// ```swift
/// let reply = await endpoint.respond(
///     method: "POST", path: ["message:send"], query: [:], body: body, header: { request.headers[HTTPField.Name($0)!] }, principal: caller)
/// switch reply {
/// case .json(let json, let status): …       // application/json
/// case .events(let events): …               // text/event-stream: each value is one `data:` line
/// }
/// ```
///
/// A `POST` to the path itself is JSON-RPC; the others are HTTP+JSON.
package final class A2AEndpoint: Sendable {
    let gateway: Gateway
    let clock: AgentClock
    let settings: AgentSettings
    let card: AgentCard

    package init(_ gateway: Gateway, clock: AgentClock, settings: AgentSettings, card: AgentCard) {
        self.gateway = gateway
        self.clock = clock
        self.settings = settings
        self.card = card
    }

    /// What `/.well-known/agent-card.json` has.
    package var cardJSON: JSON { card.json(view(for: nil).catalogue) }

    func view(for principal: Principal?) -> GatewayView { gateway.view(for: .agent(of: principal)) }

    enum Outcome: Sendable {
        case one(JSON)
        case many(AsyncStream<JSON>)
    }

    static let limits = JSONLimits(maximumBytes: 128 << 10, maximumDepth: 32, maximumKeys: 2_000)

    /// How long a request waits for a task that goes on.
    private var patience: Duration { min(settings.lifetime, .seconds(600)) }

    /// Carries out an operation, whatever binding it came by.
    func perform(_ operation: String, _ params: JSONView?, _ principal: Principal?) async throws(A2AError) -> Outcome {
        do {
            switch operation {
            case "SendMessage":
                let call = try await send(params, principal)
                if params?["configuration"]?["returnImmediately"]?.bool != true { _ = await call.wait(patience) }
                return .one(.object(["task": task(call).json()]))
            case "SendStreamingMessage": return .many(stream(try await send(params, principal)))
            case "GetTask": return .one(task(try existing(params?["id"]?.identifier, principal)).json())
            case "ListTasks": return .one(try list(params, principal))
            case "CancelTask":
                let call = try existing(params?["id"]?.identifier, principal)
                guard !call.standing.isOver else { throw A2AError(.taskNotCancelable, "the task has ended already") }
                try await call.cancel()
                let standing = await call.wait(.seconds(5), past: call.standing.waitsFor)
                if !standing.isOver, let why = call.refusedCancel {
                    throw A2AError(.taskNotCancelable, "the task goes on: \(why.shown(500))")
                }
                return .one(task(call).json())
            case "SubscribeToTask":
                let call = try existing(params?["id"]?.identifier, principal)
                guard !call.standing.isOver else { throw A2AError(.unsupportedOperation, "the task has ended already: use GetTask") }
                return .many(stream(call))
            case "GetExtendedAgentCard": throw A2AError(.noExtendedCard, "there is no extended agent card")
            case "CreateTaskPushNotificationConfig", "GetTaskPushNotificationConfig", "ListTaskPushNotificationConfigs",
                "DeleteTaskPushNotificationConfig":
                throw A2AError(.pushNotSupported, "push notifications are not supported: use SubscribeToTask")
            default: throw A2AError(.methodNotFound, "there is no operation '\(operation.printable.shown(100))'")
            }
        } catch let error as A2AError {
            throw error
        } catch let problem as AgentProblem {
            throw A2AError(.invalidParams, problem.message)
        } catch let problem as GatewayProblem {
            throw A2AError(problem)
        } catch {
            throw A2AError(.internal, "it did not work: try again")
        }
    }

    func task(_ call: AgentCall) -> TaskJSON { TaskJSON(call: call, standing: call.standing, settings: settings) }

    func call(_ session: Identifier, _ request: Identifier, _ principal: Principal?) -> AgentCall {
        AgentCall(
            gateway, clock: clock, agreement: settings.agreement, session: session, request: request, principal: principal, trace: nil)
    }

    // MARK: Messages

    private func send(_ params: JSONView?, _ principal: Principal?) async throws -> AgentCall {
        let message = try MessageParts(params)
        if let id = message.task {
            let call = try existing(id, principal)
            guard message.context == nil || message.context == call.session else {
                throw A2AError(.invalidParams, "'contextId' is not that of the task")
            }
            try await answer(message, call)
            return call
        }
        guard let data = message.data, let intent = data["intent"]?.identifier else {
            throw A2AError(
                .invalidParams,
                "a new task needs a data part {\"intent\": …, \"parameters\": {…}}: the skills of the agent card are the intents")
        }
        if let context = message.context {
            guard 1...100 ~= context.utf8.count, !context.hasPrefix("$"), !context.text.hasControlCharacters else {
                throw A2AError(.invalidParams, "'contextId' has 1 to 100 bytes, and does not begin with '$'")
            }
            let view = view(for: principal)
            if view.isOfAnother(context) || view.session(context).map({ $0.person != principal }) == true { throw A2AError.taskNotFound }
        }
        // The same message again is the same request, also if its reply was lost, and with it the context. What it says counts beside its id: some agents number their messages from 1 each time.
        let session = message.context ?? SessionName.derived("agent-", from: "\(message.id)\n\(data.json.digest)", of: principal)
        let request: Identifier = "\(session).\("\(session)/\(message.id)".digest)"
        let call = self.call(session, request, principal)
        try SecretParameters.refuse(data["parameters"], of: intent, in: view(for: principal).catalogue)
        try await call.start(intent, parameters: data["parameters"]?.json ?? .object([:]))
        return call
    }

    private func answer(_ message: MessageParts, _ call: AgentCall) async throws {
        let standing = call.standing
        guard !standing.isOver else { throw A2AError(.unsupportedOperation, "the task has ended: start another one in its context") }
        switch AgentStep(standing, session: call.session, settings: settings) {
        case .form(let form, let question, _):
            let intent = question.prompt.view["intent"]?.identifier
            try SecretParameters.refuse(message.data?["parameters"], of: intent, in: view(for: call.principal).catalogue)
            try await call.answer(question.id, try message.answer(to: form, question))
        case .person(let text, let url, _):
            let action = message.data?["action"]?.string
            guard action == "decline" || action == "cancel" else {
                throw A2AError(
                    .unsupportedOperation, "only the person can do that\(url.map { ", at \($0)" } ?? ""): \(text.shown(500))")
            }
            if let question = standing.question {
                try await call.answer(question.id, .object(["action": .string(action ?? "")]))
            } else {
                try await call.cancel()
            }
        case nil: throw A2AError(.unsupportedOperation, "the task goes on: it asks for nothing at present")
        }
    }

    // MARK: Tasks

    /// The request of a task's id: the session is in it.
    private func existing(_ id: Identifier?, _ principal: Principal?) throws(A2AError) -> AgentCall {
        guard let id else { throw A2AError(.invalidParams, "the id of the task is missing") }
        // Of the bytes: a mark after the full stop would be one character with it.
        guard let dot = id.utf8.lastIndex(of: UInt8(ascii: ".")),
            let session = view(for: principal).session(Identifier(String(id.text[..<dot]))), session.person == principal,
            session.requests.contains(where: { $0.id == id })
        else { throw A2AError.taskNotFound }
        return call(session.id, id, principal)
    }

    /// The task, and then what happens to it, until it has ended or waits for someone.
    private func stream(_ call: AgentCall) -> AsyncStream<JSON> {
        let (stream, events) = AsyncStream.makeStream(of: JSON.self, bufferingPolicy: .bufferingOldest(1_000))
        let first = task(call)
        events.yield(.object(["task": first.json()]))
        let work = Task { [settings, patience] in
            if !first.standing.isOver, first.standing.waitsFor == nil {
                let standing = await call.wait(patience) { data in
                    guard data != nil else { return }
                    for update in TaskJSON(call: call, standing: call.standing, settings: settings).updates { events.yield(update) }
                }
                for update in TaskJSON(call: call, standing: standing, settings: settings).updates { events.yield(update) }
            }
            events.finish()
        }
        events.onTermination = { if case .cancelled = $0 { work.cancel() } }
        return stream
    }
}
