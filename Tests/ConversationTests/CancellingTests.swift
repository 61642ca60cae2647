import Conversation
import IntentModel
import Testing

@Suite("Cancelling: at any time, and running work hears of it")
struct CancellingTests {
    let talk = Talk()

    @Test(
        "what waits for the person or an app is cancelled at once",
        arguments: [StageName.awaitingAnswer, .awaitingConfirmation, .handedOff])
    func waiting(_ stage: StageName) {
        talk.bring(to: stage)
        #expect(talk.cancel() == ["completed r: cancelled cancelled"])
        #expect(talk.session.active == nil && talk.session.handoffs.isEmpty)
    }

    @Test(
        "resolving and confirming have no effect to wait for: the worker is told, the person is answered",
        arguments: [StageName.resolving, .confirming])
    func early(_ stage: StageName) throws {
        talk.bring(to: stage)
        let active = try #require(talk.session.active)
        #expect(talk.cancel("r") == ["cancel \(active.phase!)", "completed r: cancelled cancelled"])
        #expect(talk.work?.step == active.step)
    }

    @Test("a running handler is told to stop and gets time for it", arguments: [StageName.handling, .inProgress])
    func running(_ stage: StageName) {
        talk.bring(to: stage)
        #expect(talk.cancel() == ["cancel handle"])
        #expect(talk.session.outstandingWork.map(\.kind) == [.handle, .cancel])
        #expect(talk.worker(.cancelled) == ["completed r: cancelled cancelled"])
    }

    @Test("a handler that had succeeded when it was told to stop has succeeded", arguments: [StageName.handling, .inProgress])
    func successWins(_ stage: StageName) {
        talk.bring(to: stage)
        talk.cancel()
        #expect(talk.handler() == ["completed r: success success"])
    }

    @Test("a handler that does not stop in time is left behind")
    func windowExpires() {
        talk.bring(to: .handling)
        talk.cancel()
        #expect(talk.wait(talk.policy.cancelTimeout - .milliseconds(1)) == ["ignored earlyTimer"])
        #expect(talk.wait(.milliseconds(1)) == ["completed r: cancelled cancelled"])
    }

    @Test("progress is told while the handler stops, and gives it no more time", arguments: [StageName.handling, .inProgress])
    func progress(_ stage: StageName) {
        talk.bring(to: stage)
        talk.cancel()
        #expect(talk.progress(0.5) == ["progress 0.5"])
        #expect(talk.wait(talk.policy.cancelTimeout) == ["completed r: cancelled cancelled"])
    }

    @Test("a handler that is stopping gets no other try")
    func noRetry() {
        talk.bring(to: .handling)
        talk.cancel()
        #expect(talk.fails(.retry(after: .zero), .busy) == ["completed r: cancelled cancelled"])
    }

    @Test(
        "a handler that is stopping can't send the request elsewhere: nothing has happened yet, so it is cancelled",
        arguments: [
            ResponseCode.handleInApp, .continueInApp,
        ], [StageName.handling, .inProgress])
    func elsewhere(_ code: ResponseCode, _ stage: StageName) {
        talk.bring(to: stage)
        talk.cancel()
        #expect(talk.handler(code) == ["completed r: cancelled cancelled"])
        #expect(talk.session.handoffs.isEmpty)
    }

    @Test("a failure while stopping is a failure")
    func failure() {
        talk.bring(to: .handling)
        talk.cancel()
        #expect(talk.handler(.failure) == ["completed r: failure failure"])
    }

    @Test("a deadline that passes while the handler stops leaves it cancelled")
    func deadline() {
        talk.request("r", deadline: .seconds(30))
        talk.resolver()
        talk.confirmer()
        talk.wait(.seconds(25))
        talk.cancel()
        #expect(talk.waitForTimer() == ["completed r: cancelled cancelled"])
    }

    @Test("cancelling twice is cancelling once")
    func twice() {
        talk.bring(to: .handling)
        talk.cancel()
        #expect(talk.cancel() == ["ignored duplicateCancel"])
        #expect(talk.cancel("r") == ["ignored duplicateCancel"])
    }

    @Test("nobody works while a try is waited for: it is cancelled at once", arguments: FailureTests.working)
    func waitingForTry(_ stage: StageName) {
        talk.bring(to: stage)
        talk.fails(.retry(after: .seconds(5)), .busy)
        #expect(talk.cancel() == ["completed r: cancelled cancelled"])
    }

    @Test("a request that waits its turn can be cancelled, and the others go on")
    func queued() {
        talk.bring(to: .awaitingAnswer)
        talk.request("second")
        talk.request("third")
        #expect(talk.cancel("second") == ["completed second: cancelled cancelled"])
        #expect(talk.stage == .awaitingAnswer)
        #expect(talk.answer(.cancel) == ["completed r: cancelled cancelled", "resolve"])
        #expect(talk.session.active?.request.id == "third")
    }

    @Test("a request that is interrupted can be cancelled, and what interrupts it goes on")
    func suspended() {
        talk.bring(to: .awaitingAnswer)
        talk.request("second", whenBusy: .interrupt)
        #expect(talk.cancel("r") == ["completed r: cancelled cancelled"])
        #expect(talk.session.active?.request.id == "second")
        #expect(talk.completion?.turns == 1)
    }

    @Test(
        "what is not there can't be cancelled, and the sender is told so",
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

    @Test("the trace of a request goes with its completion, even if it never began")
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
        "a correction before the handling resolves anew, and what was open is void",
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

    @Test("a correction overtakes a try that is waited for")
    func overtakesRetry() {
        talk.request()
        talk.fails(.retry(after: .seconds(5)), .busy)
        #expect(talk.correct("dropOff", "Leeds", of: "r") == ["resolve"])
        #expect(talk.session.active?.retryAt == nil)
    }

    @Test(
        "what is being handled can't be corrected any more, and the sender is told so",
        arguments: [StageName.handling, .inProgress, .handedOff])
    func late(_ stage: StageName) {
        talk.bring(to: stage, "r", ["dropOff": "London"])
        let before = talk.session.active
        #expect(talk.correct("dropOff", "Leeds") == ["rejected unexpected parameter"])
        #expect(talk.session.active == before)
    }

    @Test("what is not there can't be corrected, and the sender is told so", arguments: [StageName.queued, .resolving])
    func unknown(_ stage: StageName) {
        if stage != .queued { talk.bring(to: stage) }
        let before = talk.session.active
        #expect(talk.correct("dropOff", "Leeds", of: "other") == ["rejected unexpected request"])
        #expect(talk.session.active == before)
    }

    @Test("a confirmed value that is corrected is the person's no longer")
    func confirmed() {
        talk.request()
        talk.resolver(["dropOff": Station.isItNorth])
        talk.answer(.accept)
        talk.correct("dropOff", "station-north")
        #expect(talk.known("dropOff") == "given station-north")
        #expect(talk.resolver(["dropOff": Station.isItNorth]) == ["prompt confirmValue dropOff"])
    }

    @Test("corrections and answers are bounded: a request does not grow for ever")
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
