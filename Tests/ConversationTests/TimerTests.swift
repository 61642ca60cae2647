import Conversation
import IntentModel
import PipelineTestKit
import Testing

private let phaseTimes = IntentPolicy(
    resolve: PhasePolicy(timeout: .seconds(10)), confirm: PhasePolicy(timeout: .seconds(20)),
    handle: PhasePolicy(timeout: .seconds(300)))

private let otherTimes: IntentPolicy = {
    var policy = IntentPolicy(
        answerTimeout: .seconds(11), handoffTimeout: .seconds(12), inProgressTimeout: .seconds(13))
    policy.cleanupTimeout = .seconds(14)
    return policy
}()

private let delays = RetryPolicy(firstDelay: .seconds(2), factor: 3, maximumDelay: .seconds(10), maximumAttempts: 5)

private let twice = RetryPolicy(maximumAttempts: 2, neverRetried: [.unauthorized])

private func retrying(_ retry: RetryPolicy) -> IntentPolicy { IntentPolicy(handle: PhasePolicy(retry: retry)) }

private let timers: Dialogues = [
    "a phase ends after its timeout, and its worker is told": [
        .at(.resolving, .confirming, .handling): "…", .the(\.timerLasts): "60.0",
        .wait(\.phaseTimeout): ["ignored earlyTimer", "cancel $phase", "completed r: timedOut"],
    ],
    "a handler that has reported progress ends after its own timeout": [
        .at(.inProgress): "…", .the(\.timerLasts): "900.0",
        .wait(\.inProgressTimeout): ["ignored earlyTimer", "cancel handle", "completed r: timedOut"],
    ],
    "a request without an answer ends after the timeout of answers": [
        .at(.awaitingAnswer, .awaitingConfirmation): "…", .the(\.timerLasts): "120.0",
        .wait(\.answerTimeout): ["ignored earlyTimer", "completed r: timedOut"],
    ],
    "no prompt or work item is valid beyond the request's deadline": [
        .request(deadline: 10): "resolve", .the(\.workLasts): "10.0", .resolver(["dropOff": .missing]): "…",
        .the(\.promptLasts): "10.0",
    ],
    "a request that arrives after its deadline times out and never begins": [
        .request(deadline: -1): "completed r: timedOut", .request("r2", deadline: 0): "completed r2: timedOut",
    ],
    "a session without a request is forgotten after its idle time, unless there is input from the person's side": [
        .at(.handling): "handle", .handler(): "completed r: success", .passes(1_000): [],
        .cancel(): "rejected unexpected request", .the(\.timerLasts): "1800.0",
        .wait(\.idleTimeout): ["ignored earlyTimer", "forgotten"],
    ],
    "a clock that goes back ends nothing early and does not change the session's own time": [
        .at(.awaitingAnswer): "…", .wait(-3_600): "ignored earlyTimer", .answer(.accept, "Airport"): "resolve",
        .the(\.stageLasts): "60.0", .the(\.session.updated): "\(Talk.start)",
    ],
    "a timer set for an older step has no effect": [
        .at(.awaitingAnswer): "…", .passes(100): [], .answer(.accept, "Airport"): "resolve",
        .wait(20): "ignored earlyTimer",
    ],
    "after a long sleep everything due happens, one timer at a time, and then nothing more": [
        .at(.handling, id: "a"): "handle", .handler(.failureRequiringAppLaunch): "…",
        .at(.awaitingAnswer, id: "b"): "…", .request("c", deadline: 60): "queued", .wait(100_000): [],
        .wait(0): "completed c: timedOut", .wait(0): "completed b: timedOut",
        .wait(0): "ignored earlyTimer", .timer(): "forgotten",
    ],
]

private let personClock: Dialogues = [
    "work has the zone and the time of its request, or neither if the request has neither": [
        .clocked(): "resolve", .the(\.item?.timeZone): "Europe/Amsterdam", .the(\.workIsAhead): "0.0",
        .or(.request()): "resolve", .the(\.item?.timeZone): "none", .the(\.workIsAhead): "none",
    ],
    "an answer and a correction are read at the time at which they came": [
        .clocked(): "resolve", .resolver(["dropOff": .missing]): "prompt value dropOff", .passes(90): [],
        .answer(.accept, "tomorrow"): "resolve", .the(\.workIsAhead): "0.0", .resolver(): "confirm", .passes(5): [],
        .correct("dropOff", "today"): "resolve", .the(\.workIsAhead): "0.0",
    ],
    "a retry, and later phases, read an event at the time at which it came": [
        .clocked(): "resolve", .fails(.retry(after: .seconds(20))): [], .timer(): "resolve attempt 2",
        .the(\.workIsAhead): "-20.0", .resolver(): "confirm", .the(\.workIsAhead): "-20.0",
    ],
    "a request that has waited for its turn is read at the time at which it came": [
        .at(.awaitingAnswer, id: "first"): "…", .clocked("second"): "queued", .passes(60): [],
        .cancel("first"): ["completed first: cancelled", "resolve"], .the(\.active): "second",
        .the(\.workIsAhead): "-60.0",
    ],
    "a person's clock keeps its offset": [
        .clocked(ahead: -86_400): "resolve", .the(\.workIsAhead): "-86400.0",
        .resolver(["dropOff": .missing]): "prompt value dropOff", .passes(60): [],
        .answer(.accept, "tomorrow"): "resolve", .the(\.workIsAhead): "-86400.0",
    ],
]

private let requestTimes: Dialogues = [
    "a request counts the time of the pipeline and that of the person; an ignored event begins no step": [
        .request(): "resolve", .passes(2): [], .request(): "ignored duplicateRequest", .the(\.inStep): "2000",
        .resolver(["dropOff": .missing]): "…", .the(\.working): "2000", .the(\.inStep): "0", .passes(60): [],
        .the(\.working): "2000", .the(\.inStep): "60000", .answer(.accept, "Airport"): "resolve", .passes(3): [],
        .the(\.working): "5000", .the(\.session.active?.times.waited): "60000",
    ],
    "the time of an interruption is that of the person": [
        .at(.awaitingAnswer): "…", .passes(10): [], .request("second", whenBusy: .interrupt): "resolve",
        .passes(20): [], .cancel("second"): "…", .worker(.cancelled): "…", .passes(5): [], .the(\.active): "r",
        .the(\.working): "0",
    ],
]

private let policies: Dialogues = [
    "each phase has the time that the intent gives it, from the resolver's first outcome on": [
        .at(.awaitingAnswer, intent: phaseTimes): "prompt value dropOff", .answer(.accept, "Leeds"): "resolve",
        .the(\.stageLasts): "10.0", .resolver(): "confirm", .the(\.stageLasts): "20.0", .confirmer(): "handle",
        .the(\.stageLasts): "300.0", .the(\.workLasts): "300.0",
    ],
    "answers, handoffs, progress and cleaning up have the times that the intent gives them": [
        .at(.awaitingAnswer, id: "a", intent: otherTimes): "…", .the(\.promptLasts): "11.0", .cancel(): "…",
        .at(.handedOff, id: "b", intent: otherTimes): "…", .the(\.handoffLasts): "12.0", .cancel(): "…",
        .at(.inProgress, id: "c", intent: otherTimes): "…", .the(\.stageLasts): "13.0", .cancel(): "cancel handle",
        .the(\.stageLasts): "14.0", .the(\.cancelLasts): "14.0",
    ],
    "work for a handler says how long it is waited for after progress, as the coordinator does": [
        .at(.confirming): "confirm", .the(\.item?.inProgressTimeout): "none", .confirmer(): "handle",
        .the(\.item?.inProgressTimeout): "900.0 seconds", .the(\.workUnderOther): "11.0 seconds",
    ],
    "work for a handler says how long it is waited for after progress, as the intent says": [
        .at(.handling, intent: otherTimes): "handle", .the(\.item?.inProgressTimeout): "13.0 seconds",
        .the(\.workUnderOther): "13.0 seconds",
    ],
    "attempts are separated by the intent's delays, which grow up to a limit": [
        .at(.handling, intent: retrying(delays)): "handle", .busy(): [], .the(\.retriesIn): "2.0",
        .timer(): "handle attempt 2", .busy(7): [], .the(\.retriesIn): "7.0",
    ],
    "the intent limits attempts, and some failures are not retried": [
        .at(.handling, intent: retrying(twice)): "handle",
        .fails(.retry(after: .zero), .unauthorized): "completed r: failure", .the(\.error): "unauthorized",
        .or(.busy()): [], .timer(): "handle attempt 2", .busy(): "completed r: failure",
    ],
    "a policy that is sent once holds for its whole request, and for no other": [
        .at(.awaitingAnswer, id: "a", intent: phaseTimes): "…", .answer(.accept, "Leeds"): "resolve",
        .resolver(): "confirm", .the(\.stageLasts): "20.0", .cancel(): "…", .at(.confirming, id: "b"): "confirm",
        .the(\.stageLasts): "60.0",
    ],
]

private let deadlines: Dialogues = [
    "a phase that takes long is announced once, which does not extend its time": [
        .policy { $0.announceAfter = .seconds(8) }: [], .at(.resolving, .confirming, .handling): "…",
        .wait(7): "ignored earlyTimer", .wait(1): "progress -", .the(\.stageLasts): "52.0",
        .wait(51.999): "ignored earlyTimer", .wait(0.001): "…", .the(\.completion?.status): "timedOut",
    ],
    "all attempts of a phase are announced once": [
        .policy { $0.announceAfter = .seconds(8) }: [], .at(.handling): "handle", .busy(5): [],
        .timer(): "handle attempt 2", .wait(3): "progress -", .busy(5): [], .timer(): "handle attempt 3",
        .wait(20): "ignored earlyTimer",
    ],
    "a handler that reports progress itself is not announced, nor a request that is being cancelled": [
        .policy { $0.announceAfter = .seconds(8) }: [], .at(.inProgress, id: "a"): "progress -",
        .wait(9): "ignored earlyTimer", .cancel(): "cancel handle", .wait(9): "ignored earlyTimer",
        .worker(.cancelled): "…", .at(.awaitingAnswer, id: "b"): "…", .wait(9): "ignored earlyTimer",
    ],
    "the intent sets the time after which it is announced": [
        .at(.handling, intent: IntentPolicy(handle: PhasePolicy(announceAfter: .seconds(3)))): "handle",
        .wait(3): "progress -",
    ],
    "a queued request ends at its deadline, not when it would begin": [
        .at(.awaitingAnswer): "…", .request("next", deadline: 30): "queued", .the(\.timerLasts): "30.0",
        .timer(): "completed next: timedOut", .the(\.stage): "awaitingAnswer", .the(\.queued): "none",
    ],
    "a request that was interrupted ends at its deadline too": [
        .at(.awaitingAnswer, deadline: 30): "…", .request("urgent", whenBusy: .interrupt): "resolve",
        .timer(): "completed r: timedOut", .the(\.active): "urgent", .the(\.suspended): "none",
    ],
    "a success after its request has timed out is reported once, as a late outcome and not a completion": [
        .at(.handling): "handle",
        .wait(\.phaseTimeout): ["ignored earlyTimer", "cancel handle", "completed r: timedOut"],
        .late(.progressed(fraction: 0.5, dialog: nil)): "ignored lateOutcome", .late(.success): "late r: success",
        .late(.success): "ignored staleOutcome",
    ],
    "other late outcomes are counted, but not reported": [
        .at(.inProgress): "…", .wait(900): "…", .late(.cancelled): "ignored lateOutcome",
        .late(.finished(.responded(IntentResponse(.failure)))): "ignored lateOutcome",
    ],
    "the number of awaited late outcomes is bounded": [
        .policy { $0.limits.maximumAbandoned = 2 }: [], .at(.handling, id: "r1"): "handle", .wait(60): "…",
        .at(.handling, id: "r2"): "handle", .wait(60): "…", .at(.handling, id: "r3"): "handle", .wait(60): "…",
        .the(\.abandoned): "r2, r3",
    ],
    "running work is told why it is cancelled, and a late success of a stopped handler is reported too": [
        .at(.handling): "handle", .wait(60): "…", .the(\.work?.cancel?.reason): "timeout",
        .or(.cancel()): "cancel handle", .the(\.work?.cancel?.reason): "person",
        .wait(\.cancelTimeout): ["ignored earlyTimer", "completed r: cancelled"], .late(.success): "late r: success",
    ],
    "running work is told that its request is replaced, after a crash again, with its remaining time": [
        .at(.handling): "handle", .request("other", whenBusy: .replace): "cancel handle",
        .the(\.work?.cancel?.reason): "replaced", .passes(1): [],
        .the(\.session.outstandingWork.last?.cancel?.reason): "replaced", .the(\.stageLasts): "9.0",
        .the(\.repeatedCancelLasts): "9.0",
    ],
    "the request's deadline is a cancellation reason of its own": [
        .at(.handling, deadline: 5): "handle", .timer(): "…", .the(\.work?.cancel?.reason): "deadline",
    ],
]

@Suite("Time: only what is due happens, at the times of the policy") struct TimerTests {
    private let talk = Talk()

    @Test(arguments: [timers, personClock, requestTimes, policies, deadlines].flatMap(\.cases))
    func `as in the dialogues`(_ dialogue: Dialogue) { talk.play(dialogue) }

    @Test(arguments: BusyTests.active) func `the deadline of a request ends it in any stage`(_ stage: StageName) {
        talk.policy.answerTimeout = .seconds(900)
        talk.policy.phaseTimeout = .seconds(900)
        talk.play([.at(stage, deadline: 500): "…", .the(\.timerLasts): "500.0"])
        #expect(talk.play(.wait(500)).last == "completed r: timedOut" && talk.error == .unexpected)
    }

    @Test func `the times of a request that an earlier version has begun are unknown`() {
        let active = ActiveRequest(
            request: IntentRequest(id: "r", intent: "Book"), parameters: [], began: Instant(milliseconds: 0))
        #expect(active.times.working(at: Talk.start, waits: false) == nil && active.times.inStep(at: Talk.start) == nil)
    }

    @Test(arguments: [Double.infinity, .nan, -1, 0, 1e300])
    func `every delay is within bounds, whatever its factor`(_ factor: Double) {
        let retry = RetryPolicy(firstDelay: .seconds(Int64.max), factor: factor, maximumDelay: .seconds(Int64.max))
        #expect(retry.delay(before: 100) == .seconds(30 * 24 * 3_600))
        #expect(RetryPolicy(firstDelay: .seconds(-5), factor: factor).delay(before: 3) == .zero)
    }

    @Test func `delays grow up to a limit`() {
        #expect((2...5).map { delays.delay(before: $0) } == [.seconds(2), .seconds(6), .seconds(10), .seconds(10)])
    }
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

    /// Reports an outcome of the handler of a request that has ended.
    fileprivate static func late(_ content: Outcome.Content, at line: Line = #_sourceLocation) -> Step {
        .worker(content, phase: .handle, step: 3, request: "r", at: line)
    }
}

extension Talk {
    /// The seconds by which the work's time is ahead of the session's.
    fileprivate var workIsAhead: Double? { seconds(until: item?.now) }

    fileprivate var working: Int64? { session.active.flatMap { $0.times.working(at: now, waits: $0.waitsForPerson) } }
    fileprivate var inStep: Int64? { session.active?.times.inStep(at: now) }

    fileprivate var abandoned: [Identifier] { session.abandoned.map(\.request) }
    fileprivate var retriesIn: Double? { seconds(until: session.active?.retryAt) }
    fileprivate var cancelLasts: Double? { seconds(until: work?.cancel?.deadline) }
    fileprivate var repeatedCancelLasts: Double? { seconds(until: session.outstandingWork.last?.cancel?.deadline) }
    /// The time for progress of the work that a coordinator with another policy dispatches again.
    fileprivate var workUnderOther: Duration? {
        var policy = SessionPolicy()
        policy.inProgressTimeout = .seconds(11)
        return session.outstandingWork(under: policy).first?.item?.inProgressTimeout
    }
}
