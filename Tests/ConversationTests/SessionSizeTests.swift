import Conversation
import IntentModel
import Testing

@Suite("An event after which the session would be too large") struct SessionSizeTests {
    private let talk = Talk()

    private func refusal(_ event: SessionEvent) -> SessionEvent? {
        talk.session.refusal(of: event, bytes: 7, maximum: 5)
    }

    private func outcome(_ content: Outcome.Content) -> SessionEvent {
        .outcome(
            Outcome(
                request: talk.active ?? "r", step: talk.session.active?.step ?? 0, phase: .handle, content: content,
                ticket: talk.session.active?.ticket))
    }

    @Test(
        arguments: [
            .requested(IntentRequest(id: "r", intent: "Book")), .answered(Answer(prompt: "p", action: .accept)),
            .corrected(Correction(parameter: "p", value: .number(1))),
        ] as [SessionEvent])
    func `is rejected if it comes from the person's side, which can send less`(_ event: SessionEvent) throws {
        let rejection = try #require(refusal(event).flatMap { if case .refused(let why) = $0 { why } else { nil } })
        #expect(rejection.reason == .complex && rejection.message.contains("7 bytes, and it may take 5"))
    }

    @Test("fails the request if it is a worker's outcome; the outcome is unknown if the effect may have happened")
    func worker() throws {
        talk.play(.at(.handling))
        let answer = try #require(refusal(outcome(.success)))
        talk.play([.event(answer): "completed r: failure failure", .the(\.error): "complex"])
        talk.play(.at(.handling, id: "r2"))
        talk.session.active?.stage.call?.permit = "claim"
        let once = try #require(refusal(outcome(.success)))
        talk.play([.event(once): "completed r2: failure failure", .the(\.error): "outcomeUnknown"])
    }

    @Test func `is told without what it says if it is a late success`() throws {
        talk.play(.at(.handling))
        let late = outcome(.finished(.responded(IntentResponse(.success, dialog: "Booked"))))
        talk.play([.timer(): "…", .the(\.completion?.status): "timedOut"])
        let refused = try #require(refusal(late))
        talk.play([.event(refused): "late r: success", .the(\.session.abandoned): "none"])
    }

    @Test func `is accepted if it ends something or is a timer`() {
        talk.play(.at(.handling))
        let failed = PhaseOutcome.failed(IntentFailure(.reject, reason: .invalid, message: ""))
        let events: [SessionEvent] = [
            .cancelled(request: nil), .timer, .ended(reason: nil), .forgotten(Forgetting(keys: nil)),
            outcome(.cancelled), outcome(.finished(failed)), .updatesStopped(request: "r"),
            .handoffCompleted(handoff: "h", claimant: "c", response: IntentResponse(.success)),
        ]
        for event in events { #expect(refusal(event) == nil) }
    }
}
