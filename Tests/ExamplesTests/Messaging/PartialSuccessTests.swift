import IntentEvents
import IntentModel
import PipelineTestKit
import SampleDomains
import Testing

@Suite("A message that reaches some of its recipients")
struct PartialSuccessTests {
    private func send(to recipients: String) async throws -> TestConversation {
        let messaging = try MessagingFixture()
        var talk = try await TestConversation(with: [messaging.served])
        try await talk.request("SendMessage", ["recipients": recipients, "content": "Hi"])
        try await talk.say("yes")
        return talk
    }

    @Test("has succeeded, and the completion says what came of each")
    func some() async throws {
        let talk = try await send(to: "John Brandt, Anna Costa and Noa Kern")
        #expect(try talk.lines.last == "success partialSuccess: Sent to 2 of 3.")
        let results = try talk.pipeline.results().last?.data["results"]?.elements ?? []
        #expect(results.map { $0["title"]?.string } == ["John Brandt", "Anna Costa", "Noa Kern"])
        #expect(results.map { $0["code"]?.string } == ["success", "success", "failureInboxFull"])
        #expect(results.last?["dialog"]?.string == "The inbox is full.")
    }

    @Test("has failed if it reached none")
    func none() async throws {
        #expect(try await send(to: "Noa Kern").lines.last == "failure failureInboxFull: No inbox has room for it.")
    }

    @Test("has plainly succeeded if it reached all")
    func all() async throws {
        let talk = try await send(to: "John Brandt")
        #expect(try talk.lines.last == "success success: Sent to John Brandt.")
        #expect(try talk.pipeline.results().last?.data["results"] == nil)
    }
}
