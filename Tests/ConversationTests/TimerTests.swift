import Conversation
import IntentModel
import Testing

@Suite("Timers: only what is due happens")
struct TimerTests {
    let talk = Talk()
    private static let timedOut = "completed r: timedOut requestTimedOut"

    private static let dialogues: Dialogues = [
        "no prompt or work item is valid beyond the request's deadline": [
            .request(deadline: 10): "resolve", .the(\.workLasts): "10.0", .resolver(["dropOff": .missing]): "…",
            .the(\.promptLasts): "10.0",
        ],
        "a request that arrives after its deadline times out and never begins": [
            .request(deadline: -1): "\(timedOut)",
            .request("r2", deadline: 0): "completed r2: timedOut requestTimedOut",
        ],
        "a session without a request is forgotten after its idle time": [
            .at(.handling): "handle", .handler(): "completed r: success success", .the(\.timerLasts): "1800.0",
            .wait(\.idleTimeout): ["ignored earlyTimer", "forgotten"],
        ],
        "any input from the person's side keeps the session alive": [
            .at(.handling): "handle", .handler(): "completed r: success success", .passes(1_000): [],
            .cancel(): "rejected unexpected request", .the(\.timerLasts): "1800.0",
        ],
        "a timer set for an older step has no effect": [
            .at(.awaitingAnswer): "…", .passes(100): [], .answer(.accept, "Airport"): "resolve",
            .wait(20): "ignored earlyTimer",
        ],
        "after a long sleep everything due happens, one timer at a time, and then nothing more": [
            .at(.handling, id: "a"): "handle", .handler(.failureRequiringAppLaunch): "…",
            .at(.awaitingAnswer, id: "b"): "…", .request("c", deadline: 60): "queued", .wait(100_000): [],
            .wait(0): "completed c: timedOut requestTimedOut", .wait(0): "completed b: timedOut requestTimedOut",
            .wait(0): "ignored earlyTimer", .timer(): "forgotten",
        ],
    ]

    @Test("as in the dialogues", arguments: dialogues.cases)
    func plays(_ dialogue: Dialogue) { talk.play(dialogue) }

    @Test(
        "every stage has its own timeout",
        arguments: [
            (StageName.resolving, \SessionPolicy.phaseTimeout, ["cancel resolve"]),
            (.awaitingAnswer, \.answerTimeout, []), (.confirming, \.phaseTimeout, ["cancel confirm"]),
            (.awaitingConfirmation, \.answerTimeout, []), (.handling, \.phaseTimeout, ["cancel handle"]),
            (.inProgress, \.inProgressTimeout, ["cancel handle"]), (.handedOff, \.handoffTimeout, []),
        ] as [(StageName, any KeyPath<SessionPolicy, Duration> & Sendable, [String])])
    func stages(_ stage: StageName, _ timeout: any KeyPath<SessionPolicy, Duration> & Sendable, _ before: [String]) {
        talk.play(.at(stage))
        #expect(talk.session.nextTimer(talk.policy) == talk.now.advanced(by: talk.policy[keyPath: timeout]))
        #expect(talk.play(.wait(timeout)) == ["ignored earlyTimer"] + before + [Self.timedOut])
    }

    @Test("the deadline of a request ends it in any stage", arguments: BusyTests.active)
    func deadline(_ stage: StageName) {
        talk.policy.answerTimeout = .seconds(900)
        talk.policy.phaseTimeout = .seconds(900)
        talk.play([.at(stage, deadline: 500): "…", .the(\.timerLasts): "500.0"])
        #expect(talk.play(.wait(500)).last == Self.timedOut && talk.error == .unexpected)
    }

    @Test("a clock that goes back ends nothing early and does not change the session's own time")
    func clockGoesBack() {
        talk.play(.at(.awaitingAnswer))
        let updated = talk.session.updated
        talk.play([
            .wait(-3_600): "ignored earlyTimer", .answer(.accept, "Airport"): "resolve", .the(\.stageLasts): "60.0",
        ])
        #expect(talk.session.updated == updated)
    }
}
