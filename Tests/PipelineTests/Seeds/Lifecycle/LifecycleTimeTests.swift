import Conversation
import IntentEvents
import IntentKit
import PipelineTestKit
import Testing

@Suite("The behaviours most often got wrong: 7 to 10, and 20")
struct LifecycleTimeTests {
    // MARK: 7

    private func asking() async throws -> (talk: Dialogue, prompt: Identifier) {
        let talk = try await Dialogue.errand(ErrandHandler(confirms: { _, _ in .userConfirmationRequired() }))
        return (talk, try #require(try talk.prompt()?.prompt))
    }

    @Test("7: a late acceptance is rejected with a reason, and has no effect")
    func lateYes() async throws {
        let (talk, prompt) = try await asking()
        try await talk.pipeline.advance(by: talk.pipeline.policy.answerTimeout)
        try await talk.send(.answered(Answer(prompt: prompt, action: .accept)))
        #expect(
            try talk.lines() == ["prompt confirmIntent -", "completed timedOut requestTimedOut", "rejected unexpected"])
        #expect(try talk.work(.handle).isEmpty)
    }

    @Test("7: a duplicated acceptance counts once")
    func doubleYes() async throws {
        let (talk, prompt) = try await asking()
        for _ in 1...2 { try await talk.send(.answered(Answer(prompt: prompt, action: .accept))) }
        #expect(try talk.lines() == ["prompt confirmIntent -", "completed success success", "rejected unexpected"])
        #expect(try talk.work(.handle).count == 1)
    }

    @Test("7: an answer to a withdrawn prompt is rejected with a reason")
    func cancelledPrompt() async throws {
        let (talk, prompt) = try await asking()
        try await talk.send(.cancelled(request: nil))
        try await talk.send(.answered(Answer(prompt: prompt, action: .accept)))
        #expect(try talk.lines() == ["prompt confirmIntent -", "completed cancelled cancelled", "rejected unexpected"])
        #expect(try talk.work(.handle).isEmpty)
    }

    @Test("7: the timer of an answered prompt has no effect")
    func oldTimer() async throws {
        let talk = try await Dialogue.errand(ErrandHandler(), ["van": "yes"])
        try await talk.pipeline.advance(by: .seconds(100))
        try await talk.say("Kim")
        try await talk.pipeline.advance(by: .seconds(100))
        #expect(try talk.lines() == ["prompt value who", "prompt value boxes"])
        try await talk.say("2")
        #expect(try talk.lines().last == "completed success success")
    }

    @Test("7: after a timeout the next waiting request begins")
    func nextInQueue() async throws {
        let (talk, _) = try await asking()
        try await talk.request(Errand.self, id: "next")
        #expect(try talk.lines() == ["prompt confirmIntent -", "progress"])
        try await talk.pipeline.advance(by: talk.pipeline.policy.answerTimeout)
        #expect(
            try talk.lines() == [
                "prompt confirmIntent -", "progress", "completed timedOut requestTimedOut", "prompt value who",
            ])
    }

    // MARK: 8: only the list of options of live rides concerns every handler

    @Test("8: options are fetched again each time, and an answer needs only the identifier")
    func options() async throws {
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
        let talk = try await Dialogue(SelfPerformingExtension(Book.self) { $0.add(notebook) })
        try await talk.request(Book.self)
        try await talk.choose("Car")
        #expect(try talk.last()?.dialog == "Car" && notebook.all.count == 2)
    }

    @Test("8: an offer that has expired when the person accepts is made again")
    func expired() async throws {
        let talk = try await Dialogue.errand(
            ErrandHandler(confirms: { _, _ in .userConfirmationRequired(validFor: .seconds(30)) }))
        try await talk.pipeline.advance(by: .seconds(31))
        try await talk.yes()
        #expect(try talk.lines() == ["prompt confirmIntent -", "prompt confirmIntent -"])
        try await talk.yes()
        #expect(try talk.lines().last == "completed success success" && talk.work(.confirm).count == 2)
    }

    // MARK: 9

    @Test("9: in progress, a crash and a duplicated completion lead to one result")
    func inProgress() async throws {
        let talk = try await Dialogue.errand(ErrandHandler(handles: { _, _ in .inProgress(dialog: "Soon") }))
        let item = try #require(try talk.work(.handle).last)
        for name in ["handle", "coordinator"] { talk.pipeline.kill(name) }
        try talk.pipeline.startCoordinator("successor")
        try await talk.pipeline.settle()
        for _ in 1...2 { try await talk.answer(item.address, .responded(.success(dialog: "Done")), item.item?.ticket) }
        #expect(try talk.lines() == ["progress", "completed success success"] && talk.last()?.dialog == "Done")
    }

    @Test("9: a completion after the deadline does not lead to a second result")
    func afterTheDeadline() async throws {
        let talk = try await Dialogue.errand(ErrandHandler(handles: { _, _ in .inProgress() }))
        let item = try #require(try talk.work(.handle).last)
        for _ in 1...3 { try await talk.pipeline.advance(by: talk.pipeline.policy.inProgressTimeout) }
        try await talk.answer(item.address, .responded(.success), item.item?.ticket)
        #expect(try talk.completions().map(\.said) == ["completed timedOut requestTimedOut"])
    }

    @Test("9: a handler that is killed after the effect is called again with the same key, and there is one result")
    func killedAfterTheEffect() async throws {
        let (gate, notebook) = (Gate(), Recorder<String>())
        let handler = ErrandHandler(handles: { _, context in
            notebook.record("effect \(context.idempotencyKey)")
            try await gate.pass()
            return .success
        })
        let talk = try await Dialogue(SingleHandlerExtension(handler: handler), gates: [gate])
        try await talk.request(Errand.self, ["who": "Kim"])
        talk.pipeline.kill("handle")
        try talk.pipeline.startWorker("another", .handle)
        gate.open()
        try await talk.pipeline.settle()
        #expect(try talk.lines() == ["completed success success"])
        #expect(notebook.all.count == 2 && Set(notebook.all).count == 1)
    }

    // MARK: 10

    @Test(
        "10: code before a question runs again after the answer, except in once, in both styles",
        arguments: [true, false])
    func effectsBeforeAnAsk(throwing: Bool) async throws {
        let notebook = Recorder<String>()
        let handler = ErrandHandler(handles: { errand, context in
            notebook.record("again")
            try await context.once("hold") { notebook.record("hold") }
            if throwing {
                guard errand.note != nil else { throw errand.$note.requestValue("A note?") }
            } else {
                _ = try await errand.$note.requestValue("A note?")
            }
            return .success
        })
        let talk = try await Dialogue.errand(handler)
        try await talk.say("Hello")
        #expect(try talk.lines() == ["prompt value note", "completed success success"])
        #expect(notebook.count("again") == 2 && notebook.count("hold") == 1)
    }

    @Test("10: declining a value returns false, and declining the intent cancels it")
    func twoKindsOfNo() async throws {
        let toValue = try await Dialogue.errand(
            ErrandHandler(handles: { errand, _ in
                let isRight = try await errand.$boxes.requestConfirmation(for: 3, dialog: "Three?")
                return .success(dialog: "\(isRight)")
            }))
        try await toValue.no()
        #expect(try toValue.lines().last == "completed success success" && toValue.last()?.dialog == "no")
        let toIntent = try await Dialogue.errand(
            ErrandHandler(handles: { _, context in
                try await context.requestConfirmation(dialog: "Really?")
                return .success
            }))
        try await toIntent.no()
        #expect(try toIntent.lines() == ["prompt confirmIntent -", "completed cancelled cancelled"])
    }

    // MARK: 20

    @Test("20: events in the meantime do not give the person more time")
    func timeCountsFromThePrompt() async throws {
        let (talk, _) = try await asking()
        try await talk.pipeline.advance(by: .seconds(100))
        try await talk.request(Errand.self, id: "other", whenBusy: .reject)
        #expect(try talk.lines().count == 2)
        try await talk.pipeline.advance(by: .seconds(20))
        #expect(try talk.lines().last == "completed timedOut requestTimedOut")
    }
}
