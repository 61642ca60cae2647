import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@testable import HTTPFulfilment

@Suite("A service with a deferred outcome")
struct DeferredOutcomeTests {
    private func deliver() async throws -> Courier {
        let courier = try await Courier()
        var talk = TestConversation(courier.pipeline)
        try await talk.request("Deliver")
        return courier
    }

    @Test("is in progress after its first reply, and no worker waits for it")
    func inProgress() async throws {
        let courier = try await deliver()
        #expect(try courier.lines() == ["intent.progressed.v1 inProgress On its way"])
        #expect(courier.pipeline.workers.values.allSatisfy { $0.runningHandlers == 0 })
    }

    @Test("completes the request with its deferred outcome, once")
    func completes() async throws {
        let courier = try await deliver()
        try await courier.answer(#"{"code":"success","dialog":"Delivered","response":{"by":"bike"}}"#)
        #expect(try courier.lines().last == "intent.completed.v1 success success Delivered")
        #expect(try courier.pipeline.results().last?.data["response"]?["by"]?.string == "bike")
        let count = try courier.lines().count
        try await courier.answer(#"{"code":"success","dialog":"Delivered","response":{"by":"bike"}}"#)
        try await courier.answer(#"{"code":"failure"}"#)
        #expect(try courier.lines().count == count)
    }

    @Test("can fail later")
    func fails() async throws {
        let courier = try await deliver()
        try await courier.answer(#"{"code":"failureNobodyHome","dialog":"Nobody was at home"}"#)
        #expect(try courier.lines().last == "intent.completed.v1 failure failureNobodyHome Nobody was at home")
    }

    @Test("can report progress, and each report extends its time")
    func progress() async throws {
        let courier = try await deliver()
        try await courier.pipeline.advance(by: .seconds(10 * 60))
        try await courier.answer(#"{"code":"inProgress","fraction":0.5,"dialog":"Half way"}"#)
        try await courier.pipeline.advance(by: .seconds(10 * 60))
        try await courier.answer(#"{"code":"inProgress","fraction":0.75}"#)
        try await courier.answer(#"{"code":"success"}"#)
        let lines = try courier.lines()
        #expect(
            lines.dropFirst().prefix(2) == [
                "intent.progressed.v1 inProgress Half way 0.5", "intent.progressed.v1 inProgress 0.75",
            ])
        #expect(lines.last == "intent.completed.v1 success success")
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

    @Test("has its outcome written to the partition of the work, with a unique id")
    func record() async throws {
        let courier = try await deliver()
        try await courier.answer(#"{"code":"success"}"#)
        let outcomes = courier.pipeline.log.records(in: courier.pipeline.topics.outcomes)
        let later = try #require(outcomes.last)
        #expect(later.partition == outcomes.first?.partition)
        let ids = outcomes.compactMap { record in
            record.headers.first { $0.name == "ce_id" }?.value.map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(Set(ids).count == outcomes.count && ids.last?.hasSuffix(".outcome.later") == true)
    }

    @Test(
        "gets the reason for an invalid outcome",
        arguments: [
            ("{", RejectionReason.unparseable, CallbackProblem.Status.badRequest),
            (#"{"dialog":"?"}"#, .invalid, .badRequest),
            (#"{"code":"ready"}"#, .unexpected, .badRequest),
            (#"{"code":"inProgress","fraction":2}"#, .invalid, .badRequest),
            (#"{"code":"success","response":[]}"#, .invalid, .badRequest),
            (#"{"code":"success","validFor":"long"}"#, .invalid, .badRequest),
            (#"{"code":"success","opens":{"intent":"Pay"}}"#, .unauthorized, .badRequest),
            (#"{"code":"inProgress","opens":{"intent":"Pay"}}"#, .unauthorized, .badRequest),
        ])
    func refused(_ body: String, _ reason: RejectionReason, _ status: CallbackProblem.Status) async throws {
        let courier = try await deliver()
        let problem = await #expect(throws: CallbackProblem.self) { try await courier.answer(body) }
        #expect(problem?.reason == reason && problem?.status == status)
        #expect(try courier.lines().count == 1)
    }

    @Test("is asked to post again if this worker does not serve the intent, without a word about who does")
    func elsewhere() async throws {
        let courier = try await deliver()
        let token = courier.tokens.token(for: Courier.replyTo(intent: "Elsewhere"), now: courier.pipeline.clock.now)
        let problem = await #expect(throws: CallbackProblem.self) {
            try await courier.answer(#"{"code":"success"}"#, token: token)
        }
        #expect(problem?.status == .unavailable && problem?.message.contains("10.1.2.3") == false)
    }

    @Test("can be for an intent of any name and language, in a worker or in the app")
    func addresses() throws {
        for text in [
            Courier.replyTo(), Courier.replyTo(intent: "Deliver.2"), #"["é\"","r/1",0,0,null,"A",true,"en-GB"]"#,
            #"["me","r1",4,2,"000102030405060708090a0b0c0d0e0f","A",false,null]"#,
        ] {
            #expect(DeferredOutcomeAddress(text)?.description == text)
        }
        for text in [
            "", "[]", #"["me","r1",4,2]"#, #"["me","r1",-1,2,null,"A",true,null]"#, #"["me","r1",4,2,null,"A",1,null]"#,
        ] {
            #expect(DeferredOutcomeAddress(text) == nil, "\(text)")
        }
    }
}
