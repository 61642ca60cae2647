import Conversation
import IntentModel
import Testing

@Suite("The policy of an intent: its own times and attempts") struct PolicyTests {
    private static let dialogues: Dialogues = [
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
            .fails(.retry(after: .zero), .unauthorized): "completed r: failure failure", .the(\.error): "unauthorized",
            .or(.busy()): [], .timer(): "handle attempt 2", .busy(): "completed r: failure failure",
        ],
        "a policy that is sent once holds for its whole request, and for no other": [
            .at(.awaitingAnswer, id: "a", intent: phaseTimes): "…", .answer(.accept, "Leeds"): "resolve",
            .resolver(): "confirm", .the(\.stageLasts): "20.0", .cancel(): "…", .at(.confirming, id: "b"): "confirm",
            .the(\.stageLasts): "60.0",
        ],
    ]

    private static let phaseTimes = IntentPolicy(
        resolve: PhasePolicy(timeout: .seconds(10)), confirm: PhasePolicy(timeout: .seconds(20)),
        handle: PhasePolicy(timeout: .seconds(300)))
    private static let otherTimes: IntentPolicy = {
        var policy = IntentPolicy(
            answerTimeout: .seconds(11), handoffTimeout: .seconds(12), inProgressTimeout: .seconds(13))
        policy.cleanupTimeout = .seconds(14)
        return policy
    }()
    private static let delays = RetryPolicy(
        firstDelay: .seconds(2), factor: 3, maximumDelay: .seconds(10), maximumAttempts: 5)
    private static let twice = RetryPolicy(maximumAttempts: 2, neverRetried: [.unauthorized])

    private static func retrying(_ retry: RetryPolicy) -> IntentPolicy {
        IntentPolicy(handle: PhasePolicy(retry: retry))
    }

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { Talk().play(dialogue) }

    @Test(arguments: [Double.infinity, .nan, -1, 0, 1e300])
    func `every delay is within bounds, whatever its factor`(_ factor: Double) {
        let retry = RetryPolicy(firstDelay: .seconds(Int64.max), factor: factor, maximumDelay: .seconds(Int64.max))
        #expect(retry.delay(before: 100) == .seconds(30 * 24 * 3_600))
        #expect(RetryPolicy(firstDelay: .seconds(-5), factor: factor).delay(before: 3) == .zero)
    }

    @Test func `delays grow up to a limit`() {
        let delays = (2...5).map { Self.delays.delay(before: $0) }
        #expect(delays == [.seconds(2), .seconds(6), .seconds(10), .seconds(10)])
    }
}

@Suite("Deadlines: the person is told in time, and a late outcome is not a second completion") struct DeadlineTests {
    private static let dialogues: Dialogues = [
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
            .timer(): "completed next: timedOut requestTimedOut", .the(\.stage): "awaitingAnswer",
            .the(\.queued): "none",
        ],
        "a request that was interrupted ends at its deadline too": [
            .at(.awaitingAnswer, deadline: 30): "…", .request("urgent", whenBusy: .interrupt): "resolve",
            .timer(): "completed r: timedOut requestTimedOut", .the(\.active): "urgent", .the(\.suspended): "none",
        ],
        "a success after its request has timed out is reported once, as a late outcome and not a completion": [
            .at(.handling): "handle",
            .wait(\.phaseTimeout): ["ignored earlyTimer", "cancel handle", "completed r: timedOut requestTimedOut"],
            .late(.progressed(fraction: 0.5, dialog: nil)): "ignored lateOutcome", .late(.success): "late r: success",
            .late(.success): "ignored staleOutcome",
        ],
        "other late outcomes are counted, but not reported": [
            .at(.inProgress): "…", .wait(900): "…", .late(.cancelled): "ignored lateOutcome",
            .late(.finished(.responded(IntentResponse(.failure)))): "ignored lateOutcome",
        ],
        "a late success of a handler that was told to stop is reported too": [
            .at(.handling): "handle", .cancel(): "cancel handle",
            .wait(\.cancelTimeout): ["ignored earlyTimer", "completed r: cancelled cancelled"],
            .late(.success): "late r: success",
        ],
        "the number of awaited late outcomes is bounded": [
            .policy { $0.maximumAbandoned = 2 }: [], .at(.handling, id: "r1"): "handle", .wait(60): "…",
            .at(.handling, id: "r2"): "handle", .wait(60): "…", .at(.handling, id: "r3"): "handle", .wait(60): "…",
            .the(\.abandoned): "r2, r3",
        ],
        "running work is told why it is cancelled": [
            .at(.handling): "handle", .cancel(): "cancel handle", .the(\.work?.cancel?.reason): "person",
            .or(.wait(60)): "…", .the(\.work?.cancel?.reason): "timeout",
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

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { Talk().play(dialogue) }
}

extension Step {
    /// Reports an outcome of the handler of a request that has ended.
    fileprivate static func late(_ content: Outcome.Content, at line: Line = #_sourceLocation) -> Step {
        .worker(content, phase: .handle, step: 3, request: "r", at: line)
    }
}

extension Talk {
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
