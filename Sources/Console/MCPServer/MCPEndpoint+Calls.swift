import Conversation
import IntentModel
import PersonGateway

// Calls of tools, and the conversations about their requests.
extension MCPEndpoint {
    /// The conversation of one call.
    struct Talk: Sendable {
        var call: AgentCall
        var peer: MCPPeer
        /// The purpose for which the state of the call is sealed.
        var purpose: String
        /// The key of a prompt or handoff that the client knows already. The call waits until the request needs
        /// something else.
        var known: String?
        /// The problem of the values that the client has sent.
        var complaint: String?
        var progress: MCPProgress?
    }

    static let handlePurpose = "handle"
    private static let sessionKey = "intents/session"

    func call(_ params: JSONView?, _ peer: MCPPeer) async throws(RPCError) -> JSON {
        guard let name = params?["name"]?.string else { throw RPCError(.invalidParams, "'name' is the name of a tool") }
        let arguments = params?["arguments"]?.json ?? .object([:])
        guard arguments.view.kind == .object else { throw RPCError(.invalidParams, "'arguments' is an object") }
        let tool = tools(for: peer.viewer)[name]
        guard tool != nil || name == ToolList.reply || name == ToolList.status else {
            throw RPCError(
                .invalidParams,
                "there is no tool '\(name.printable.shown(100))': tools/list has those that there are now")
        }
        let purpose = "call:\(name):\(arguments.digest)"
        do {
            if let state = params?["requestState"] {
                return try await resume(state.string ?? "", params, peer, purpose)
            }
            guard let tool else { return try await continueFromHandle(name, arguments.view, params, peer, purpose) }
            return try await begin(tool, arguments, params, peer, purpose)
        } catch let error as RPCError {
            throw error
        } catch let problem as AgentProblem {
            return Self.failure(problem.message, peer)
        } catch let problem as GatewayProblem {
            return Self.failure("Not accepted: \(problem.message)", peer)
        } catch {
            throw RPCError(.internalError, "it did not work: try again")
        }
    }

    private func begin(
        _ tool: ToolList.Tool, _ arguments: JSON, _ params: JSONView?, _ peer: MCPPeer, _ purpose: String
    ) async throws -> JSON {
        let view = gateway.view(for: peer.viewer)
        try SecretParameters.refuse(arguments.view, of: tool.intent, in: view.catalogue)
        let meta = params?["_meta"]
        let session = meta?[Self.sessionKey]
        if let session {
            guard let name = session.identifier, 1...128 ~= name.utf8.count, !name.hasPrefix("$"),
                !name.text.hasControlCharacters
            else {
                throw RPCError(
                    .invalidParams, "'\(Self.sessionKey)' is a session's id: 1 to 128 bytes, not beginning with '$'")
            }
            if view.isOfAnother(name) || view.session(name).map({ $0.person != peer.principal }) == true {
                throw RPCError(.invalidParams, "the session '\(name.printable)' is not this caller's")
            }
        } else {
            try peer.admitSession()
        }
        let talk = self.makeTalk(session?.identifier, nil, meta, peer, purpose)
        let members = ["locale", "timeZone"].compactMap { name in
            meta?["intents/\(name)"].flatMap { $0.string == nil ? nil : (name: name, value: $0.json) }
        }
        do { try await talk.call.start(tool.intent, parameters: arguments, members: members) } catch let problem
            as GatewayProblem
            where problem.isUndecided
        { return undecided(talk) }
        return try await converse(talk)
    }

    private func makeTalk(
        _ session: Identifier?, _ request: Identifier?, _ meta: JSONView?, _ peer: MCPPeer, _ purpose: String
    ) -> Talk {
        let call = AgentCall(
            gateway, clock: clock, agreement: settings.agreement, session: session, request: request,
            principal: peer.principal, trace: Self.trace(meta))
        return Talk(call: call, peer: peer, purpose: purpose, progress: MCPProgress(meta, peer))
    }

    /// Returns the W3C trace context if it is well-formed.
    private static func trace(_ meta: JSONView?) -> TraceContext? {
        guard let parent = meta?["traceparent"]?.string, parent.utf8.count == 55,
            parent.utf8.allSatisfy({ byte in
                byte == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                    || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
            })
        else { return nil }
        let state = meta?["tracestate"]?.string.flatMap { $0.utf8.count <= 512 && !$0.hasControlCharacters ? $0 : nil }
        return TraceContext(parent: parent, state: state)
    }

    // MARK: Continuing a request

    /// Continues a call that the client repeats with its user's response.
    private func resume(_ state: String, _ params: JSONView?, _ peer: MCPPeer, _ purpose: String) async throws -> JSON {
        let place: AgentPlace
        do {
            place = try AgentPlace(
                unsealing: state, with: settings.key, for: peer.principal, purpose: purpose, at: clock.now())
        } catch { throw RPCError(.invalidParams, "'requestState': \(error)") }
        var talk = self.makeTalk(place.session, place.request, params?["_meta"], peer, purpose)
        guard let asked = place.asked else { return try await converse(talk) }
        if asked.hasPrefix("~") {
            talk.known = String(asked.dropFirst())
        } else if let response = params?["inputResponses"]?[asked] {
            await talk.call.waitForPrompt(asked, settings.patience)
            try await apply(response, to: asked, &talk)
        }
        return try await converse(talk)
    }

    /// Performs `intent_reply` and `intent_status`.
    private func continueFromHandle(
        _ name: String, _ arguments: JSONView, _ params: JSONView?, _ peer: MCPPeer, _ purpose: String
    ) async throws -> JSON {
        guard let handle = arguments["handle"]?.string else {
            throw AgentProblem("'handle' is missing: it is in the result before")
        }
        let place: AgentPlace
        do {
            place = try AgentPlace(
                unsealing: handle, with: settings.key, for: peer.principal, purpose: Self.handlePurpose, at: clock.now()
            )
        } catch { throw AgentProblem("'handle': \(error)") }
        var talk = self.makeTalk(place.session, place.request, params?["_meta"], peer, purpose)
        if let asked = place.asked { await talk.call.waitForPrompt(asked, settings.patience) }
        let standing = talk.call.standing
        let step = AgentStep(standing, session: talk.call.session, settings: settings)
        guard name == ToolList.reply else {
            // The model knows already what the person has to do, so the call waits for a change. A form that the model
            // has to fill in is returned again.
            if case .person(_, _, let key) = step { talk.known = key }
            if case .form(_, let question, true) = step { talk.known = question.key }
            return try await converse(talk)
        }
        guard
            let action = (arguments["action"] == nil ? "accept" : arguments["action"]?.string).flatMap(
                Elicitation.Action.init)
        else {
            throw AgentProblem("'action' is accept, decline or cancel")
        }
        guard let step else {
            if action == .cancel, !standing.isOver { try await talk.call.cancel() }
            return try await converse(talk)
        }
        switch step {
        case .form(let form, let question, let isAgreement):
            if let search = arguments["search"]?.string, !isAgreement || !form.fields.isEmpty {
                try await talk.call.listOptions(of: question.id, start: nil, search: search)
                talk.known = question.key
            } else if action != .accept {
                try await talk.call.answer(question.id, .object(["action": .string(action.rawValue)]))
            } else if isAgreement {
                throw AgentProblem("A model can't agree for the person. \(personSteps(talk.call))")
            } else if let utterance = arguments["utterance"] {
                let prompt = question.prompt.view
                if let parameter = prompt["parameter"]?.string {
                    let catalogue = gateway.view(for: peer.viewer).catalogue
                    let said = JSON.make { writer in
                        writer.beginObject()
                        writer.member(named: parameter, utterance.json)
                        writer.endObject()
                    }
                    try SecretParameters.refuse(said.view, of: prompt["intent"]?.identifier, in: catalogue)
                }
                try await talk.call.answer(question.id, .object(["utterance": utterance.json]))
            } else {
                try await submit(arguments["values"], form, question, .titled, &talk)
                if let complaint = talk.complaint { throw AgentProblem("Not accepted: \(complaint)") }
            }
        case .person(let message, _, let key):
            guard action != .accept else {
                throw AgentProblem("Only the person can do that. \(message)\n\(personSteps(talk.call))")
            }
            try await refuse(action, key, &talk)
        }
        return try await converse(talk)
    }

    // MARK: Answers

    /// Applies the user's response to a question.
    func apply(_ response: JSONView, to key: String, _ talk: inout Talk) async throws {
        let action = try Elicitation.action(of: response)
        let standing = talk.call.standing
        // The question was answered already, or the request waits for something else by now.
        guard standing.waitsFor == key, let step = AgentStep(standing, session: talk.call.session, settings: settings)
        else { return }
        switch step {
        case .form(let form, let question, _):
            if action == .accept {
                try await submit(response["content"], form, question, talk.peer.dialect, &talk)
            } else {
                try await talk.call.answer(question.id, .object(["action": .string(action.rawValue)]))
            }
        case .person:
            if action == .accept { talk.known = key } else { try await refuse(action, key, &talk) }
        }
    }

    private func submit(
        _ content: JSONView?, _ form: PromptForm, _ question: RequestStanding.Question, _ dialect: FormField.Dialect,
        _ talk: inout Talk
    ) async throws {
        talk.complaint = nil
        let reading: PromptForm.Reading
        do throws(AgentProblem) {
            let catalogue = gateway.view(for: talk.peer.viewer).catalogue
            try SecretParameters.refuse(content, of: question.prompt.view["intent"]?.identifier, in: catalogue)
            reading = try form.read(content, dialect: dialect)
        } catch {
            talk.complaint = error.message
            return
        }
        switch reading {
        case .answer(let answer): try await talk.call.answer(question.id, answer)
        case .moreOptions(let start):
            try await talk.call.listOptions(of: question.id, start: start, search: nil)
            talk.known = question.key
        }
    }

    private func refuse(_ action: Elicitation.Action, _ key: String, _ talk: inout Talk) async throws {
        if let question = talk.call.standing.question {
            try await talk.call.answer(question.id, .object(["action": .string(action.rawValue)]))
        } else {
            try await talk.call.cancel()
        }
    }

    // MARK: The conversation

    private static let maximumRounds = 50

    func converse(_ conversation: Talk) async throws -> JSON {
        var talk = conversation
        let (call, peer) = (talk.call, talk.peer)
        for _ in 0..<Self.maximumRounds {
            // A client whose user can be asked during the call waits as long as the person needs.
            let isPersonAwaited = talk.known != nil && peer.elicit != nil
            let patience = isPersonAwaited ? settings.lifetime : peer.hasTasks ? settings.taskAfter : settings.patience
            let standing =
                talk.complaint == nil
                ? await call.wait(patience, past: talk.known) { [progress = talk.progress] in progress?.report($0) }
                : call.standing
            if Task.isCancelled { throw await cancelRequestIfAsked(talk) }
            switch standing.state {
            case .ended(let completion):
                return finished(AgentResult(completion: completion, session: call.session), talk)
            case .rejected(let rejection):
                return finished(AgentResult(rejection: rejection, session: call.session), talk)
            default: break
            }
            guard let step = AgentStep(standing, session: call.session, settings: settings),
                standing.waitsFor != talk.known
            else {
                return unfinished(standing, talk)
            }
            talk.known = nil
            let key = standing.waitsFor ?? ""
            let params: JSON
            switch step {
            case .form(let form, _, _) where peer.hasForms:
                params = Elicitation.form(form, peer, complaint: talk.complaint)
            case .person(let message, let url?, _) where peer.hasPages:
                params = Elicitation.page(url, message, key: key, peer)
            default: return fallback(step, talk)
            }
            guard let elicit = peer.elicit else { return inputRequired(key, params, talk) }
            let response: JSON
            do { response = try await elicit(params) } catch {
                // The client could not ask its user.
                guard Task.isCancelled else { return fallback(step, talk) }
                throw await cancelRequestIfAsked(talk)
            }
            talk.complaint = nil
            try await apply(response.view, to: key, &talk)
        }
        throw AgentProblem("it was asked \(Self.maximumRounds) times without getting on: start again")
    }

    /// Cancels the request of a cancelled call if the client wants that, and returns the error to throw.
    private func cancelRequestIfAsked(_ talk: Talk) async -> CancellationError {
        if talk.peer.hasCancelled() { try? await talk.call.cancel() }
        return CancellationError()
    }
}
