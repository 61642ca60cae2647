import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Synchronization
import Testing

@testable import HTTPFulfilment

@Suite("A service with a deferred outcome") struct DeferredOutcomeTests {
    private func deliver() async throws -> Courier {
        let courier = try await Courier()
        var talk = TestConversation(courier.pipeline)
        try await talk.request("Deliver")
        return courier
    }

    @Test func `is in progress after its first reply, and no worker waits for it`() async throws {
        let courier = try await deliver()
        #expect(try courier.lines() == ["intent.progressed.v1 inProgress On its way"])
        #expect(courier.pipeline.workers.values.allSatisfy { $0.runningHandlers == 0 })
    }

    @Test func `completes the request with its deferred outcome, once`() async throws {
        let courier = try await deliver()
        let outcome = #"{"code":"success","dialog":"Delivered","response":{"by":"bike"}}"#
        try await courier.answer(outcome)
        #expect(try courier.pipeline.results().last?.data["response"]?["by"]?.string == "bike")
        for late in [outcome, #"{"code":"failure"}"#] { try await courier.answer(late) }
        #expect(
            try courier.lines() == [
                "intent.progressed.v1 inProgress On its way", "intent.completed.v1 success success Delivered",
            ])
    }

    @Test func `can fail later`() async throws {
        let courier = try await deliver()
        try await courier.answer(#"{"code":"failureNobodyHome","dialog":"Nobody was at home"}"#)
        #expect(try courier.lines().last == "intent.completed.v1 failure failureNobodyHome Nobody was at home")
    }

    @Test func `can report progress, and each report extends its time`() async throws {
        let courier = try await deliver()
        try await courier.pipeline.advance(by: .seconds(10 * 60))
        try await courier.answer(#"{"code":"inProgress","fraction":0.5,"dialog":"Half way"}"#)
        try await courier.pipeline.advance(by: .seconds(10 * 60))
        try await courier.answer(#"{"code":"inProgress","fraction":0.75}"#)
        try await courier.answer(#"{"code":"success"}"#)
        #expect(
            try courier.lines().dropFirst() == [
                "intent.progressed.v1 inProgress Half way 0.5", "intent.progressed.v1 inProgress 0.75",
                "intent.completed.v1 success success",
            ])
    }

    @Test("is waited for as long as the policy allows, and a later success is reported as a late outcome")
    func late() async throws {
        let courier = try await deliver()
        let token = courier.token()
        try await courier.pipeline.advance(by: .seconds(15 * 60 + 1))
        #expect(try courier.lines().last?.hasPrefix("intent.completed.v1 timedOut") == true)
        try await courier.answer(#"{"code":"success","dialog":"Delivered"}"#, token: token)
        #expect(try courier.lines().last == "intent.answeredLate.v1 success Delivered")
    }

    @Test func `has its outcome written to the partition of the work, with a unique id`() async throws {
        let courier = try await deliver()
        try await courier.answer(#"{"code":"success"}"#)
        let outcomes = courier.outcomes
        #expect(outcomes.last?.partition == outcomes.first?.partition)
        let ids = outcomes.compactMap { $0.headers.first { $0.name == "ce_id" }?.text }
        #expect(Set(ids).count == outcomes.count && ids.last?.hasSuffix(".outcome.later") == true)
    }

    @Test(arguments: [
        ("{", RejectionReason.unparseable), (#"{"dialog":"?"}"#, .invalid), (#"{"code":"ready"}"#, .unexpected),
        (#"{"code":"inProgress","fraction":2}"#, .invalid), (#"{"code":"success","response":[]}"#, .invalid),
        (#"{"code":"success","validFor":"long"}"#, .invalid),
        (#"{"code":"success","opens":{"intent":"Pay"}}"#, .unauthorized),
        (#"{"code":"inProgress","opens":{"intent":"Pay"}}"#, .unauthorized),
    ])
    func `gets the reason for an invalid outcome`(_ body: String, _ reason: RejectionReason) async throws {
        let courier = try await deliver()
        let problem = await #expect(throws: CallbackProblem.self) { try await courier.answer(body) }
        #expect(problem?.reason == reason && problem?.status == .badRequest)
        #expect(try courier.lines().count == 1)
    }

    @Test("is asked to post again if this worker does not serve the intent, without a word about who does")
    func elsewhere() async throws {
        let courier = try await deliver()
        let token = courier.madeUpToken(intent: "Elsewhere")
        let problem = await #expect(throws: CallbackProblem.self) {
            try await courier.answer(#"{"code":"success"}"#, token: token)
        }
        #expect(problem?.status == .unavailable && problem?.message.contains("10.1.2.3") == false)
    }

    @Test func `can be for an intent of any name and language, in a worker or in the app`() throws {
        for text in [
            Courier.replyTo(), Courier.replyTo(intent: "Deliver.2"), #"["é\"","r/1",0,0,null,"A",true,"en-GB"]"#,
            #"["me","r1",4,2,"000102030405060708090a0b0c0d0e0f","A",false,null]"#,
        ] { #expect(DeferredOutcomeAddress(text)?.description == text) }
        for text in [
            "", "[]", #"["me","r1",4,2]"#, #"["me","r1",-1,2,null,"A",true,null]"#, #"["me","r1",4,2,null,"A",1,null]"#,
        ] { #expect(DeferredOutcomeAddress(text) == nil, "\(text)") }
    }
}

/// A pipeline with one handler, which leaves its work to a courier with a deferred outcome.
final class Courier {
    let pipeline: TestPipeline
    let tokens: CallbackTokens
    let writer: AcknowledgedWriter
    let answers: DeferredOutcomes
    private let calls = Recorder<String>()

    init(started: Bool = true) async throws {
        let calls = calls
        pipeline = try await TestPipeline { invocation, _ in
            switch invocation.phase {
            case .resolve: return .resolved([])
            case .confirm: return .responded(IntentResponse(.ready))
            case .handle:
                calls.record(invocation.context.replyTo)
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
    static func replyTo(session: String = "me", partition: Int = 1, intent: String = "Deliver") -> String {
        #"["\#(session)","r1",4,\#(partition),null,"\#(intent)",false,null]"#
    }

    /// The token of the handler's last call.
    func token() -> String { tokens.token(for: calls.all.last ?? "", now: pipeline.clock.now) }

    /// A token of a call that the pipeline has not made.
    func madeUpToken(intent: String = "Deliver", age: Duration = .zero) -> String {
        tokens.token(for: Self.replyTo(intent: intent), now: pipeline.clock.now.advanced(by: .zero - age))
    }

    /// The outcomes in the log.
    var outcomes: [ConsumedRecord] { pipeline.log.records(in: pipeline.topics.outcomes) }

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
