import Conversation
import IntentEvents
import IntentKit
import IntentModel
import PipelineTestKit
import Testing

@Suite("A balance is told only to a person who has signed in")
struct SignInTests {
    @Test("the request waits while they sign in, and goes on with all that was said")
    func signsIn() async throws {
        var talk = try await PaymentsFixture().conversation()
        try await talk.request("SearchForAccounts", ["currency": "USD"])
        let prompt = try talk.pipeline.results().last
        #expect(
            prompt?.promptKind == .signIn && prompt?.data["signIn"]?["url"]?.string == "https://bank.example/sign-in")
        try await talk.say("yes")
        #expect(try talk.lines.last == "request.rejected.v1", "the answer names no person")
        talk.principal = Principal(.appUser, "ann")
        // The prompt is still open, although it is not the last result.
        let answer = Answer(prompt: prompt?.prompt ?? "", action: .accept)
        try talk.pipeline.send(.answered(answer), session: "s", id: "a2", from: talk.principal)
        try await talk.pipeline.settle()
        #expect(try talk.lines.last == "success success: You have $1000.00.")
        let done = try talk.pipeline.results().last?.data
        #expect(done?["supporting"]?.string == "Your balances")
        #expect(done?["snippet"]?["lines"]?.elements.map { $0["text"]?.string } == ["$1000.00"])
    }

    @Test("who does not sign in goes on in the app, or not at all")
    func declines() async throws {
        var talk = try await PaymentsFixture().conversation()
        try await talk.request("SearchForAccounts")
        try await talk.say("no")
        #expect(
            try talk.lines == [
                "signs in: Sign in to Example Bank.", "handoff.offered.v1",
                "failure failureRequiringInAppAuthentication: ",
            ])
    }

    @Test("who has signed in already is not asked")
    func known() async throws {
        var talk = try await PaymentsFixture().conversation()
        talk.principal = Principal(.user, "ann")
        try await talk.request("SearchForAccounts")
        #expect(try talk.lines == ["success success: You have €1000.00 and $1000.00."])
    }
}
