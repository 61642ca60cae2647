import Conversation
import IntentModel
import PersonGateway

// The extension for tasks: clients poll long calls.
extension MCPEndpoint {
    private static let taskPurpose = "task"

    /// Turns a call into a task. The request is in Kafka already.
    func created(_ standing: RequestStanding, _ talk: Talk) -> JSON {
        let id = place(talk.call).sealed(with: settings.key, for: talk.peer.principal, purpose: Self.taskPurpose)
        return talk.peer.result(members(id, standing, talk.call, talk.peer), type: "task")
    }

    /// Performs `tasks/get`, `tasks/update` and `tasks/cancel`.
    func task(_ method: String, _ params: JSONView?, _ peer: MCPPeer) async throws(RPCError) -> JSON {
        guard peer.hasTasks else {
            throw RPCError(
                .missingCapability, "the request does not declare the extension \(MCPPeer.tasks)",
                data: .object(["requiredCapabilities": .object(["extensions": .object([MCPPeer.tasks: .object([:])])])])
            )
        }
        guard let id = params?["taskId"]?.string else { throw RPCError(.invalidParams, "'taskId' is a text") }
        let place: AgentPlace
        do {
            place = try AgentPlace(
                unsealing: id, with: settings.key, for: peer.principal, purpose: Self.taskPurpose, at: clock.now())
        } catch { throw RPCError(.invalidParams, "'taskId': \(error)") }
        let call = AgentCall(
            gateway, clock: clock, agreement: settings.agreement, session: place.session, request: place.request,
            principal: peer.principal, trace: nil)
        let standing = call.standing
        guard call.followed?.requests.contains(where: { $0.id == call.request }) == true else {
            throw RPCError(.invalidParams, "the task is not known here any more")
        }
        do {
            switch method {
            case "tasks/cancel":
                if !standing.isOver { try await call.cancel() }
                return peer.result([])
            case "tasks/update":
                guard let responses = params?["inputResponses"], responses.kind == .object else {
                    throw RPCError(.invalidParams, "'inputResponses' is an object")
                }
                if let key = standing.waitsFor, let response = responses[key] {
                    var talk = Talk(call: call, peer: peer, purpose: "")
                    try await apply(response, to: key, &talk)
                    if let complaint = talk.complaint { throw RPCError(.invalidParams, complaint) }
                }
                return peer.result([])
            default: return peer.result(members(id, standing, call, peer))
            }
        } catch let error as RPCError {
            throw error
        } catch let problem as GatewayProblem {
            throw RPCError(problem)
        } catch {
            throw RPCError(.internalError, "it did not work: try again")
        }
    }

    private func members(_ id: String, _ standing: RequestStanding, _ call: AgentCall, _ peer: MCPPeer) -> [(
        String, JSON
    )] {
        let session = call.followed
        let started = session?.requests.first { $0.id == call.request }?.started ?? clock.now()
        var status = "working"
        var message = standing.progress?.view["dialog"]?.string
        var more: [(String, JSON)] = []
        switch standing.state {
        case .ended(let completion):
            status = completion.view["status"]?.string == "cancelled" ? "cancelled" : "completed"
            let result = AgentResult(completion: completion, session: call.session)
            message = result.text
            if status == "completed" {
                more = [("result", Self.toolResult(result.text, result.structured, isError: result.isError, peer))]
            }
        case .rejected(let rejection):
            status = "completed"
            let result = AgentResult(rejection: rejection, session: call.session)
            more = [("result", Self.toolResult(result.text, result.structured, isError: true, peer))]
        default:
            guard let step = AgentStep(standing, session: call.session, settings: settings), let key = standing.waitsFor
            else { break }
            var params: JSON?
            switch step {
            case .form(let form, _, _):
                message = form.message
                if peer.hasForms { params = Elicitation.form(form, peer) }
            case .person(let text, let url, _):
                message = "\(text)\n\(personSteps(call))"
                if let url, peer.hasPages { params = Elicitation.page(url, text, key: key, peer) }
            }
            if let params {
                status = "input_required"
                more = [
                    (
                        "inputRequests",
                        .object([key: .object(["method": .string("elicitation/create"), "params": params])])
                    )
                ]
            }
        }
        let lifetime = Int(settings.lifetime / .milliseconds(1))
        let fixed: [(String, JSON)] = [
            ("taskId", .string(id)), ("status", .string(status)), ("createdAt", .string(started.description)),
            ("lastUpdatedAt", .string((session?.updated ?? started).description)), ("ttlMs", .number(lifetime)),
            ("pollIntervalMs", .number(1_000)),
        ]
        return fixed + (message.map { [("statusMessage", .string($0.shown(1_000)))] } ?? []) + more
    }
}
