import Conversation
import Foundation
package import IntentEvents
import IntentKit
package import IntentModel
package import Logging
package import PersonGateway
package import PipelineTestKit
import RecordLog
import Synchronization
package import Tracing

/// A pipeline in memory, and a gateway. Both run only while a call of this type waits.
package final class RunningGateway {
    package let pipeline: TestPipeline
    package let gateway: Gateway
    package let archive: ResultArchive

    /// Creates the pipeline and the gateway, and waits until the gateway has read all records. The board bounds the
    /// sessions and events that the gateway stores.
    package init(
        board: SessionBoard = SessionBoard(), tracer: (any Tracer)? = nil, approval: Approval? = nil,
        perform: @escaping @Sendable (IntentInvocation) async -> PhaseOutcome = Asking.perform
    ) async throws {
        pipeline = try await TestPipeline(partitions: 2) { invocation, _ in
            let outcome = await perform(invocation)
            guard let approval, case .responded(let response, var confirmation?) = outcome else { return outcome }
            confirmation.approval = approval
            return .responded(response, confirmation: confirmation)
        }
        try pipeline.startAll()
        let clock = pipeline.clock
        gateway = Gateway(
            client: try pipeline.log.connect(ClientConfiguration(clientID: "gateway")), topics: pipeline.topics,
            partitions: 2, sources: Gateway.Sources(), board: board, clock: { clock.now }, tracer: tracer,
            logger: .silent)
        archive = ResultArchive(
            client: try pipeline.log.connect(ClientConfiguration(clientID: "archive")), topics: pipeline.topics)
        try await until("the gateway has read what there was") { $0.gateway.isReady }
    }

    /// The session, as an unrestricted viewer sees it.
    package func session(_ id: Identifier) -> FollowedSession? { gateway.view(for: .unrestricted).session(id) }

    /// The open prompt of a session.
    package func prompt(_ session: Identifier) -> JSONView? { self.session(session)?.openPrompt?.data.view }

    package func close() throws { try gateway.close(timeout: .zero) }

    /// Runs the pipeline until a condition holds.
    package func until(_ what: String, _ isTrue: (RunningGateway) throws -> Bool) async throws {
        let deadline = ContinuousClock.now.advanced(by: .seconds(60))
        while true {
            try await settle()
            if try isTrue(self) { return }
            guard ContinuousClock.now < deadline else { throw Late(what: what) }
            await Task.yield()
        }
    }

    package struct Late: Error { var what: String }

    private func settle() async throws {
        try await pipeline.settle()
        while try gateway.step(timeout: .zero) {}
    }

    /// Runs the pipeline until a session has an open prompt of a kind, or of any, and returns the prompt's id.
    @discardableResult
    package func untilPrompt(_ session: Identifier, _ kind: String? = nil) async throws -> String {
        try await until("a prompt of \(session)") { running in
            running.prompt(session).map { kind == nil || $0["kind"]?.string == kind } ?? false
        }
        return prompt(session)?["prompt"]?.string ?? ""
    }

    /// Runs the pipeline until nothing is open in a session.
    package func untilEnd(_ session: Identifier) async throws {
        try await until("the end") { $0.session(session)?.state == .idle }
    }

    /// Runs the gateway while an operation waits for it. `closing` closes the gateway once it has a reader, so that the
    /// reader's stream ends.
    package func during<Value: Sendable>(
        closing: Bool = false, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let done = Recorder<Bool>()
        let task = Task {
            defer { done.record(true) }
            return try await body()
        }
        var isClosed = false
        while done.all.isEmpty {
            if closing, !isClosed, gateway.load.readers > 0 {
                isClosed = true
                try close()
            }
            if !isClosed { try gateway.step(timeout: .zero) }
            await Task.yield()
        }
        return try await task.value
    }

    /// Sends an event through the gateway, and runs the pipeline until it is idle.
    @discardableResult
    package func say(_ said: SaidEvent) async throws -> LogPosition {
        let position = try await during { [gateway] in try await gateway.send(said) }
        try await settle()
        return position
    }

    /// Writes a result to the log, as a coordinator does.
    package func write(
        _ type: EventType, of session: Identifier, id: Identifier, in partition: Int32, owner: Identifier,
        _ members: KeyValuePairs<String, JSON>
    ) throws {
        let value = JSON(
            members.map { ($0.key, $0.value) } + [
                ("session", .string(session)), ("principal", .object(["type": "app_user", "id": .string(owner)])),
            ])
        let headers = [RecordHeader("ce_type", type.rawValue), RecordHeader("ce_id", id.text)]
        try pipeline.log.append(
            Record(
                topic: pipeline.topics.results, partition: partition, key: Bytes(session.text.utf8), value: value.bytes,
                headers: headers, timestamp: pipeline.clock.now.milliseconds + 1))
    }

    /// Requests the intent of ``Asking``, and waits for its prompt.
    @discardableResult
    package func ask(_ session: Identifier, _ parameters: [String: JSON] = [:], principal: Principal? = nil)
        async throws -> String
    {
        let data = JSON.object(["intent": "Order", "parameters": JSON(parameters.map { ($0.key, $0.value) })])
        try await say(SaidEvent(.requested, session: session, id: "r", data: data, principal: principal))
        return try await untilPrompt(session)
    }

    /// Accepts the open prompt of a session.
    package func answer(_ session: Identifier, _ value: JSON?, id: Identifier, principal: Principal? = nil) async throws
    {
        let prompt = JSON.string(prompt(session)?["prompt"]?.string ?? "")
        let data = JSON([("prompt", prompt), ("action", "accept")] + (value.map { [("value", $0)] } ?? []))
        try await say(SaidEvent(.promptAnswered, session: session, id: id, data: data, principal: principal))
    }

    /// Requests an order, and answers its prompts until the order is made.
    package func order(_ session: Identifier, _ what: JSON = "tea") async throws {
        try await ask(session)
        try await answer(session, what, id: "a1")
        try await untilPrompt(session, "confirmIntent")
        try await answer(session, nil, id: "a2")
        try await untilEnd(session)
    }
}

extension Logger {
    /// A logger that writes nothing.
    package static var silent: Logger { Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }) }
}

/// An intent that asks for an order, for a secret if requested, and for the person's consent.
package enum Asking {
    package static func perform(_ invocation: IntentInvocation) async -> PhaseOutcome {
        func value(_ name: String) -> JSON? { invocation.parameters.first { $0.name == name }?.value }
        func parameter(_ name: String, _ title: String, _ dialog: String, isSecret: Bool = false) -> ResolvedParameter {
            let resolution = value(name).map { .success($0) } ?? ParameterResolution.needsValue(dialog: dialog)
            return ResolvedParameter(name: name, title: title, resolution: resolution, isSecret: isSecret)
        }
        switch invocation.phase {
        case .resolve:
            let what = parameter("what", "What", "What would you like?")
            guard value("secretly") != nil else { return .resolved([what]) }
            return .resolved([what, parameter("pin", "PIN", "Your PIN?", isSecret: true)])
        case .confirm:
            let summary = "Order \(value("what")?.view.string ?? "")"
            return .responded(IntentResponse(.ready), confirmation: ConfirmationRequest(summary: summary))
        case .handle:
            return .responded(IntentResponse(.success, dialog: "Here you are", values: ["number": .number(7)]))
        }
    }
}

extension TimelineEvent {
    package func setting<Member>(_ member: WritableKeyPath<Self, Member>, _ value: Member) -> Self {
        var copy = self
        copy[keyPath: member] = value
        return copy
    }
}
