import Conversation
import IntentModel
import Testing

@Suite("Timers: only what is due happens")
struct TimerTests {
    let talk = Talk()

    @Test(
        "every stage has its own timeout",
        arguments: [
            (StageName.resolving, \SessionPolicy.phaseTimeout, ["cancel resolve"]),
            (.awaitingAnswer, \.answerTimeout, []),
            (.confirming, \.phaseTimeout, ["cancel confirm"]), (.awaitingConfirmation, \.answerTimeout, []),
            (.handling, \.phaseTimeout, ["cancel handle"]), (.inProgress, \.inProgressTimeout, ["cancel handle"]),
            (.handedOff, \.handoffTimeout, []),
        ] as [(StageName, any KeyPath<SessionPolicy, Duration> & Sendable, [String])])
    func stages(_ stage: StageName, _ timeout: any KeyPath<SessionPolicy, Duration> & Sendable, _ before: [String]) {
        talk.bring(to: stage)
        #expect(talk.session.nextTimer(talk.policy) == talk.now.advanced(by: talk.policy[keyPath: timeout]))
        #expect(talk.wait(talk.policy[keyPath: timeout] - .milliseconds(1)) == ["ignored earlyTimer"])
        #expect(talk.wait(.milliseconds(1)) == before + ["completed r: timedOut requestTimedOut"])
    }

    @Test("the deadline of a request ends it in any stage", arguments: BusyTests.active)
    func deadline(_ stage: StageName) {
        talk.policy.answerTimeout = .seconds(900)
        talk.policy.phaseTimeout = .seconds(900)
        let due = talk.now.advanced(by: .seconds(500))
        talk.bring(to: stage, deadline: .seconds(500))
        #expect(talk.session.nextTimer(talk.policy) == due)
        talk.now = due
        let lines = talk.receive(.timer)
        #expect(lines.last == "completed r: timedOut requestTimedOut")
        #expect(talk.completion?.error?.reason == .unexpected)
    }

    @Test("no prompt or work item is valid beyond the request's deadline")
    func deadlineBounds() {
        talk.request("r", deadline: .seconds(10))
        #expect(talk.work?.item?.deadline == talk.now.advanced(by: .seconds(10)))
        talk.resolver(["dropOff": Station.missing])
        #expect(talk.prompt?.expires == talk.now.advanced(by: .seconds(10)))
    }

    @Test("a request that arrives after its deadline times out and never begins")
    func tooLate() {
        #expect(talk.request("r", deadline: .seconds(-1)) == ["completed r: timedOut requestTimedOut"])
        #expect(talk.request("r2", deadline: .zero) == ["completed r2: timedOut requestTimedOut"])
    }

    @Test("a session without a request is forgotten after its idle time")
    func idle() {
        talk.bring(to: .handling)
        talk.handler()
        #expect(talk.session.nextTimer(talk.policy) == talk.now.advanced(by: talk.policy.idleTimeout))
        #expect(talk.wait(talk.policy.idleTimeout - .milliseconds(1)) == ["ignored earlyTimer"])
        #expect(talk.wait(.milliseconds(1)) == ["forgotten"])
    }

    @Test("any input from the person's side keeps the session alive")
    func keptAlive() {
        talk.bring(to: .handling)
        talk.handler()
        talk.now = talk.now.advanced(by: .seconds(1_000))
        talk.cancel()
        #expect(talk.session.nextTimer(talk.policy) == talk.now.advanced(by: talk.policy.idleTimeout))
    }

    @Test("a timer that fires too early changes nothing", arguments: BusyTests.active)
    func early(_ stage: StageName) {
        talk.bring(to: stage)
        #expect(talk.wait(.zero) == ["ignored earlyTimer"])
    }

    @Test("a timer set for an older step has no effect")
    func old() {
        talk.bring(to: .awaitingAnswer)
        talk.now = talk.now.advanced(by: .seconds(100))
        talk.answer(.accept, "Airport")
        #expect(talk.wait(.seconds(20)) == ["ignored earlyTimer"])
    }

    @Test("a clock that goes back ends nothing early and does not change the session's own time")
    func clockGoesBack() {
        talk.bring(to: .awaitingAnswer)
        let updated = talk.session.updated
        #expect(talk.wait(.seconds(-3_600)) == ["ignored earlyTimer"])
        talk.answer(.accept, "Airport")
        #expect(talk.session.updated == updated)
        #expect(talk.session.active?.stageEnds == talk.now.advanced(by: talk.policy.phaseTimeout))
    }

    @Test("after a long sleep everything due happens, one timer at a time, and then nothing more")
    func longSleep() {
        talk.bring(to: .handling, "a")
        talk.handler(.failureRequiringAppLaunch)
        talk.bring(to: .awaitingAnswer, "b")
        talk.request("c", deadline: .seconds(60))
        talk.now = talk.now.advanced(by: .seconds(100_000))
        #expect(talk.receive(.timer) == [])
        #expect(talk.receive(.timer) == ["completed c: timedOut requestTimedOut"])
        #expect(talk.receive(.timer) == ["completed b: timedOut requestTimedOut"])
        #expect(talk.receive(.timer) == ["ignored earlyTimer"])
        #expect(talk.waitForTimer() == ["forgotten"])
    }
}
