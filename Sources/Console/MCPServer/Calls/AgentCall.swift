package import Conversation
import IntentEvents
package import IntentModel
package import PersonGateway

/// A request that an agent makes, and the conversation about it.
package struct AgentCall: Sendable {
    private let gateway: Gateway
    private let view: GatewayView
    private let clock: AgentClock
    package let session: Identifier
    package let request: Identifier
    private let principal: Principal?
    private let trace: TraceContext?
    private let agreement: AgentSettings.Agreement

    package init(
        _ gateway: Gateway, clock: AgentClock, agreement: AgentSettings.Agreement, session: Identifier? = nil,
        request: Identifier? = nil,
        principal: Principal?, trace: TraceContext?
    ) {
        self.agreement = agreement
        self.gateway = gateway
        view = gateway.view(for: .agent(of: principal))
        self.clock = clock
        self.session = session ?? "agent-\(Self.randomID())"
        self.request = request ?? Identifier(Self.randomID())
        self.principal = principal
        self.trace = trace
    }

    /// Returns 128 random bits in hexadecimal.
    private static func randomID() -> String {
        (0..<2).map { _ in
            let text = String(UInt64.random(in: .min ... .max), radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }.joined()
    }

    /// Returns the prefix of the ids of all answers to a prompt.
    package static func answerPrefix(_ prompt: Identifier) -> String { "answer.\(prompt.text.digest)." }

    // MARK: Events to the pipeline

    /// Sends the request for the intent.
    ///
    /// - Parameter members: Other members of the event, such as `locale`.
    /// - Throws: ``GatewayProblem``
    package func start(_ intent: Identifier, parameters: JSON, members: [(name: String, value: JSON)] = []) async throws
    {
        let data = JSON.make { writer in
            writer.beginObject()
            writer.member("intent", intent)
            writer.member("parameters", parameters)
            for (name, value) in members { writer.member(named: name, value) }
            writer.endObject()
        }
        try await send(.requested, id: request, data)
    }

    /// Answers the open prompt. The same answer has the same id, so a copy does no harm.
    ///
    /// - Parameter answer: The members of the answer, except the prompt.
    package func answer(_ prompt: Identifier, _ answer: JSON) async throws {
        let data = JSON.make { writer in
            writer.beginObject()
            writer.member("prompt", prompt)
            for (name, value) in answer.view.members where name != "prompt" { writer.member(named: name, value.json) }
            writer.endObject()
        }
        // Words that were no answer may be said again: "repeat that".
        let attempt = answer.view["utterance"] == nil ? "" : ".\(standing.question?.rejections ?? 0)"
        let id = Identifier(Self.answerPrefix(prompt) + answer.digest + attempt)
        // If the same answer was sent before and rejected, it would be rejected again.
        if view.events(of: session).contains(where: { $0.origin != .results && $0.id == id }) { return }
        try await send(.promptAnswered, id: id, data)
    }

    /// Requests more options of the open prompt.
    package func listOptions(of prompt: Identifier, start: String?, search: String?) async throws {
        let data = JSON.make { writer in
            writer.beginObject()
            writer.member("prompt", prompt)
            writer.member("start", ifPresent: start)
            writer.member("search", ifPresent: search)
            writer.endObject()
        }
        try await send(.optionsRequested, id: "options.\(data.digest)", data)
    }

    /// Cancels the request. While a prompt is open, the call answers the prompt with `cancel`, because coordinators
    /// with `--trust separate` accept answers from agents.
    package func cancel() async throws {
        if let question = standing.question {
            return try await answer(question.id, .object(["action": .string("cancel")]))
        }
        try await send(.cancelled, id: "cancel.\(request.text.digest)", .object(["request": .string(request)]))
    }

    private func send(_ type: EventType, id: Identifier, _ data: JSON) async throws {
        var said = SaidEvent(
            type, session: session, id: id, data: data, principal: principal, channel: .agent, trace: trace)
        // A model has filled in the request, whoever agrees to it afterwards.
        said.isFromAgent = agreement == .person || type == .requested
        _ = try await gateway.send(said)
    }

    // MARK: Waiting

    /// The present state of the request.
    package var standing: RequestStanding { RequestStanding(of: request, in: view.events(of: session)) }

    /// The session of the request; `nil` if it is unknown here or belongs to another principal.
    package var followed: FollowedSession? { view.session(session) }

    /// `true` if the gateway has read the prompt of a question.
    private func hasRead(_ key: String) -> Bool {
        view.events(of: session).contains { event in
            (event.type == .promptIssued || event.type == .promptReminded)
                && event.data.view["prompt"]?.identifier.map { key.utf8.starts(with: "\($0)/".utf8) } == true
        }
    }

    /// Waits until the gateway has read the prompt of a question, because another process may have asked the question.
    ///
    /// - Parameter key: The key of the question; see ``RequestStanding/Question/key``.
    package func waitForPrompt(_ key: String, _ patience: Duration) async {
        if hasRead(key) { return }
        let (events, _) = view.follow(session)
        defer { events.cancel() }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [clock] in
                try? await clock.sleep(patience)
                events.end(.closed)
            }
            defer { group.cancelAll() }
            while !hasRead(key), case .events = await events.next() {}
        }
    }

    /// Waits until the request needs the person or an app, or has ended.
    ///
    /// - Parameters:
    ///   - patience: The maximum time to wait.
    ///   - past: A value of ``RequestStanding/waitsFor`` that does not end the wait, because it is known already.
    ///   - pulse: Called with each report of progress, and with `nil` as a sign of life.
    /// - Returns: The state of the request at the end of the wait.
    package func wait(
        _ patience: Duration, past known: String? = nil, pulse: @escaping @Sendable (JSON?) -> Void = { _ in }
    ) async -> RequestStanding {
        let (events, _) = view.follow(session)
        defer { events.cancel() }
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { [clock] in
                try? await clock.sleep(patience)
                events.end(.closed)
            }
            defer { group.cancelAll() }
            while true {
                let standing = standing
                if standing.isOver { return standing }
                if let waitsFor = standing.waitsFor, waitsFor != known { return standing }
                guard case .events(let new) = await events.next() else { return self.standing }
                if new.isEmpty { pulse(nil) }
                for case let event? in new.map(\.shown) where event.type == .progressed && event.request == request {
                    pulse(event.data)
                }
            }
        }
    }
}
