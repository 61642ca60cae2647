import Conversation
import IntentModel
import Testing

@Suite("At most once: a handler is called only with a permit") struct OnceTests {
    private static let dialogues: Dialogues = [
        "the first claim gets a permit, which is sent again after a crash; the work is not dispatched again": [
            .at(.handling, intent: .once): "handle", .the(\.item?.effect): "atMostOnce", .the(\.outstanding): "handle",
            .starts("a"): "permit a", .starts("a"): "ignored repeatedStart", .the(\.outstanding): "permit",
            .the(\.session.outstandingWork.first?.permit?.claim): "a", .cancel(): "cancel handle",
            .the(\.outstanding): "permit, cancel", .or(.handler()): "completed r: success success",
        ],
        // The effect of a first claim, of a silent handler, and of an earlier owner's permit is unknown.
        "without a valid outcome of a permitted handler the outcome is unknown, and another claim is not permitted": [
            .at(.handling, intent: .once): "handle", .starts("a"): "permit a",
            .starts("b"): ["cancel handle", "completed r: failure failure"], .the(\.error): "outcomeUnknown",
            .or(.timer()): ["cancel handle", "completed r: failure failure"], .the(\.error): "outcomeUnknown",
            .or(.garbage()): "completed r: failure failure", .the(\.error): "outcomeUnknown",
            .or(.workRefused()): "completed r: failure failure", .the(\.error): "outcomeUnknown",
            .or(.handler(.ready)): "completed r: failure failure", .the(\.error): "outcomeUnknown",
        ],
        "a late success of a permitted handler is reported, also after progress": [
            .at(.handling, intent: .once): "handle", .starts("a"): "permit a", .either(.passes(1), .progress(0.5)): "…",
            .timer(): ["cancel handle", "completed r: failure failure"], .the(\.error): "outcomeUnknown",
            .worker(.success, phase: .handle, step: 3, request: "r"): "late r: success",
        ],
        "a claim for an older step, or for a request that has ended, is not permitted": [
            .at(.handling, intent: .once): "handle", .busy(): [], .timer(): "handle attempt 2",
            .starts("a", step: 3): "ignored staleOutcome", .starts("b"): "permit b",
            .handler(): "completed r: success success", .starts("c"): "ignored staleOutcome",
        ],
        "the outcome is also unknown when the request's deadline passes": [
            .at(.handling, deadline: 5, intent: .once): "handle", .starts("a"): "permit a",
            .timer(): ["cancel handle", "completed r: failure failure"], .the(\.error): "outcomeUnknown",
        ],
        "a handler without a permit was never called: a late claim changes nothing": [
            .at(.handling, intent: .once): "handle",
            .cancel(): ["cancel handle", "completed r: cancelled cancelled"], .starts("a"): "ignored staleOutcome",
        ],
        "a request whose handler has no permit times out, and a late claim changes nothing": [
            .at(.handling, intent: .once): "handle",
            .timer(): ["cancel handle", "completed r: timedOut requestTimedOut"], .the(\.session.abandoned): "none",
            .starts("a"): "ignored staleOutcome",
        ],
        "a cancel after the permit waits for the handler; without its outcome the outcome is unknown": [
            .at(.handling, intent: .once): "handle", .starts("a"): "permit a", .cancel(): "cancel handle",
            .worker(.cancelled): "completed r: cancelled cancelled",
            .or(.wait(\.cancelTimeout)): ["ignored earlyTimer", "completed r: failure failure"],
            .the(\.error): "outcomeUnknown",
        ],
        "a handler that has not begun is retried with a new permit, and the app's workers need their own": [
            .at(.handling, intent: .once): "handle", .starts("a"): "permit a", .busy(): [],
            .the(\.outstanding): "none", .timer(): "handle attempt 2", .starts("b"): "permit b",
            .handler(.handleInApp): ["offer background", "handle in app"], .the(\.session.active?.permit): "none",
            .starts("c"): "permit c", .the(\.work?.isInApp): "true",
        ],
        "a copy of permitted work that is given back or stopped elsewhere changes nothing": [
            .at(.handling, intent: .once): "handle", .starts("a"): "permit a",
            .reports(busy, claim: nil): "ignored staleOutcome", .reports(busy, claim: "b"): "ignored staleOutcome",
            .reports(.cancelled, claim: nil): "ignored staleOutcome",
            .reports(.cancelled, claim: "b"): "ignored staleOutcome", .the(\.session.active?.permit): "a",
            // Earlier versions report no claim.
            .handler(): "completed r: success success",
            .or(.reports(.success, claim: nil)): "completed r: success success",
        ],
        "other phases need no permit": [
            .at(.confirming, intent: .once): "confirm",
            .worker(.starting(claim: "a"), phase: .confirm): "completed r: failure failure",
        ],
        "work released before a permit does not count as an attempt: it is dispatched again": [
            .at(.handling, intent: onlyAttempt): "handle", .busy(): [], .timer(): "handle attempt 2",
            .starts("a"): "permit a", .busy(): "completed r: failure failure",
        ],
        "each run of a handler that asks has its own claim, and what earlier runs recorded": [
            .at(.handling, intent: .once): "handle", .starts("a"): "permit a",
            .asks("sure", .confirmIntent, recorded: ["paid": .bool(true)]): "prompt confirmIntent",
            .starts("a", step: 3): "ignored staleOutcome", .answer(.accept): "handle",
            .the(\.item?.recorded): "paid true", .the(\.item?.effect): "atMostOnce", .starts("b"): "permit b",
            .handler {
                $0.offersUpdates = true
                $0.opensIntent = OpenedIntent(intent: "Next")
            }: ["completed r: success success, opens Next", "resolve"],
            .event(.updatesStarted(request: "r")): "update", .the(\.item?.effect): "none",
        ],
    ]

    private static let busy = Outcome.Content.finished(
        .failed(IntentFailure(.retry(after: .zero), reason: .busy, message: "no room")))
    private static let onlyAttempt = IntentPolicy(
        effect: .atMostOnce, handle: PhasePolicy(retry: RetryPolicy(maximumAttempts: 1, neverRetried: [.busy])))

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { Talk().play(dialogue) }
}

extension Step {
    /// Reports an outcome of the handler with another claim.
    fileprivate static func reports(
        _ content: Outcome.Content, claim: String?, at line: Line = #_sourceLocation
    ) -> Step {
        Step(line) {
            var outcome = Outcome(request: "r", step: 3, phase: .handle, content: content, ticket: $0.ticket("r", 3))
            outcome.claim = claim
            return $0.receive(.outcome(outcome), at: line)
        }
    }
}
