import Conversation
import IntentModel
import Testing

@Suite("Failing: retry, fail or reject")
struct FailureTests {
    @Test("a failure that the person can fix in the app opens the app, in any phase", arguments: Phase.allCases)
    func launch(_ phase: Phase) {
        let talk = Talk()
        talk.bring(to: phase == .resolve ? .resolving : phase == .confirm ? .confirming : .handling)
        let activity = UserActivity(activityType: "com.example.sign-in")
        let failure = IntentFailure(
            .failure("failureRequiringInAppAuthentication"), reason: .unauthorized, message: "signed out",
            activity: activity)
        #expect(
            talk.worker(.finished(.failed(failure))) == [
                "offer foreground", "completed r: failure failureRequiringInAppAuthentication",
            ])
        #expect(talk.session.handoffs.first?.activity == activity && talk.completion?.activity == activity)
    }

    let talk = Talk()
    static let working = [StageName.resolving, .confirming, .handling]

    @Test(
        "a worker may ask for a retry after a delay: the timer dispatches it, and nothing before does",
        arguments: working)
    func retry(_ stage: StageName) {
        talk.bring(to: stage)
        let phase = talk.session.active?.phase
        let key = talk.session.outstandingWork.first?.item?.idempotencyKey
        let step = talk.session.active?.step
        #expect(talk.fails(.retry(after: .seconds(5)), .busy) == [])
        #expect(talk.session.outstandingWork.isEmpty)
        #expect(talk.wait(.seconds(4)) == ["ignored earlyTimer"])
        #expect(talk.wait(.seconds(1)) == ["\(phase!) attempt 2"])
        #expect(talk.work?.item?.idempotencyKey == key)
        #expect(talk.worker(.cancelled, step: step) == ["ignored staleOutcome"])
    }

    @Test("a second outcome of the failed attempt changes nothing while the next one is due", arguments: working)
    func duplicateFailure(_ stage: StageName) {
        talk.bring(to: stage)
        talk.fails(.retry(after: .seconds(5)), .busy)
        #expect(talk.fails(.retry(after: .seconds(5)), .busy) == ["ignored staleOutcome"])
    }

    @Test("attempts are limited: the last failure is the request's", arguments: working)
    func attempts(_ stage: StageName) {
        talk.policy.maximumAttempts = 3
        talk.bring(to: stage)
        let phase = talk.session.active!.phase!
        for attempt in 2...3 {
            talk.fails(.retry(after: .zero), .busy)
            #expect(talk.waitForTimer() == ["\(phase) attempt \(attempt)"])
        }
        #expect(talk.fails(.retry(after: .zero), .busy) == ["completed r: failure failure"])
        #expect(talk.completion?.error?.reason == .busy)
    }

    @Test("all attempts share the time of their phase")
    func sharedTime() {
        talk.bring(to: .handling)
        let ends = talk.session.active?.stageEnds
        talk.fails(.retry(after: .seconds(40)), .busy)
        talk.waitForTimer()
        #expect(talk.session.active?.stageEnds == ends)
        talk.fails(.retry(after: .seconds(40)), .busy)
        #expect(talk.waitForTimer() == ["completed r: timedOut requestTimedOut"])
    }

    @Test("the next phase begins with its first attempt")
    func nextPhase() {
        talk.request()
        talk.fails(.retry(after: .zero), .busy)
        talk.waitForTimer()
        #expect(talk.resolver() == ["confirm"])
    }

    @Test("a negative delay means no retry", arguments: working)
    func negativeDelay(_ stage: StageName) {
        talk.bring(to: stage)
        #expect(talk.fails(.retry(after: .seconds(-5)), .busy) == ["completed r: failure failure"])
    }

    @Test("an excessive delay ends with the phase", arguments: [Duration.milliseconds(Int64.max), .seconds(Int64.max)])
    func endless(_ delay: Duration) {
        talk.request()
        #expect(talk.fails(.retry(after: delay), .busy) == [])
        #expect(talk.waitForTimer() == ["completed r: timedOut requestTimedOut"])
    }

    @Test("a handler that fails after reporting progress can be retried: it starts again")
    func retryInProgress() {
        talk.bring(to: .inProgress)
        talk.progress(0.5)
        #expect(talk.fails(.retry(after: .seconds(1)), .busy) == [])
        #expect(talk.stage == .handling)
        #expect(talk.waitForTimer() == ["handle attempt 2"])
        #expect(talk.progress(0.25) == ["progress 0.25"])
    }

    @Test("a failure with a code ends the request with it", arguments: working + [.inProgress])
    func code(_ stage: StageName) {
        talk.bring(to: stage)
        #expect(
            talk.fails(.failure("failureNoMatchingWorkout"), .invalid) == [
                "completed r: failure failureNoMatchingWorkout"
            ])
        #expect(talk.completion?.error?.reason == .invalid)
    }

    @Test(
        "a phase that was cancelled, or whose question the person declined, cancels the request",
        arguments: working + [.inProgress])
    func cancelledPhase(_ stage: StageName) {
        talk.bring(to: stage)
        #expect(talk.fails(.failure(.cancelled), .unexpected) == ["completed r: cancelled cancelled"])
    }

    @Test("a request that a worker rejects fails", arguments: working + [.inProgress])
    func reject(_ stage: StageName) {
        talk.bring(to: stage)
        #expect(talk.fails(.reject, .invalid) == ["completed r: failure failure"])
    }

    @Test("an intent that no worker serves is unsupported, as SiriKit calls it")
    func unsupported() {
        talk.request()
        #expect(talk.fails(.reject, .unsupported) == ["completed r: unsupported noHandlerProvidedForIntent"])
    }

    @Test("an unreadable outcome fails the request that a worker has", arguments: working + [.inProgress])
    func unreadable(_ stage: StageName) {
        talk.bring(to: stage)
        #expect(
            talk.receive(.unreadableOutcome(Rejection(.unparseable, "garbage"), talk.session.active?.ticket)) == [
                "completed r: failure failure"
            ])
        #expect(talk.completion?.error?.reason == .unparseable)
    }

    @Test("an unreadable outcome does not affect a request that waits for its next attempt")
    func unreadableWhileWaiting() {
        talk.request()
        talk.fails(.retry(after: .seconds(5)), .busy)
        #expect(
            talk.receive(.unreadableOutcome(Rejection(.unparseable, "garbage"), talk.session.active?.ticket)) == [
                "ignored staleOutcome"
            ])
    }

    private func refuseWork() -> [String] {
        talk.receive(
            .workRefused(
                request: "r", step: talk.session.active?.step ?? 0, Rejection(.internal, "it could not be written")))
    }

    @Test("a request fails if the log refuses its work", arguments: working)
    func refusedWork(_ stage: StageName) {
        talk.bring(to: stage)
        #expect(refuseWork() == ["completed r: failure failure"])
        #expect(talk.completion?.error == Rejection(.internal, "it could not be written"))
    }

    @Test("a refused repeat of work that is in progress changes nothing")
    func refusedRepeat() {
        talk.bring(to: .inProgress)
        #expect(refuseWork() == ["ignored staleOutcome"])
    }

    @Test("refused work of an earlier step changes nothing", arguments: working)
    func refusedEarlier(_ stage: StageName) {
        talk.bring(to: stage)
        let step = (talk.session.active?.step ?? 0) - 1
        #expect(
            talk.receive(.workRefused(request: "r", step: step, Rejection(.internal, "refused"))) == [
                "ignored staleOutcome"
            ])
    }

    @Test("a handler that an earlier owner had dispatched may still succeed after a repeat of its work was refused")
    func refusedAndLate() {
        talk.bring(to: .handling)
        let step = talk.session.active?.step
        #expect(refuseWork() == ["completed r: failure failure"])
        #expect(
            talk.worker(
                .finished(.responded(IntentResponse(.success), confirmation: nil)), phase: .handle, step: step,
                request: "r") == [
                    "late r: success"
                ])
    }

    @Test(
        "the next request begins, however the previous one failed",
        arguments: [
            IntentFailure.Disposition.failure("failure"), .reject, .retry(after: .zero),
        ])
    func nextBegins(_ disposition: IntentFailure.Disposition) {
        talk.policy.maximumAttempts = 1
        talk.request()
        talk.request("next")
        #expect(talk.fails(disposition) == ["completed r: failure failure", "resolve"])
        #expect(talk.session.active?.request.id == "next")
    }

    @Test(
        "an event that could be read but not accepted is rejected, and nothing else happens",
        arguments: StageName.allCases)
    func refused(_ stage: StageName) {
        if stage != .queued, stage != .ended { talk.bring(to: stage) }
        var before = talk.session
        #expect(talk.receive(.refused(Rejection(.invalid, "no", field: "intent"))) == ["rejected invalid intent"])
        before.sequence += 1
        #expect(talk.session == before)
    }
}
