import Conversation
import Foundation
import HTTPTypes
import Hummingbird
import IntentEvents
import IntentModel
import MCPServer
import NIOCore
import PersonGateway

/// The routes by which callers send events to coordinators.
struct SayRoutes: Sendable {
    let gateway: Gateway
    let keys: IdempotencyKeys

    func add(to group: RouterGroup<ConsoleContext>) {
        group.post("requests") { request, context in
            let caller = try context.caller
            try caller.require(.person, .agent)
            let body = try await Self.body(of: request, context)
            let key = try Self.key(of: request)
            let (data, session) = try Self.splitSession(from: body)
            if let session, caller.isShutOut(of: session, in: gateway) {
                throw HTTPProblem(
                    .forbidden, "session '\(session)' is another's: name another one, or none", .unauthorized,
                    field: "session")
            }
            if !caller.isPerson {
                let view = data.view
                for asked in [view] + (view["candidates"]?.elements ?? []) {
                    try refuseSecrets(in: asked["parameters"], of: asked["intent"]?.identifier, caller)
                }
            }
            let id = Identifier(key ?? UUID().uuidString.lowercased())
            let name = session ?? SessionName.derived(from: id, of: caller.principal)
            try await keys.once(key, of: caller, path: "requests", body) {
                try await send(
                    SaidEvent(.requested, session: name, id: id, data: data), request, caller, asOperator: false)
            }
            let place =
                "/api/v1/sessions/\(name.text.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed.subtracting(["/"])) ?? "")"
            return Response(
                .accepted, json: .object(["session": .string(name), "request": .string(id)]),
                headers: [.location: place])
        }
        for (path, type, roles) in Self.events {
            group.post("sessions/:session/\(path)") { request, context in
                let caller = try context.caller
                try caller.require(roles)
                let body = try await Self.body(of: request, context)
                let key = try Self.key(of: request)
                let session = try context.session
                let isOwn = !caller.isShutOut(of: session, in: gateway)
                let asOperator =
                    roles.contains(.operator) && caller.roles.contains(.operator) && !(caller.isPerson && isOwn)
                let isApprover = type == .promptAnswered && caller.isPerson && caller.mayApprove(session, in: gateway)
                guard isOwn || asOperator || isApprover else {
                    throw HTTPProblem.notFound("session '\(session)' that you may see")
                }
                if !caller.isPerson { try checkAgreement(type, body, in: session, caller) }
                let said = SaidEvent(
                    type, session: session, id: Identifier(key ?? UUID().uuidString.lowercased()), data: body)
                try await keys.once(key, of: caller, path: "\(session)/\(path)", body) {
                    try await send(said, request, caller, asOperator: asOperator || type == .sessionEnded)
                }
                return Response(.accepted, json: .object(["session": .string(session), "event": .string(said.id)]))
            }
        }
    }

    /// The last component of the path, the type of the event, and the roles that may send it.
    static let events: [(path: String, type: EventType, roles: [ConsoleRole])] = [
        ("answers", .promptAnswered, [.person, .agent]), ("option-requests", .optionsRequested, [.person, .agent]),
        ("corrections", .parameterCorrected, [.person]), ("cancellations", .cancelled, [.person, .operator]),
        ("undos", .undoRequested, [.person]),
        ("claims", .handoffClaimed, [.person]), ("handoff-completions", .handoffCompleted, [.person]),
        ("handoff-returns", .handoffReturned, [.person]), ("update-starts", .updatesStarted, [.person]),
        ("update-stops", .updatesStopped, [.person]), ("forgettings", .forgotten, [.person, .operator]),
        ("end", .sessionEnded, [.operator]),
    ]

    /// - Parameter asOperator: `true` if the event is sent in the name of the platform, which is also possible in a
    ///   session of another principal.
    private func send(_ said: SaidEvent, _ request: Request, _ caller: Caller, asOperator: Bool) async throws {
        var said = said
        said.principal = asOperator ? Principal(.system, caller.principal?.id ?? "") : caller.principal
        said.channel = asOperator || caller.isPerson ? .person : .agent
        // The roles of a token are of no concern to anybody else.
        if said.type == .promptAnswered, caller.mayApprove(said.session, in: gateway) {
            said.roles = caller.claimedRoles
        }
        said.isFromAgent = said.channel == .agent
        if let parent = request.headers[Self.traceparent] {
            said.trace = TraceContext(parent: parent, state: request.headers[Self.tracestate])
        }
        do { _ = try await gateway.send(said) } catch let problem as GatewayProblem { throw HTTPProblem(problem) }
    }

    /// Rejects an agent's answer that agrees to something or contains a secret. An agent may fill in the values that a
    /// prompt asks for.
    ///
    /// Coordinators check this again, because they know which values are present and which phase asks.
    private func checkAgreement(_ type: EventType, _ body: JSON, in session: Identifier, _ caller: Caller)
        throws(HTTPProblem)
    {
        guard type == .promptAnswered else { return }
        let open = gateway.view(for: try caller.viewer()).session(session)?.openPrompt?.data.view
        guard let open, open["prompt"]?.identifier == body.view["prompt"]?.identifier else {
            throw HTTPProblem(.conflict, "no such prompt is open in the session", .unexpected, field: "prompt")
        }
        let agreeing: Set = [Answer.Action.accept.rawValue, Answer.Action.delegate.rawValue]
        let mayAgree = body.view["action"]?.string.map(agreeing.contains) == true || body.view["utterance"] != nil
        guard !Prompt.isAgreement(open) || !mayAgree else {
            throw HTTPProblem(
                .forbidden, "only the person can agree to this: they do it in their own channel", .unauthorized)
        }
        try refuseSecrets(in: body.view["parameters"], of: open["intent"]?.identifier, caller)
    }

    private func refuseSecrets(in parameters: JSONView?, of intent: Identifier?, _ caller: Caller) throws(HTTPProblem) {
        let catalogue = gateway.view(for: try caller.viewer()).catalogue
        do throws(AgentProblem) { try SecretParameters.refuse(parameters, of: intent, in: catalogue) } catch {
            throw HTTPProblem(.forbidden, error.message, .unauthorized, field: "parameters")
        }
    }

    // MARK: The request

    private static let traceparent = HTTPField.Name("traceparent") ?? .from
    private static let tracestate = HTTPField.Name("tracestate") ?? .from
    private static let idempotencyKey = HTTPField.Name("Idempotency-Key") ?? .from

    private static func body(of request: Request, _ context: ConsoleContext) async throws -> JSON {
        var request = request
        let buffer = try await request.collectBody(upTo: context.maxUploadSize)
        if buffer.readableBytes == 0 { return .object([:]) }
        do {
            let view = try JSONView(parsing: Array(buffer.readableBytesView))
            guard view.kind == .object else {
                throw HTTPProblem(.badRequest, "the body has to be a JSON object", .unparseable)
            }
            // This process and the coordinator might read different ones of two members with the same name. Both must
            // use the value that is checked here.
            if let name = view.repeatedName {
                throw HTTPProblem(
                    .badRequest, "'\(name.prefix(64))' occurs twice in an object: name each member once", .invalid)
            }
            return view.json
        } catch let error as JSONError {
            let isTooMuch = error.code == .tooDeep || error.code == .tooManyKeys || error.code == .tooLarge
            throw HTTPProblem(.badRequest, error.message, isTooMuch ? .complex : .unparseable)
        }
    }

    private static func key(of request: Request) throws(HTTPProblem) -> String? {
        guard var key = request.headers[idempotencyKey] else { return nil }
        // The draft of the header specifies a string in quotes; most clients leave the quotes out.
        if key.count >= 2, key.hasPrefix("\""), key.hasSuffix("\"") { key = String(key.dropFirst().dropLast()) }
        guard 1...128 ~= key.utf8.count, key.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\"") }) else {
            throw HTTPProblem(
                .badRequest, "an Idempotency-Key has 1 to 128 printable characters of ASCII, without spaces and quotes",
                .invalid,
                field: "Idempotency-Key")
        }
        return key
    }

    /// Returns the body without `session`, and the session that it names; `nil` if it names none.
    private static func splitSession(from body: JSON) throws(HTTPProblem) -> (JSON, Identifier?) {
        guard let member = body.view["session"], !member.isNull else { return (body, nil) }
        guard let session = member.identifier else {
            throw HTTPProblem(.badRequest, "'session' is the name of a session", .invalid, field: "session")
        }
        let rest = JSON.make { writer in
            writer.beginObject()
            for (name, value) in body.view.members where name != "session" { writer.member(named: name, value.json) }
            writer.endObject()
        }
        return (rest, session)
    }
}

extension ConsoleContext {
    /// The session that the path names.
    var session: Identifier { get throws { try name("session") } }

    /// Returns a name in the path.
    func name(_ parameter: String) throws -> Identifier {
        guard let name = try parameters.require(parameter).removingPercentEncoding else {
            throw HTTPProblem(.badRequest, "the \(parameter) in the path is no text", .invalid, field: parameter)
        }
        return Identifier(name)
    }
}
