import Conversation
import IntentModel
import Testing

@Suite("Ending a session from outside: all its requests are completed, then it is forgotten")
struct EndingSessionTests {
    let talk = Talk()

    private func end(_ reason: String? = "spam", _ location: SourceLocation = #_sourceLocation) -> [String] {
        talk.receive(.ended(reason: reason), location)
    }

    @Test(
        "a request without a running handler is cancelled with the operator's reason, and the timer forgets the session at once",
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

    @Test("queued and interrupted requests are completed too, and none of them begins")
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

    @Test(
        "a running handler is told the reason, and has its time to clean up",
        arguments: [StageName.handling, .inProgress])
    func running(_ stage: StageName) {
        talk.bring(to: stage)
        #expect(end(nil) == ["cancel handle"])
        #expect(talk.cancelWork?.reason == .sessionEnded)
        #expect(talk.wait(.zero) == ["ignored earlyTimer"])
        #expect(talk.worker(.cancelled) == ["completed r: cancelled cancelled"])
        #expect(talk.completion?.error?.message == "an operator ended the session")
        #expect(talk.wait(.zero) == ["forgotten"])
    }

    @Test("a handler that had succeeded completes with success; one that does not answer is abandoned")
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

    @Test("an at-most-once handler that does not answer has an unknown outcome, and is not reported as cancelled")
    func atMostOnce() {
        talk.bring(to: .handling, intent: IntentPolicy(effect: .atMostOnce))
        talk.starts("a")
        #expect(end() == ["cancel handle"])
        #expect(talk.wait(talk.policy.cancelTimeout) == ["completed r: failure failure"])
        #expect(talk.completion?.error?.reason == .outcomeUnknown)
    }

    @Test("ending twice has the effect of ending once, and does not open an unknown session")
    func idempotent() {
        #expect(end() == ["ignored nothingToEnd"])
        talk.bring(to: .handling)
        #expect(end() == ["cancel handle"])
        #expect(end("again") == ["ignored repeatedEnd"])
        talk.worker(.cancelled)
        #expect(end() == ["ignored repeatedEnd"])
    }

    @Test("an idle session is forgotten without a result, together with its memory")
    func idle() {
        talk.bring(to: .handling)
        talk.handler()
        #expect(end() == [])
        #expect(talk.session.memory.entries.isEmpty)
        #expect(talk.wait(.zero) == ["forgotten"])
    }

    @Test("until it is forgotten, it accepts no new request and still knows its old ones")
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

    @Test("running live updates are ended")
    func updates() {
        talk.bring(to: .handling)
        var response = IntentResponse(.success)
        response.offersUpdates = true
        talk.worker(.finished(.responded(response, confirmation: nil)), phase: .handle)
        talk.receive(.updatesStarted(request: "r"))
        #expect(end() == ["cancel handle", "updates stopped"])
        #expect(talk.wait(.zero) == ["forgotten"])
    }

    @Test("a long reason is truncated")
    func longReason() {
        talk.bring(to: .handling)
        _ = end(String(repeating: "x", count: 5_000))
        #expect(talk.session.ending?.reason?.count == SessionEnding.maximumReasonLength)
    }
}
