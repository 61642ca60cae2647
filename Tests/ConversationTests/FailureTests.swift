import Conversation
import IntentModel
import Testing

@Suite("Failing: retry, fail or reject") struct FailureTests {
    let talk = Talk()
    static let working = [StageName.resolving, .confirming, .handling]

    private static let dialogues: Dialogues = [
        "a second outcome of the failed attempt changes nothing while the next one is due": [
            .at(.resolving, .confirming, .handling): "…",
            // A negative delay means no retry.
            .busy(-5): "completed r: failure failure", .or(.busy(5)): [], .busy(5): "ignored staleOutcome",
            .garbage(): "ignored staleOutcome", .worker(.cancelled): "ignored staleOutcome",
        ],
        "a worker may ask for a retry after a delay: the timer dispatches it, and nothing before does": [
            .at(.resolving, .confirming, .handling): "…", .busy(5): [], .the(\.outstanding): "none",
            .wait(4): "ignored earlyTimer", .wait(1): "$phase attempt 2", .the(\.item?.idempotencyKey): "s/r",
            .worker(.cancelled, step: 1): "ignored staleOutcome",
        ],
        "attempts are limited: the last failure is the request's": [
            .policy { $0.maximumAttempts = 3 }: [], .at(.resolving, .confirming, .handling): "…", .busy(): [],
            .timer(): "$phase attempt 2", .busy(): [], .timer(): "$phase attempt 3",
            .busy(): "completed r: failure failure", .the(\.error): "busy",
        ],
        "the next request begins, however the previous one failed": [
            .policy { $0.maximumAttempts = 1 }: [], .request(): "resolve", .request("next"): [],
            .either(.fails(.failure("failure")), .fails(.reject), .busy()): [
                "completed r: failure failure", "resolve",
            ],
            .the(\.active): "next",
        ],
        "all attempts share the time of their phase": [
            .at(.handling): "handle", .busy(40): [], .timer(): "handle attempt 2", .the(\.stageLasts): "20.0",
            .busy(40): [], .timer(): "completed r: timedOut requestTimedOut",
        ],
        "the next phase begins with its first attempt": [
            .request(): "resolve", .busy(): [], .timer(): "resolve attempt 2", .resolver(): "confirm",
        ],
        "an excessive delay ends with the phase": [
            .request(): "resolve",
            .either(
                .fails(.retry(after: .seconds(Int64.max)), .busy),
                .fails(.retry(after: .milliseconds(Int64.max)), .busy)):
                [],
            .timer(): "completed r: timedOut requestTimedOut",
        ],
        "a handler that fails after reporting progress can be retried: it starts again": [
            .at(.inProgress): "…", .progress(0.5): "progress 0.5", .workRefused(): "ignored staleOutcome",
            .busy(1): [], .the(\.stage): "handling", .timer(): "handle attempt 2", .progress(0.25): "progress 0.25",
        ],
        "a failure ends the request: with its code, as cancelled, or as rejected; so does an unreadable outcome": [
            .at(.resolving, .confirming, .handling, .inProgress): "…",
            .fails(.failure("failureNoMatchingWorkout"), .invalid): "completed r: failure failureNoMatchingWorkout",
            .the(\.error): "invalid",
            .or(.fails(.failure(.cancelled), .unexpected)): "completed r: cancelled cancelled",
            .or(.fails(.reject, .invalid)): "completed r: failure failure",
            .or(.garbage()): "completed r: failure failure", .the(\.error): "unparseable",
        ],
        "an intent that no worker serves is unsupported, as SiriKit calls it": [
            .request(): "resolve", .fails(.reject, .unsupported): "completed r: unsupported noHandlerProvidedForIntent",
        ],
        "a request fails if the log refuses its work, but not if the log refuses the work of an earlier step": [
            .at(.resolving, .confirming, .handling): "…", .workRefused(earlier: 1): "ignored staleOutcome",
            .workRefused(): "completed r: failure failure", .the(\.error): "internal",
            .the(\.completion?.error?.message): "refused",
        ],
        "a handler that an earlier owner had dispatched may still succeed after a repeat of its work was refused": [
            .at(.handling): "handle", .workRefused(): "completed r: failure failure",
            .worker(.success, phase: .handle, step: 3, request: "r"): "late r: success",
        ],
        // The ledger checks that nothing else happens.
        "an event that could be read but not accepted is rejected": [
            .at(
                .queued, .resolving, .awaitingAnswer, .confirming, .awaitingConfirmation, .handling, .inProgress,
                .handedOff): "…",
            .event(.refused(Rejection(.invalid, "no", field: "intent"))): "rejected invalid intent",
        ],
    ]

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { talk.play(dialogue) }

    @Test(arguments: working)
    func `a failure that the person can fix in the app opens the app, in any phase`(_ stage: StageName) {
        let activity = UserActivity(activityType: "com.example.sign-in")
        let code: ResponseCode = "failureRequiringInAppAuthentication"
        talk.play([
            .at(stage): "…",
            .fails(.failure(code), .unauthorized) { $0.activity = activity }: [
                "offer foreground", "completed r: failure \(code)",
            ],
        ])
        #expect(talk.session.handoffs.first?.activity == activity && talk.completion?.activity == activity)
    }
}
