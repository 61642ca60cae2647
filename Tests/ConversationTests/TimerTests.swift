import Conversation
import IntentModel
import Testing

@Suite("Timers: only what is due happens") struct TimerTests {
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
        "a session without a request is forgotten after its idle time, unless there is input from the person's side": [
            .at(.handling): "handle", .handler(): "completed r: success success", .passes(1_000): [],
            .cancel(): "rejected unexpected request", .the(\.timerLasts): "1800.0",
            .wait(\.idleTimeout): ["ignored earlyTimer", "forgotten"],
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

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { talk.play(dialogue) }

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

    @Test(arguments: BusyTests.active)
    func `the deadline of a request ends it in any stage`(_ stage: StageName) {
        talk.policy.answerTimeout = .seconds(900)
        talk.policy.phaseTimeout = .seconds(900)
        talk.play([.at(stage, deadline: 500): "…", .the(\.timerLasts): "500.0"])
        #expect(talk.play(.wait(500)).last == Self.timedOut && talk.error == .unexpected)
    }

    @Test func `a clock that goes back ends nothing early and does not change the session's own time`() {
        talk.play(.at(.awaitingAnswer))
        let updated = talk.session.updated
        talk.play([
            .wait(-3_600): "ignored earlyTimer", .answer(.accept, "Airport"): "resolve", .the(\.stageLasts): "60.0",
        ])
        #expect(talk.session.updated == updated)
    }
}

@Suite("The clock and the zone of the person go with what they say") struct PersonClockTests {
    private static let dialogues: Dialogues = [
        "work has the zone, and the time of the request; of a request without either, work has neither": [
            .clocked(): "resolve", .the(\.item?.timeZone): "Europe/Amsterdam", .the(\.workIsAhead): "0.0",
            .or(.request()): "resolve", .the(\.item?.timeZone): "none", .the(\.workIsAhead): "none",
        ],
        "an answer and a correction are read at the time at which they came": [
            .clocked(): "resolve", .resolver(["dropOff": .missing]): "prompt value dropOff", .passes(90): [],
            .answer(.accept, "tomorrow"): "resolve", .the(\.workIsAhead): "0.0", .resolver(): "confirm",
            .passes(5): [], .correct("dropOff", "today"): "resolve", .the(\.workIsAhead): "0.0",
        ],
        "a try that is repeated, and later phases, read what was said at the time at which it was said": [
            .clocked(): "resolve", .fails(.retry(after: .seconds(20))): [], .timer(): "resolve attempt 2",
            .the(\.workIsAhead): "-20.0", .resolver(): "confirm", .the(\.workIsAhead): "-20.0",
        ],
        "a request that has waited for its turn is read at the time at which it came": [
            .at(.awaitingAnswer, id: "first"): "…", .clocked("second"): "queued", .passes(60): [],
            .cancel("first"): ["completed first: cancelled cancelled", "resolve"], .the(\.active): "second",
            .the(\.workIsAhead): "-60.0",
        ],
        "a clock that is ahead or behind stays so": [
            .clocked(ahead: -86_400): "resolve", .the(\.workIsAhead): "-86400.0",
            .resolver(["dropOff": .missing]): "prompt value dropOff", .passes(60): [],
            .answer(.accept, "tomorrow"): "resolve", .the(\.workIsAhead): "-86400.0",
        ],
    ]

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { Talk().play(dialogue) }
}

extension Step {
    /// Sends a request with the person's clock.
    fileprivate static func clocked(
        _ id: Identifier = "r", ahead seconds: Int64 = 0, at line: Line = #_sourceLocation
    ) -> Step {
        .request(id, at: line) {
            $0.clock = PersonClock(timeZone: "Europe/Amsterdam", ahead: seconds * 1_000, said: Talk.start)
        }
    }
}

extension Talk {
    /// The seconds by which the work's time is ahead of the session's.
    fileprivate var workIsAhead: Double? { seconds(until: item?.now) }
}

@Suite("How long a request takes") struct RequestTimesTests {
    private static let dialogues: Dialogues = [
        "counts the time of the pipeline, and the time of the person apart from it; what is ignored begins no step": [
            .request(): "resolve", .passes(2): [], .request(): "ignored duplicateRequest", .the(\.inStep): "2000",
            .resolver(["dropOff": .missing]): "…", .the(\.working): "2000", .the(\.inStep): "0", .passes(60): [],
            .the(\.working): "2000", .the(\.inStep): "60000", .answer(.accept, "Airport"): "resolve",
            .passes(3): [], .the(\.working): "5000", .the(\.session.active?.times.waited): "60000",
        ],
        "an interrupted request waits for the person meanwhile": [
            .at(.awaitingAnswer): "…", .passes(10): [], .request("second", whenBusy: .interrupt): "resolve",
            .passes(20): [], .cancel("second"): "…", .worker(.cancelled): "…", .passes(5): [], .the(\.active): "r",
            .the(\.working): "0",
        ],
    ]

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { Talk().play(dialogue) }

    @Test func `is not known of a request that an earlier version has begun`() {
        let active = ActiveRequest(
            request: IntentRequest(id: "r", intent: "Book"), parameters: [], began: Instant(milliseconds: 0))
        #expect(active.times.working(at: Talk.start, waits: false) == nil && active.times.inStep(at: Talk.start) == nil)
    }
}

extension Talk {
    fileprivate var working: Int64? { session.active.flatMap { $0.times.working(at: now, waits: $0.waitsForPerson) } }
    fileprivate var inStep: Int64? { session.active?.times.inStep(at: now) }
}
