import Conversation
import IntentModel
import Testing

@Suite("The policy of an intent: its own times and attempts")
struct PolicyTests {
    let talk = Talk()

    @Test("each phase has the time that the intent gives it, from the resolver's first outcome on")
    func phaseTimes() {
        let policy = IntentPolicy(
            resolve: PhasePolicy(timeout: .seconds(10)), confirm: PhasePolicy(timeout: .seconds(20)),
            handle: PhasePolicy(timeout: .seconds(300)))
        talk.bring(to: .awaitingAnswer, intent: policy)
        talk.answer(.accept, "Leeds")
        #expect(talk.session.active?.stageEnds == talk.now.advanced(by: .seconds(10)))
        talk.resolver()
        #expect(talk.session.active?.stageEnds == talk.now.advanced(by: .seconds(20)))
        talk.confirmer()
        #expect(talk.session.active?.stageEnds == talk.now.advanced(by: .seconds(300)))
        #expect(talk.work?.item?.deadline == talk.now.advanced(by: .seconds(300)))
    }

    @Test("answers, handoffs, progress and cleaning up have the times that the intent gives them")
    func otherTimes() {
        let policy = IntentPolicy(
            answerTimeout: .seconds(11), handoffTimeout: .seconds(12), inProgressTimeout: .seconds(13),
            cleanupTimeout: .seconds(14))
        talk.bring(to: .awaitingAnswer, "a", intent: policy)
        #expect(talk.prompt?.expires == talk.now.advanced(by: .seconds(11)))
        talk.cancel()
        talk.bring(to: .handedOff, "b", intent: policy)
        #expect(talk.session.handoffs.first?.expires == talk.now.advanced(by: .seconds(12)))
        talk.cancel()
        talk.bring(to: .inProgress, "c", intent: policy)
        #expect(talk.session.active?.stageEnds == talk.now.advanced(by: .seconds(13)))
        talk.cancel()
        #expect(talk.session.active?.stageEnds == talk.now.advanced(by: .seconds(14)))
        #expect(talk.work?.cancel?.deadline == talk.now.advanced(by: .seconds(14)))
    }

    @Test(
        "work for a handler says how long it is waited for after progress: as the intent says, or else as the coordinator does"
    )
    func progressTime() {
        talk.bring(to: .confirming)
        #expect(talk.work?.item?.inProgressTimeout == nil)
        talk.cancel()
        #expect(talk.session.active == nil)
        talk.bring(to: .handling, "b")
        #expect(talk.work?.item?.inProgressTimeout == talk.policy.inProgressTimeout)
        var policy = SessionPolicy()
        policy.inProgressTimeout = .seconds(11)
        #expect(talk.session.outstandingWork(under: policy).first?.item?.inProgressTimeout == .seconds(11))
        talk.cancel()
        talk.handler()
        talk.bring(to: .handling, "c", intent: IntentPolicy(inProgressTimeout: .seconds(13)))
        #expect(talk.work?.item?.inProgressTimeout == .seconds(13))
        #expect(talk.session.outstandingWork(under: policy).first?.item?.inProgressTimeout == .seconds(13))
    }

    @Test("attempts are separated by the intent's delays, which grow up to a limit")
    func delays() {
        let retry = RetryPolicy(firstDelay: .seconds(2), factor: 3, maximumDelay: .seconds(10), maximumAttempts: 5)
        #expect((2...5).map { retry.delay(before: $0) } == [.seconds(2), .seconds(6), .seconds(10), .seconds(10)])
        talk.bring(to: .handling, intent: IntentPolicy(handle: PhasePolicy(retry: retry)))
        talk.fails(.retry(after: .zero), .busy)
        #expect(talk.session.active?.retryAt == talk.now.advanced(by: .seconds(2)))
        talk.waitForTimer()
        talk.fails(.retry(after: .seconds(7)), .busy)
        #expect(talk.session.active?.retryAt == talk.now.advanced(by: .seconds(7)))
    }

    @Test("every delay is within bounds, whatever its factor", arguments: [Double.infinity, .nan, -1, 0, 1e300])
    func hostileDelays(_ factor: Double) {
        let retry = RetryPolicy(firstDelay: .seconds(Int64.max), factor: factor, maximumDelay: .seconds(Int64.max))
        #expect(retry.delay(before: 100) == .seconds(30 * 24 * 3_600))
        #expect(RetryPolicy(firstDelay: .seconds(-5), factor: factor).delay(before: 3) == .zero)
    }

    @Test("the intent limits attempts, and some failures are not retried")
    func neverRetried() {
        let retry = RetryPolicy(maximumAttempts: 2, neverRetried: [.unauthorized])
        talk.bring(to: .handling, "a", intent: IntentPolicy(handle: PhasePolicy(retry: retry)))
        talk.fails(.retry(after: .zero), .busy)
        talk.waitForTimer()
        #expect(talk.fails(.retry(after: .zero), .busy) == ["completed a: failure failure"])
        talk.bring(to: .handling, "b", intent: IntentPolicy(handle: PhasePolicy(retry: retry)))
        #expect(talk.fails(.retry(after: .zero), .unauthorized) == ["completed b: failure failure"])
        #expect(talk.completion?.error?.reason == .unauthorized)
    }

    @Test("a policy that is sent once holds for its whole request, and for no other")
    func scope() {
        talk.bring(to: .awaitingAnswer, "a", intent: IntentPolicy(confirm: PhasePolicy(timeout: .seconds(20))))
        talk.answer(.accept, "Leeds")
        talk.resolver()
        #expect(talk.session.active?.stageEnds == talk.now.advanced(by: .seconds(20)))
        talk.cancel()
        talk.bring(to: .confirming, "b")
        #expect(talk.session.active?.stageEnds == talk.now.advanced(by: talk.policy.phaseTimeout))
    }
}

@Suite("Deadlines: the person is told in time, and a late outcome is not a second completion")
struct DeadlineTests {
    let talk = Talk()

    @Test("a phase that takes long is announced once, which does not extend its time", arguments: FailureTests.working)
    func announced(_ stage: StageName) {
        talk.policy.announceAfter = .seconds(8)
        talk.bring(to: stage)
        let ends = talk.session.active?.stageEnds
        #expect(talk.wait(.seconds(7)) == ["ignored earlyTimer"])
        #expect(talk.wait(.seconds(1)) == ["progress -"])
        #expect(talk.stage == stage && talk.session.active?.stageEnds == ends)
        #expect(talk.wait(.seconds(20)) == ["ignored earlyTimer"])
        talk.now = ends!
        #expect(talk.receive(.timer).last == "completed r: timedOut requestTimedOut")
    }

    @Test("all attempts of a phase are announced once")
    func announcedWhileTrying() {
        talk.policy.announceAfter = .seconds(8)
        talk.bring(to: .handling)
        talk.fails(.retry(after: .seconds(5)), .busy)
        #expect(talk.waitForTimer() == ["handle attempt 2"])
        #expect(talk.wait(.seconds(3)) == ["progress -"])
        talk.fails(.retry(after: .seconds(5)), .busy)
        #expect(talk.waitForTimer() == ["handle attempt 3"])
        #expect(talk.wait(.seconds(20)) == ["ignored earlyTimer"])
    }

    @Test("a handler that reports progress itself is not announced, nor a request that is being cancelled")
    func notAnnounced() {
        talk.policy.announceAfter = .seconds(8)
        talk.bring(to: .inProgress, "a")
        #expect(talk.wait(.seconds(9)) == ["ignored earlyTimer"])
        talk.cancel()
        #expect(talk.wait(.seconds(9)) == ["ignored earlyTimer"])
        talk.worker(.cancelled)
        talk.bring(to: .awaitingAnswer, "b")
        #expect(talk.wait(.seconds(9)) == ["ignored earlyTimer"])
    }

    @Test("the intent sets the time after which it is announced")
    func intentAnnounces() {
        talk.bring(to: .handling, intent: IntentPolicy(handle: PhasePolicy(announceAfter: .seconds(3))))
        #expect(talk.wait(.seconds(3)) == ["progress -"])
    }

    @Test("a queued request ends at its deadline, not when it would begin")
    func queued() {
        talk.bring(to: .awaitingAnswer)
        talk.request("next", deadline: .seconds(30))
        #expect(talk.session.nextTimer(talk.policy) == talk.now.advanced(by: .seconds(30)))
        #expect(talk.waitForTimer() == ["completed next: timedOut requestTimedOut"])
        #expect(talk.stage == .awaitingAnswer && talk.session.queued.isEmpty)
    }

    @Test("a request that was interrupted ends at its deadline too")
    func suspended() {
        talk.bring(to: .awaitingAnswer, deadline: .seconds(30))
        talk.request("urgent", whenBusy: .interrupt)
        #expect(talk.waitForTimer() == ["completed r: timedOut requestTimedOut"])
        #expect(talk.session.active?.request.id == "urgent" && talk.session.suspended.isEmpty)
    }

    @Test("a success after its request has timed out is reported once, as a late outcome and not a completion")
    func late() {
        talk.bring(to: .handling)
        let step = talk.session.active?.step
        #expect(talk.wait(talk.policy.phaseTimeout) == ["cancel handle", "completed r: timedOut requestTimedOut"])
        let success = Outcome.Content.finished(.responded(IntentResponse(.success, dialog: "Booked")))
        #expect(
            talk.worker(.progressed(fraction: 0.5, dialog: nil), phase: .handle, step: step, request: "r") == [
                "ignored lateOutcome"
            ])
        #expect(talk.worker(success, phase: .handle, step: step, request: "r") == ["late r: success"])
        #expect(talk.worker(success, phase: .handle, step: step, request: "r") == ["ignored staleOutcome"])
    }

    @Test("other late outcomes are counted, but not reported")
    func lateFailure() {
        talk.bring(to: .inProgress)
        let step = talk.session.active?.step
        talk.wait(talk.policy.inProgressTimeout)
        #expect(talk.worker(.cancelled, phase: .handle, step: step, request: "r") == ["ignored lateOutcome"])
        let failure = Outcome.Content.finished(.responded(IntentResponse(.failure)))
        #expect(talk.worker(failure, phase: .handle, step: step, request: "r") == ["ignored lateOutcome"])
    }

    @Test("a late success of a handler that was told to stop is reported too")
    func lateAfterCancel() {
        talk.bring(to: .handling)
        let step = talk.session.active?.step
        talk.cancel()
        #expect(talk.wait(talk.policy.cancelTimeout) == ["completed r: cancelled cancelled"])
        let success = Outcome.Content.finished(.responded(IntentResponse(.success)))
        #expect(talk.worker(success, phase: .handle, step: step, request: "r") == ["late r: success"])
    }

    @Test("the number of awaited late outcomes is bounded")
    func bounded() {
        talk.policy.maximumAbandoned = 2
        for number in 1...3 {
            talk.bring(to: .handling, "r\(number)")
            talk.wait(talk.policy.phaseTimeout)
        }
        #expect(talk.session.abandoned.map(\.request) == ["r2", "r3"])
    }

    @Test(
        "running work is told why it is cancelled",
        arguments: [
            (CancellationReason.person, { @Sendable (talk: Talk) in _ = talk.cancel() }),
            (.replaced, { @Sendable (talk: Talk) in _ = talk.request("other", whenBusy: .replace) }),
            (.timeout, { @Sendable (talk: Talk) in _ = talk.wait(talk.policy.phaseTimeout) }),
        ])
    func reasons(_ reason: CancellationReason, _ act: @Sendable (Talk) -> Void) {
        talk.bring(to: .handling)
        act(talk)
        #expect(talk.work?.kind == .cancel && talk.cancelWork?.reason == reason)
    }

    @Test("the request's deadline is a cancellation reason of its own")
    func deadlineReason() {
        talk.bring(to: .handling, deadline: .seconds(5))
        talk.waitForTimer()
        #expect(talk.cancelWork?.reason == .deadline)
    }

    @Test("after a crash the cancel is sent again with its reason and its remaining time")
    func repeatedCancel() {
        talk.bring(to: .handling)
        talk.request("other", whenBusy: .replace)
        let cancel = talk.session.outstandingWork.last?.cancel
        #expect(cancel?.reason == .replaced && cancel?.deadline == talk.session.active?.stageEnds)
    }
}
