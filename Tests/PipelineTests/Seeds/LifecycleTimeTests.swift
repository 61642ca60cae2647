import Conversation
import IntentEvents
import IntentKit
import PipelineTestKit
import Testing

@Suite("The behaviours most often got wrong: 7 to 9, and 20") struct LifecycleTimeTests {
    private func asking() async throws -> (talk: TestConversation, yes: SessionEvent) {
        let talk = try await TestConversation.errand(ErrandHandler(confirms: { _, _ in .userConfirmationRequired() }))
        return (talk, .answered(Answer(prompt: try #require(try talk.prompt?.prompt), action: .accept)))
    }

    @Test func `7: a late acceptance is rejected with a reason, and has no effect`() async throws {
        var (talk, yes) = try await asking()
        try await talk.pipeline.advance(by: talk.pipeline.policy.answerTimeout)
        try await talk.send(yes)
        #expect(try talk.steps.dropFirst() == ["completed timedOut requestTimedOut", "rejected unexpected"])
        #expect(try talk.dispatched(.handle).isEmpty)
    }

    @Test(
        "7: an answer to a withdrawn prompt is rejected with a reason, and a duplicated acceptance counts once",
        arguments: [(true, "completed cancelled cancelled", 0), (false, "completed success success", 1)])
    func secondAnswer(isWithdrawn: Bool, _ end: String, _ calls: Int) async throws {
        var (talk, yes) = try await asking()
        try await talk.send(isWithdrawn ? .cancelled(request: nil) : yes)
        try await talk.send(yes)
        #expect(try talk.steps.dropFirst() == [end, "rejected unexpected"])
        #expect(try talk.dispatched(.handle).count == calls)
    }

    @Test func `7: the timer of an answered prompt has no effect`() async throws {
        var talk = try await TestConversation(about: SendPaymentHandler(contacts: [SendPaymentHandler.johns[0]]))
        try await talk.pipeline.advance(by: .seconds(100))
        try await talk.answer("John")
        try await talk.pipeline.advance(by: .seconds(100))
        #expect(try talk.steps == ["prompt value payee", "prompt value currencyAmount"])
        try await talk.answer("20 EUR")
        #expect(try talk.steps.last == "completed success success")
    }

    @Test func `7: after a timeout the next waiting request begins`() async throws {
        var (talk, _) = try await asking()
        try await talk.request(Errand.self)
        #expect(try talk.steps == ["prompt confirmIntent -", "progress"])
        try await talk.pipeline.advance(by: talk.pipeline.policy.answerTimeout)
        #expect(try talk.steps.suffix(2) == ["completed timedOut requestTimedOut", "prompt value who"])
    }

    // MARK: 8: only the list of options of live rides concerns every handler

    @Test func `8: options are fetched again each time, and an answer needs only the identifier`() async throws {
        struct Rides: DynamicOptionsProvider {
            @Dependency var notebook: Recorder<String>
            func results() async throws -> [String] {
                notebook.record("fetched")
                return ["Bike", "Car"]
            }
        }
        struct Book: AppIntent {
            static let title: LocalizedText = "Book"
            @Parameter(title: "Ride", optionsProvider: Rides()) var ride: String
            static let parameters = Parameters<Self>(\.$ride)
            func perform() async throws -> some IntentResult & ProvidesDialog { .result(dialog: "\(ride)") }
        }
        let notebook = Recorder<String>()
        var talk = try await TestConversation(performing: Book.self) { $0.add(notebook) }
        try await talk.answer("Car")
        #expect(try talk.last?.dialog == "Car" && notebook.all.count == 2)
    }

    @Test func `9: in progress, a crash and a duplicated completion lead to one result`() async throws {
        let talk = try await TestConversation.errand { _, _ in .inProgress(dialog: "Soon") }
        let work = try #require(try talk.dispatched(.handle).last)
        for name in ["handle", "coordinator"] { talk.pipeline.kill(name) }
        try talk.pipeline.startCoordinator("successor")
        try await talk.pipeline.settle()
        for _ in 1...2 { try await talk.report(.responded(.success(dialog: "Done")), of: work) }
        #expect(try talk.lines == ["progress", "success success: Done"])
    }

    @Test func `9: a completion after the deadline does not lead to a second result`() async throws {
        let talk = try await TestConversation.errand { _, _ in .inProgress() }
        let work = try #require(try talk.dispatched(.handle).last)
        for _ in 1...3 { try await talk.pipeline.advance(by: talk.pipeline.policy.inProgressTimeout) }
        try await talk.report(.responded(.success), of: work)
        #expect(try talk.completions.map(\.line) == ["completed timedOut requestTimedOut"])
    }

    @Test("9: a handler that is killed after the effect is called again with the same key, and there is one result")
    func killedAfterTheEffect() async throws {
        let (gate, notebook) = (Gate(), Recorder<String>())
        let talk = try await TestConversation.errand(
            handles: { _, context in
                notebook.record("effect \(context.idempotencyKey)")
                try await gate.pass()
                return .success
            }, gates: [gate])
        talk.pipeline.kill("handle")
        try talk.pipeline.startWorker("another", .handle)
        gate.open()
        try await talk.pipeline.settle()
        #expect(try talk.steps == ["completed success success"])
        #expect(notebook.all.count == 2 && Set(notebook.all).count == 1)
    }

    @Test func `20: events in the meantime do not give the person more time`() async throws {
        var (talk, _) = try await asking()
        try await talk.pipeline.advance(by: .seconds(100))
        try await talk.request(IntentRequest(id: "other", intent: "Errand", whenBusy: .reject))
        #expect(try talk.steps.count == 2)
        try await talk.pipeline.advance(by: .seconds(20))
        #expect(try talk.steps.last == "completed timedOut requestTimedOut")
    }
}
