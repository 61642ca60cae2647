import Conversation
import IntentModel
import Testing

@Suite("Cancelling: possible at any time, and running work is told")
struct CancellingTests {
    let talk = Talk()

    @Test(
        "a request that waits for the person or an app is cancelled at once",
        arguments: [StageName.awaitingAnswer, .awaitingConfirmation, .handedOff])
    func waiting(_ stage: StageName) {
        talk.bring(to: stage)
        #expect(talk.cancel() == ["completed r: cancelled cancelled"])
        #expect(talk.session.active == nil && talk.session.handoffs.isEmpty)
    }

    @Test(
        "resolving and confirming have no effects to wait for: the request completes at once and the worker is told",
        arguments: [StageName.resolving, .confirming])
    func early(_ stage: StageName) throws {
        talk.bring(to: stage)
        let active = try #require(talk.session.active)
        #expect(talk.cancel("r") == ["cancel \(active.phase!)", "completed r: cancelled cancelled"])
        #expect(talk.work?.step == active.step)
    }

    @Test("a running handler is told to stop and has time to do so", arguments: [StageName.handling, .inProgress])
    func running(_ stage: StageName) {
        talk.bring(to: stage)
        #expect(talk.cancel() == ["cancel handle"])
        #expect(talk.session.outstandingWork.map(\.kind) == [.handle, .cancel])
        #expect(talk.worker(.cancelled) == ["completed r: cancelled cancelled"])
    }

    @Test(
        "a handler that had succeeded before it was told to stop completes with success",
        arguments: [StageName.handling, .inProgress])
    func successWins(_ stage: StageName) {
        talk.bring(to: stage)
        talk.cancel()
        #expect(talk.handler() == ["completed r: success success"])
    }

    @Test("a handler that does not stop in time is abandoned")
    func windowExpires() {
        talk.bring(to: .handling)
        talk.cancel()
        #expect(talk.wait(talk.policy.cancelTimeout - .milliseconds(1)) == ["ignored earlyTimer"])
        #expect(talk.wait(.milliseconds(1)) == ["completed r: cancelled cancelled"])
    }

    @Test(
        "progress is reported while the handler stops, and does not extend its time",
        arguments: [StageName.handling, .inProgress])
    func progress(_ stage: StageName) {
        talk.bring(to: stage)
        talk.cancel()
        #expect(talk.progress(0.5) == ["progress 0.5"])
        #expect(talk.wait(talk.policy.cancelTimeout) == ["completed r: cancelled cancelled"])
    }

    @Test("a handler that is stopping is not retried")
    func noRetry() {
        talk.bring(to: .handling)
        talk.cancel()
        #expect(talk.fails(.retry(after: .zero), .busy) == ["completed r: cancelled cancelled"])
    }

    @Test(
        "a handler that is stopping can't hand the request on: nothing has happened yet, so it is cancelled",
        arguments: [
            ResponseCode.handleInApp, .continueInApp,
        ], [StageName.handling, .inProgress])
    func elsewhere(_ code: ResponseCode, _ stage: StageName) {
        talk.bring(to: stage)
        talk.cancel()
        #expect(talk.handler(code) == ["completed r: cancelled cancelled"])
        #expect(talk.session.handoffs.isEmpty)
    }

    @Test("a failure while stopping fails the request")
    func failure() {
        talk.bring(to: .handling)
        talk.cancel()
        #expect(talk.handler(.failure) == ["completed r: failure failure"])
    }

    @Test("a request whose deadline passes while its handler stops is cancelled")
    func deadline() {
        talk.request("r", deadline: .seconds(30))
        talk.resolver()
        talk.confirmer()
        talk.wait(.seconds(25))
        talk.cancel()
        #expect(talk.waitForTimer() == ["completed r: cancelled cancelled"])
    }

    @Test("cancelling twice has the effect of cancelling once")
    func twice() {
        talk.bring(to: .handling)
        talk.cancel()
        #expect(talk.cancel() == ["ignored duplicateCancel"])
        #expect(talk.cancel("r") == ["ignored duplicateCancel"])
    }

    @Test("no worker is active while a retry is due: the request is cancelled at once", arguments: FailureTests.working)
    func waitingForTry(_ stage: StageName) {
        talk.bring(to: stage)
        talk.fails(.retry(after: .seconds(5)), .busy)
        #expect(talk.cancel() == ["completed r: cancelled cancelled"])
    }

    @Test("a queued request can be cancelled, and the others continue")
    func queued() {
        talk.bring(to: .awaitingAnswer)
        talk.request("second")
        talk.request("third")
        #expect(talk.cancel("second") == ["completed second: cancelled cancelled"])
        #expect(talk.stage == .awaitingAnswer)
        #expect(talk.answer(.cancel) == ["completed r: cancelled cancelled", "resolve"])
        #expect(talk.session.active?.request.id == "third")
    }

    @Test("an interrupted request can be cancelled, and the one that interrupts it continues")
    func suspended() {
        talk.bring(to: .awaitingAnswer)
        talk.request("second", whenBusy: .interrupt)
        #expect(talk.cancel("r") == ["completed r: cancelled cancelled"])
        #expect(talk.session.active?.request.id == "second")
        #expect(talk.completion?.turns == 1)
    }

    @Test(
        "cancelling an unknown request is rejected",
        arguments: [StageName.queued, .resolving, .awaitingAnswer, .handling])
    func unknown(_ stage: StageName) {
        if stage != .queued { talk.bring(to: stage) }
        var before = talk.session
        #expect(talk.cancel("other") == ["rejected unexpected request"])
        if stage == .queued {
            #expect(talk.cancel() == ["rejected unexpected request"])
            before.sequence += 1
        }
        before.sequence += 1
        #expect(talk.session == before)
    }

    @Test("a completion carries the trace of its request, even if that never began")
    func trace() {
        let trace = TraceContext(parent: "00-aa-bb-01")
        talk.request()
        talk.receive(.requested(IntentRequest(id: "second", intent: "Book", trace: trace)))
        talk.cancel("second")
        guard case .result(let result)? = talk.effects.last else {
            Issue.record("something else came")
            return
        }
        #expect(result.trace == trace)
    }
}

@Suite("Correcting: \u{201C}no, to Leeds\u{201D}")
struct CorrectingTests {
    let talk = Talk()

    @Test(
        "a correction before handling resolves again, and open work and prompts are void",
        arguments: [
            StageName.resolving, .awaitingAnswer, .confirming, .awaitingConfirmation,
        ])
    func early(_ stage: StageName) {
        talk.bring(to: stage, "r", ["dropOff": "London"])
        let step = talk.session.active?.step
        let phase = talk.session.active?.phase
        #expect(talk.correct("dropOff", "Leeds") == ["resolve"])
        #expect(talk.known("dropOff") == "given Leeds")
        #expect(talk.worker(.finished(.resolved([])), phase: phase, step: step) == ["ignored staleOutcome"])
    }

    @Test("a correction overtakes a pending retry")
    func overtakesRetry() {
        talk.request()
        talk.fails(.retry(after: .seconds(5)), .busy)
        #expect(talk.correct("dropOff", "Leeds", of: "r") == ["resolve"])
        #expect(talk.session.active?.retryAt == nil)
    }

    @Test(
        "a correction of a request that is being handled is rejected",
        arguments: [StageName.handling, .inProgress, .handedOff])
    func late(_ stage: StageName) {
        talk.bring(to: stage, "r", ["dropOff": "London"])
        let before = talk.session.active
        #expect(talk.correct("dropOff", "Leeds") == ["rejected unexpected parameter"])
        #expect(talk.session.active == before)
    }

    @Test("a correction of an unknown request is rejected", arguments: [StageName.queued, .resolving])
    func unknown(_ stage: StageName) {
        if stage != .queued { talk.bring(to: stage) }
        let before = talk.session.active
        #expect(talk.correct("dropOff", "Leeds", of: "other") == ["rejected unexpected request"])
        #expect(talk.session.active == before)
    }

    @Test("a confirmed value that is corrected no longer counts as confirmed")
    func confirmed() {
        talk.request()
        talk.resolver(["dropOff": Station.isItNorth])
        talk.answer(.accept)
        talk.correct("dropOff", "station-north")
        #expect(talk.known("dropOff") == "given station-north")
        #expect(talk.resolver(["dropOff": Station.isItNorth]) == ["prompt confirmValue dropOff"])
    }

    @Test("corrections and answers are bounded, so a request does not grow without limit")
    func bounded() {
        talk.request()
        let text = String(repeating: "x", count: 30_000)
        var lines: [String] = []
        for number in 1...20 { lines += talk.correct("p\(number)", text) }
        #expect(lines.contains("rejected complex parameters"))
        #expect(talk.session.active!.parameters.reduce(0) { $0 + ($1.value?.bytes.count ?? 0) } <= 131_072)
        #expect(talk.resolver() == ["confirm"])
    }
}
