import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Synchronization

@testable import HTTPFulfilment

/// A pipeline with one handler, which leaves its work to a courier with a deferred outcome.
final class Courier {
    let pipeline: TestPipeline
    let tokens: CallbackTokens
    let writer: AcknowledgedWriter
    let answers: DeferredOutcomes
    private let calls: Calls

    private final class Calls: Sendable {
        let replyTo = Mutex<[String]>([])
    }

    init(started: Bool = true) async throws {
        let calls = Calls()
        self.calls = calls
        pipeline = try await TestPipeline { invocation, _ in
            switch invocation.phase {
            case .resolve: return .resolved([])
            case .confirm: return .responded(IntentResponse(.ready))
            case .handle:
                calls.replyTo.withLock { $0.append(invocation.context.replyTo) }
                return .responded(IntentResponse(.inProgress, dialog: "On its way"))
            }
        }
        if started { try pipeline.startAll() }
        tokens = CallbackTokens(
            keys: try CallbackKeys([Array("a key of sixteen bytes".utf8)]), base: "https://intents.example.com/")
        writer = AcknowledgedWriter(client: try pipeline.log.connect(ClientConfiguration(clientID: "callback")))
        let clock = pipeline.clock
        answers = DeferredOutcomes(tokens: tokens, topics: pipeline.topics, writer: writer, clock: { clock.now }) {
            call, response throws(IntentFailure) in
            // The rule of this declaration. Tests of declarations cover the rules of all declarations.
            if response.opensIntent != nil {
                throw IntentFailure(
                    .failure(.failure), reason: .unauthorized, message: "\(call.intent) opens nothing", field: "opens")
            }
            if call.intent == "Elsewhere" {
                throw IntentFailure(.reject, reason: .unsupported, message: "10.1.2.3 serves it")
            }
            return .responded(response)
        }
    }

    /// The `replyTo` of a call: the place for the outcome of the call.
    static func replyTo(session: String = "me", request: String = "r1", partition: Int = 1, intent: String = "Deliver")
        -> String
    {
        #"["\#(session)","\#(request)",4,\#(partition),null,"\#(intent)",false,null]"#
    }

    /// The token of the handler's last call.
    func token() -> String {
        tokens.token(for: calls.replyTo.withLock { $0.last ?? "" }, now: pipeline.clock.now)
    }

    /// Posts an outcome, and runs the pipeline until it is idle.
    func answer(_ body: String, token: String? = nil) async throws {
        let token = token ?? self.token()
        let isDone = Atomic<Bool>(false)
        let answers = answers
        async let taken: Void = {
            defer { isDone.store(true, ordering: .releasing) }
            try await answers.accept(Array(body.utf8), for: try answers.call(of: token))
        }()
        while !isDone.load(ordering: .acquiring) {
            try writer.step(timeout: .zero)
            await Task.yield()
        }
        try await taken
        try await pipeline.settle()
    }

    /// The person's results, each as one line.
    func lines() throws -> [String] {
        try pipeline.results().map { result in
            let data = result.data
            let words = ["status", "code", "dialog"].compactMap { data[$0]?.string }
            return ([result.type.rawValue] + words + (data["fraction"]?.double.map { ["\($0)"] } ?? [])).joined(
                separator: " ")
        }
    }
}
