import Conversation
import IntentEvents
import IntentModel
import IntentRuntime
import PipelineTestKit
import SampleDomains
import Testing

@Suite("A whole conversation about a call")
struct CallConversationTests {
    private func answer(_ pipeline: TestPipeline, option: String? = nil, value: String? = nil) async throws {
        let prompt = try #require(try pipeline.results().last?.prompt)
        var answer = Answer(prompt: prompt, action: .accept)
        answer.option = option
        answer.value = value.map { .string($0) }
        try pipeline.send(.answered(answer), session: "s", id: "to-\(prompt)")
        try await pipeline.settle()
    }

    @Test("one contact is chosen, another corrected, the call confirmed and offered to the app")
    func conference() async throws {
        let calls = try CallsFixture()
        let registry = calls.registry
        let pipeline = try await TestPipeline { await registry.perform($0, report: $1) }
        try pipeline.startAll()
        try await pipeline.settle()
        let request = IntentRequest(id: "r", intent: "StartCall", parameters: .to("John", "Zebedee"))
        try pipeline.send(.requested(request), session: "s", id: "r")
        try await pipeline.settle()
        try await answer(pipeline, option: "c3")
        #expect(try pipeline.results().last?.data["dialog"]?.string == "There is nobody of that name in your contacts.")
        try await answer(pipeline, value: "Ines")
        #expect(try pipeline.results().last?.data["kind"]?.string == "confirmIntent")
        #expect(
            try pipeline.results().last?.data["dialog"]?.string
                == "Call to John Marsh, work and Ines Falk, mobile. Shall I?")
        try await answer(pipeline)
        let offer = try #require(try pipeline.results().last)
        #expect(offer.type == .handoffOffered)
        #expect(offer.data["mode"]?.string == "foreground")
        #expect(calls.searched.filter { $0 == "John" }.count == 1)
    }
}
