import Conversation
import IntentKit
import IntentModel
import PipelineTestKit
import Testing

@Suite("An event after which the session would be too large")
struct SessionSizeTests {
    private let talk = Talk()

    private func refusal(_ event: SessionEvent) -> SessionEvent? {
        talk.session.refusal(of: event, bytes: 7, maximum: 5)
    }

    private func outcome(_ content: Outcome.Content) -> SessionEvent {
        .outcome(
            Outcome(
                request: "r", step: talk.session.active?.step ?? 0, phase: .handle, content: content,
                ticket: talk.session.active?.ticket))
    }

    @Test("is rejected if it comes from the person's side, which can send less")
    func person() {
        let events: [SessionEvent] = [
            .requested(IntentRequest(id: "r", intent: "Book")), .answered(Answer(prompt: "p", action: .accept)),
            .corrected(Correction(parameter: "p", value: .number(1))),
        ]
        for event in events {
            guard case .refused(let rejection)? = refusal(event) else {
                Issue.record("\(event) was accepted")
                continue
            }
            #expect(rejection.reason == .complex && rejection.message.contains("7 bytes, and it may take 5"))
        }
    }

    @Test("fails the request if it is a worker's outcome; the outcome is unknown if the effect may have happened")
    func worker() throws {
        talk.bring(to: .handling)
        let answer = outcome(.finished(.responded(.success)))
        #expect(talk.receive(try #require(refusal(answer))) == ["completed r: failure failure"])
        #expect(talk.completion?.error?.reason == .complex)

        talk.bring(to: .handling, "r2")
        talk.session.active?.stage.call?.permit = "claim"
        let once = Outcome(
            request: "r2", step: talk.session.active?.step ?? 0, phase: .handle,
            content: .finished(.responded(.success)),
            ticket: talk.session.active?.ticket)
        #expect(talk.receive(try #require(refusal(.outcome(once)))) == ["completed r2: failure failure"])
        #expect(talk.completion?.error?.reason == .outcomeUnknown)
    }

    @Test("is told without what it says if it is a late success")
    func lateSuccess() throws {
        talk.bring(to: .handling)
        let late = outcome(.finished(.responded(.success(dialog: "Booked"))))
        talk.waitForTimer()
        #expect(talk.completion?.status == .timedOut)
        #expect(talk.receive(try #require(refusal(late))) == ["late r: success"])
        #expect(talk.session.abandoned.isEmpty)
    }

    @Test("is accepted if it ends something or is a timer")
    func ends() {
        talk.bring(to: .handling)
        let failed = PhaseOutcome.failed(IntentFailure(.reject, reason: .invalid, message: ""))
        let events: [SessionEvent] = [
            .cancelled(request: nil), .timer, .ended(reason: nil), .forgotten(Forgetting(keys: nil)),
            outcome(.cancelled),
            outcome(.finished(failed)),
            .handoffCompleted(handoff: "h", claimant: "c", response: IntentResponse(.success)),
            .updatesStopped(request: "r"),
        ]
        for event in events { #expect(refusal(event) == nil) }
    }
}
