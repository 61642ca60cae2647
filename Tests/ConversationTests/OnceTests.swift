import Conversation
import IntentModel
import Testing

@Suite("At most once: a handler is called only with a permit")
struct OnceTests {
    let talk = Talk()
    static let once = IntentPolicy(effect: .atMostOnce)

    private func expectUnknown(_ location: SourceLocation = #_sourceLocation) {
        #expect(
            talk.completion?.status == .failure && talk.completion?.error?.reason == .outcomeUnknown,
            sourceLocation: location)
    }

    @Test("the work item requires a permit; the first claim gets it, then the handler reports its outcome")
    func permitted() {
        talk.bring(to: .handling, intent: Self.once)
        #expect(talk.work?.item?.effect == .atMostOnce)
        #expect(talk.starts("a") == ["permit a"])
        #expect(talk.starts("a") == ["ignored repeatedStart"])
        #expect(talk.handler() == ["completed r: success success"])
    }

    @Test("after a crash the permit is sent again, and the work is not dispatched again")
    func outstanding() {
        talk.bring(to: .handling, intent: Self.once)
        #expect(talk.session.outstandingWork.map(\.kind) == [.handle])
        talk.starts("a")
        #expect(talk.session.outstandingWork.map(\.kind) == [.permit])
        #expect(talk.session.outstandingWork.compactMap(\.permit).first?.claim == "a")
        talk.cancel()
        #expect(talk.session.outstandingWork.map(\.kind) == [.permit, .cancel])
    }

    @Test("a second claim of one step is never permitted, because the effect of the first is unknown")
    func second() {
        talk.bring(to: .handling, intent: Self.once)
        talk.starts("a")
        #expect(talk.starts("b") == ["cancel handle", "completed r: failure failure"])
        expectUnknown()
    }

    @Test("a claim for an older step, or for a request that has ended, is not permitted")
    func stale() {
        talk.bring(to: .handling, intent: Self.once)
        let step = talk.session.active?.step
        talk.fails(.retry(after: .zero), .busy)
        talk.waitForTimer()
        #expect(talk.starts("a", step: step) == ["ignored staleOutcome"])
        #expect(talk.starts("b") == ["permit b"])
        talk.handler()
        #expect(talk.starts("c") == ["ignored staleOutcome"])
    }

    @Test(
        "a permitted handler that does not answer in time is reported with an unknown outcome",
        arguments: [false, true])
    func silent(_ isInProgress: Bool) {
        talk.bring(to: .handling, intent: Self.once)
        talk.starts("a")
        if isInProgress { talk.progress(0.5) }
        #expect(talk.waitForTimer() == ["cancel handle", "completed r: failure failure"])
        expectUnknown()
        let success = Outcome.Content.finished(.responded(IntentResponse(.success)))
        #expect(talk.worker(success, phase: .handle, step: 3, request: "r") == ["late r: success"])
    }

    @Test("the outcome is also unknown when the request's deadline passes")
    func deadline() {
        talk.bring(to: .handling, deadline: .seconds(5), intent: Self.once)
        talk.starts("a")
        talk.waitForTimer()
        expectUnknown()
    }

    @Test("a handler without a permit was never called: the request times out, and a late claim changes nothing")
    func neverPermitted() {
        talk.bring(to: .handling, intent: Self.once)
        #expect(talk.waitForTimer() == ["cancel handle", "completed r: timedOut requestTimedOut"])
        #expect(talk.session.abandoned.isEmpty)
        #expect(talk.starts("a") == ["ignored staleOutcome"])
    }

    @Test("a cancel before the permit ends the request at once, and the handler is never called")
    func cancelledBefore() {
        talk.bring(to: .handling, intent: Self.once)
        #expect(talk.cancel() == ["cancel handle", "completed r: cancelled cancelled"])
        #expect(talk.starts("a") == ["ignored staleOutcome"])
    }

    @Test("a cancel after the permit waits for the handler; without its outcome the outcome is unknown")
    func cancelledAfter() {
        talk.bring(to: .handling, intent: Self.once)
        talk.starts("a")
        #expect(talk.cancel() == ["cancel handle"])
        talk.wait(talk.policy.cancelTimeout)
        expectUnknown()
    }

    @Test("a handler that stopped when it was told to reports that it was cancelled")
    func stopped() {
        talk.bring(to: .handling, intent: Self.once)
        talk.starts("a")
        talk.cancel()
        #expect(talk.worker(.cancelled) == ["completed r: cancelled cancelled"])
    }

    @Test("a handler may report that it has not begun: it is retried with a new permit")
    func released() {
        talk.bring(to: .handling, intent: Self.once)
        talk.starts("a")
        #expect(talk.fails(.retry(after: .zero), .busy) == [])
        #expect(talk.session.outstandingWork.isEmpty)
        #expect(talk.waitForTimer() == ["handle attempt 2"])
        #expect(talk.starts("b") == ["permit b"])
    }

    @Test("a copy of permitted work that is given back or stopped elsewhere changes nothing")
    func copyGivenBack() throws {
        talk.bring(to: .handling, intent: Self.once)
        talk.starts("a")
        let step = try #require(talk.session.active?.step)
        let busy = IntentFailure(.retry(after: .zero), reason: .busy, message: "no room")
        for content in [Outcome.Content.finished(.failed(busy)), .cancelled] {
            for claim in [nil, "b"] {
                var outcome = Outcome(
                    request: "r", step: step, phase: .handle, content: content, ticket: talk.ticket("r", step))
                outcome.claim = claim
                #expect(talk.receive(.outcome(outcome)) == ["ignored staleOutcome"])
            }
        }
        #expect(talk.session.active?.permit == "a")
        #expect(talk.handler() == ["completed r: success success"])
    }

    @Test("an outcome of permitted work without a claim, as earlier versions report it, counts")
    func withoutClaim() throws {
        talk.bring(to: .handling, intent: Self.once)
        talk.starts("a")
        let step = try #require(talk.session.active?.step)
        let outcome = Outcome(
            request: "r", step: step, phase: .handle, content: .finished(.responded(IntentResponse(.success))),
            ticket: talk.ticket("r", step))
        #expect(talk.receive(.outcome(outcome)) == ["completed r: success success"])
    }

    @Test("an unreadable outcome counts as lost")
    func unreadable() {
        talk.bring(to: .handling, intent: Self.once)
        talk.starts("a")
        talk.receive(.unreadableOutcome(Rejection(.unparseable, "garbage"), talk.session.active?.ticket))
        expectUnknown()
    }

    @Test("a refused permit counts as lost, since an earlier owner may have sent it")
    func refusedPermit() {
        talk.bring(to: .handling, intent: Self.once)
        talk.starts("a")
        talk.receive(.workRefused(request: "r", step: talk.session.active?.step ?? 0, Rejection(.internal, "refused")))
        expectUnknown()
    }

    @Test("the app's workers need their own permit")
    func inApp() {
        talk.bring(to: .handling, intent: Self.once)
        talk.starts("a")
        talk.handler(.handleInApp)
        #expect(talk.session.active?.permit == nil)
        #expect(talk.starts("b") == ["permit b"])
        #expect(talk.work?.isInApp == true)
    }

    @Test("other phases need no permit")
    func otherPhase() {
        talk.bring(to: .confirming, intent: Self.once)
        #expect(talk.worker(.starting(claim: "a"), phase: .confirm) == ["completed r: failure failure"])
    }

    @Test(
        "work released before a permit does not count as an attempt: it is dispatched again even if one attempt is allowed"
    )
    func releasedUnpermitted() {
        let retry = RetryPolicy(maximumAttempts: 1, neverRetried: [.busy])
        talk.bring(to: .handling, intent: IntentPolicy(effect: .atMostOnce, handle: PhasePolicy(retry: retry)))
        #expect(talk.fails(.retry(after: .zero), .busy) == [])
        #expect(talk.waitForTimer() == ["handle attempt 2"])
        #expect(talk.starts("a") == ["permit a"])
        #expect(talk.fails(.retry(after: .zero), .busy) == ["completed r: failure failure"])
    }

    @Test("each run of a handler that asks has its own claim, and what earlier runs recorded")
    func asks() {
        talk.bring(to: .handling, intent: Self.once)
        talk.starts("a")
        #expect(talk.asks("sure", .confirmIntent, recorded: ["paid": .bool(true)]) == ["prompt confirmIntent"])
        #expect(talk.starts("a", step: 3) == ["ignored staleOutcome"])
        #expect(talk.answer(.accept) == ["handle"])
        #expect(talk.work?.item?.recorded == ["paid": .bool(true)] && talk.work?.item?.effect == .atMostOnce)
        #expect(talk.starts("b") == ["permit b"])
        var response = IntentResponse(.success)
        response.offersUpdates = true
        response.opensIntent = OpenedIntent(intent: "Next")
        #expect(talk.responds(response) == ["completed r: success success, opens Next", "resolve"])
        #expect(talk.receive(.updatesStarted(request: "r")) == ["update"])
        #expect(talk.work?.item?.effect == nil)
    }

    @Test("a permitted handler with an invalid outcome may have taken effect, so the outcome is unknown")
    func broken() {
        talk.bring(to: .handling, intent: Self.once)
        talk.starts("a")
        talk.handler(.ready)
        expectUnknown()
    }
}
