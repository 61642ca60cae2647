import Conversation
import IntentModel
import Testing

@Suite("A request that has succeeded can be taken back, for a time")
struct UndoTests {
    private let talk = Talk()

    private func succeed(
        _ id: Identifier = "r",
        _ undo: UndoOffer? = UndoOffer(OpenedIntent(intent: "Unbook", parameters: ["ride": .string("R-7")]))
    ) {
        talk.bring(to: .handling, id)
        var response = IntentResponse(.success)
        response.undo = undo
        talk.responds(response)
    }

    private func undo(_ id: Identifier = "u", _ request: Identifier? = nil) -> [String] {
        talk.receive(.undoRequested(UndoRequest(id: id, request: request)))
    }

    @Test("by another request, with the values that the handler gave, which is resolved and confirmed as any other is")
    func undone() {
        succeed()
        #expect(talk.completion?.undo?.intent == "Unbook")
        #expect(undo() == ["resolve"])
        #expect(talk.work?.intent == "Unbook" && talk.known("ride") == "given R-7")
        talk.resolver()
        talk.confirmer(.ready, asking: ConfirmationRequest())
        #expect(talk.answer(.accept) == ["handle"])
        #expect(talk.handler() == ["completed u: success success"])
        #expect(undo("v", "r") == ["rejected unexpected request"], "not twice")
    }

    @Test("again, if the first time came to nothing")
    func again() {
        succeed()
        _ = undo()
        #expect(undo("v").first?.hasPrefix("rejected busy") == true, "while it is being taken back")
        #expect(talk.cancel("u") == ["cancel resolve", "completed u: cancelled cancelled"])
        #expect(undo("w") == ["resolve"])
    }

    @Test("until its time has passed")
    func expired() {
        succeed("r", UndoOffer(OpenedIntent(intent: "Unbook"), validFor: .seconds(60)))
        #expect(talk.completion?.undo?.expires == talk.now.advanced(by: .seconds(60)))
        talk.now = talk.now.advanced(by: .seconds(60))
        #expect(undo() == ["rejected unexpected request"])
    }

    @Test("not longer than an idle session is remembered")
    func idle() {
        succeed("r", UndoOffer(OpenedIntent(intent: "Unbook"), validFor: .seconds(86_400)))
        #expect(talk.completion?.undo?.expires == talk.now.advanced(by: talk.policy.idleTimeout))
    }

    @Test("the last one that can be, or the one that is named")
    func which() {
        succeed("r1", UndoOffer(OpenedIntent(intent: "Unbook", parameters: ["ride": .string("1")])))
        succeed("r2", UndoOffer(OpenedIntent(intent: "Unbook", parameters: ["ride": .string("2")])))
        succeed("r3", nil)
        #expect(undo("u", "r1") == ["resolve"] && talk.known("ride") == "given 1")
        talk.cancel("u")
        #expect(undo("v") == ["resolve"] && talk.known("ride") == "given 2")
        #expect(undo("w", "r3") == ["rejected unexpected request"])
    }

    @Test("a repeated event takes nothing back twice")
    func repeated() {
        succeed()
        _ = undo()
        #expect(undo() == ["ignored duplicateRequest"])
    }

    @Test("a session has at most eight that can be, and forgets the oldest")
    func bounded() {
        for number in 1...9 { succeed("r\(number)") }
        #expect(talk.session.undoable.map(\.request.id) == (2...9).map { "r\($0)" })
    }

    @Test("a failure and a cancelled request offer nothing")
    func failure() {
        talk.bring(to: .handling)
        var response = IntentResponse(.failure)
        response.undo = UndoOffer(OpenedIntent(intent: "Unbook"))
        talk.responds(response)
        #expect(talk.completion?.undo == nil && talk.session.undoable.isEmpty)
    }

    @Test("a list that was done in part has succeeded, with a result for each element")
    func parts() {
        talk.bring(to: .handling)
        var response = IntentResponse(.partialSuccess, dialog: "Sent to 1 of 2.")
        response.results = [ElementResult(title: "Mia"), ElementResult(title: "Noa", code: "failureInboxFull")]
        #expect(talk.responds(response) == ["completed r: success partialSuccess"])
        #expect(talk.completion?.results == response.results)
    }
}
