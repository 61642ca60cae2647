import Conversation
import IntentModel
import Testing

@Suite("Ending a session from outside: everything is completed, then it is forgotten")
struct EndingSessionTests {
    let talk = Talk()

    private func end(_ reason: String? = "spam", _ location: SourceLocation = #_sourceLocation) -> [String] {
        talk.receive(.ended(reason: reason), location)
    }

    @Test(
        "what no handler is at is completed as cancelled, with the operator's reason, and the timer forgets the session at once",
        arguments: [
            (StageName.resolving, ["cancel resolve"]), (.awaitingAnswer, []), (.confirming, ["cancel confirm"]),
            (.awaitingConfirmation, []),
            (.handedOff, []),
        ])
    func atOnce(_ stage: StageName, _ first: [String]) {
        talk.bring(to: stage)
        #expect(end() == first + ["completed r: cancelled cancelled"])
        #expect(talk.completion?.error?.message == "an operator ended the session: spam")
        #expect(talk.session.handoffs.isEmpty)
        #expect(talk.session.nextTimer(talk.policy) <= talk.now)
        #expect(talk.wait(.zero) == ["forgotten"])
    }

    @Test("waiting and interrupted requests are completed too, none of them begins")
    func waiting() {
        talk.bring(to: .awaitingAnswer)
        talk.request("second", whenBusy: .interrupt)
        talk.request("third")
        #expect(
            end() == [
                "completed third: cancelled cancelled", "completed r: cancelled cancelled", "cancel resolve",
                "completed second: cancelled cancelled",
            ])
        #expect(talk.wait(.zero) == ["forgotten"])
    }

    @Test("a running handler is told why, and gets its time to clean up", arguments: [StageName.handling, .inProgress])
    func running(_ stage: StageName) {
        talk.bring(to: stage)
        #expect(end(nil) == ["cancel handle"])
        #expect(talk.cancelWork?.reason == .sessionEnded)
        #expect(talk.wait(.zero) == ["ignored earlyTimer"])
        #expect(talk.worker(.cancelled) == ["completed r: cancelled cancelled"])
        #expect(talk.completion?.error?.message == "an operator ended the session")
        #expect(talk.wait(.zero) == ["forgotten"])
    }

    @Test("a handler that had succeeded has succeeded; one that does not answer is left behind")
    func outcomes() {
        talk.bring(to: .handling)
        _ = end()
        #expect(talk.handler() == ["completed r: success success"])
        #expect(talk.completion?.error == nil)
        #expect(talk.wait(.zero) == ["forgotten"])
        talk.begin()
        talk.bring(to: .handling)
        _ = end()
        #expect(talk.wait(talk.policy.cancelTimeout) == ["completed r: cancelled cancelled"])
        #expect(talk.wait(.zero) == ["forgotten"])
    }

    @Test("of a handler that may be called once nobody says that it was called off: its outcome is unknown")
    func atMostOnce() {
        talk.bring(to: .handling, intent: IntentPolicy(effect: .atMostOnce))
        talk.starts("a")
        #expect(end() == ["cancel handle"])
        #expect(talk.wait(talk.policy.cancelTimeout) == ["completed r: failure failure"])
        #expect(talk.completion?.error?.reason == .outcomeUnknown)
    }

    @Test("twice is once, and a session that is not there is not opened for it")
    func idempotent() {
        #expect(end() == ["ignored nothingToEnd"])
        talk.bring(to: .handling)
        #expect(end() == ["cancel handle"])
        #expect(end("again") == ["ignored repeatedEnd"])
        talk.worker(.cancelled)
        #expect(end() == ["ignored repeatedEnd"])
    }

    @Test("an idle session goes without a word, and what it remembers with it")
    func idle() {
        talk.bring(to: .handling)
        talk.handler()
        #expect(end() == [])
        #expect(talk.session.memory.entries.isEmpty)
        #expect(talk.wait(.zero) == ["forgotten"])
    }

    @Test("until it is forgotten it takes no request, and knows those that it had")
    func refuses() {
        talk.bring(to: .handling)
        _ = end()
        #expect(talk.request("late") == ["rejected busy"])
        #expect(talk.request("late", whenBusy: .replace) == ["rejected busy"])
        #expect(talk.request("r") == ["ignored duplicateRequest"])
        talk.worker(.cancelled)
        #expect(talk.request("late") == ["rejected busy"])
        #expect(talk.wait(.zero) == ["forgotten"])
    }

    @Test("updates that somebody hears are ended")
    func updates() {
        talk.bring(to: .handling)
        var response = IntentResponse(.success)
        response.offersUpdates = true
        talk.worker(.finished(.responded(response, confirmation: nil)), phase: .handle)
        talk.receive(.updatesStarted(request: "r"))
        #expect(end() == ["cancel handle", "updates stopped"])
        #expect(talk.wait(.zero) == ["forgotten"])
    }

    @Test("a long reason is cut")
    func longReason() {
        talk.bring(to: .handling)
        _ = end(String(repeating: "x", count: 5_000))
        #expect(talk.session.ending?.reason?.count == SessionEnding.maximumReasonLength)
    }
}
