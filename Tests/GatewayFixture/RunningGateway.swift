import Conversation
import Foundation
import IntentEvents
import IntentKit
public import IntentModel
import Logging
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

    /// Creates the pipeline and the gateway, and waits until the gateway has read all records.
    ///
    /// - Parameters:
    ///   - board: The board, which bounds the sessions and events that the gateway stores.
    ///   - sources: The topics that the gateway may read beyond results and the catalogue.
    ///   - tracer: The tracer of the gateway's spans.
    package init(
        board: SessionBoard = SessionBoard(), sources: Gateway.Sources = Gateway.Sources(), tracer: (any Tracer)? = nil,
        perform: @escaping @Sendable (IntentInvocation) async -> PhaseOutcome = Asking.perform
    ) async throws {
        pipeline = try await TestPipeline(partitions: 2) { invocation, _ in await perform(invocation) }
        try pipeline.startAll()
        let clock = pipeline.clock
        gateway = Gateway(
            client: try pipeline.log.connect(ClientConfiguration(clientID: "gateway")), topics: pipeline.topics,
            partitions: 2,
            sources: sources,
            board: board, clock: { clock.now }, tracer: tracer,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        archive = ResultArchive(
            client: try pipeline.log.connect(ClientConfiguration(clientID: "archive")), topics: pipeline.topics)
        try await until("the gateway has read what there was") { $0.gateway.isReady }
    }

    /// The session, as an unrestricted viewer sees it.
    package func session(_ id: Identifier) -> FollowedSession? { gateway.view(for: .unrestricted).session(id) }

    /// Ends the gateway.
    package func close() throws { try gateway.close(timeout: .zero) }

    /// Runs the pipeline until a condition holds.
    package func until(_ what: String, _ isTrue: (RunningGateway) throws -> Bool) async throws {
        let deadline = ContinuousClock.now.advanced(by: .seconds(60))
        while true {
            try await pipeline.settle()
            while try gateway.step(timeout: .zero) {}
            if try isTrue(self) { return }
            guard ContinuousClock.now < deadline else { throw Late(what: what) }
            await Task.yield()
        }
    }

    /// Runs the gateway while an operation waits for it.
    ///
    /// - Parameter closing: `true` to close the gateway once it has a reader, so that the reader's stream ends.
    package func during<Value: Sendable>(
        closing: Bool = false, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let isDone = Done()
        let task = Task {
            defer { isDone.set() }
            return try await body()
        }
        var isClosed = false
        while !isDone.isSet {
            if closing, !isClosed, gateway.load.readers > 0 {
                isClosed = true
                try close()
            }
            if !isClosed { try gateway.step(timeout: .zero) }
            await Task.yield()
        }
        return try await task.value
    }

    private final class Done: Sendable {
        private let flag = Mutex(false)
        var isSet: Bool { flag.withLock { $0 } }
        func set() { flag.withLock { $0 = true } }
    }

    package struct Late: Error { var what: String }

    /// Sends an event through the gateway, and runs the pipeline until it is idle.
    @discardableResult
    package func say(_ said: SaidEvent) async throws -> LogPosition {
        let position = try await during { [gateway] in try await gateway.send(said) }
        try await pipeline.settle()
        while try gateway.step(timeout: .zero) {}
        return position
    }

    /// Requests the intent of ``Asking``, and waits for its prompt.
    package func ask(
        _ session: Identifier, _ parameters: [String: JSON] = [:], principal: Principal? = nil, id: Identifier = "r"
    )
        async throws
        -> String
    {
        let values = JSON.make { writer in
            writer.beginObject()
            for (name, value) in parameters { writer.member(named: name, value) }
            writer.endObject()
        }
        try await say(
            SaidEvent(
                .requested, session: session, id: id, data: .object(["intent": "Order", "parameters": values]),
                principal: principal))
        try await until("a prompt") { $0.session(session)?.openPrompt != nil }
        return self.session(session)?.openPrompt?.data.view["prompt"]?.string ?? ""
    }

    /// Answers the open prompt of a session.
    package func answer(
        _ session: Identifier, _ value: JSON?, id: Identifier, action: String = "accept", principal: Principal? = nil
    )
        async throws
    {
        let prompt = self.session(session)?.openPrompt?.data.view["prompt"]?.string ?? ""
        let data = JSON.make { writer in
            writer.beginObject()
            writer.member("prompt", prompt)
            writer.member("action", action)
            writer.member("value", ifPresent: value)
            writer.endObject()
        }
        try await say(SaidEvent(.promptAnswered, session: session, id: id, data: data, principal: principal))
    }
}

extension JSON: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self = .string(value) }
}

/// An intent that asks for an order, for a secret if requested, and for the person's consent.
package enum Asking {
    package static func perform(_ invocation: IntentInvocation) async -> PhaseOutcome {
        func value(_ name: String) -> JSON? { invocation.parameters.first { $0.name == name }?.value }
        switch invocation.phase {
        case .resolve:
            var found = [
                ResolvedParameter(
                    name: "what", title: "What",
                    resolution: value("what").map { .success($0) } ?? .needsValue(dialog: "What would you like?"))
            ]
            if value("secretly") != nil {
                found.append(
                    ResolvedParameter(
                        name: "pin", title: "PIN",
                        resolution: value("pin").map { .success($0) } ?? .needsValue(dialog: "Your PIN?"),
                        isSecret: true))
            }
            return .resolved(found)
        case .confirm:
            return .responded(
                IntentResponse(.ready),
                confirmation: ConfirmationRequest(summary: "Order \(value("what")?.view.string ?? "")"))
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
