import Conversation
import IntentModel
import Testing

@Suite("Failing: retry, fail or reject")
struct FailureTests {
    let talk = Talk()
    static let working = [StageName.resolving, .confirming, .handling]
    static let phases = Array(zip(working, Phase.allCases))

    private static let dialogues: Dialogues = [
        "a second outcome of the failed attempt changes nothing while the next one is due": [
            .at(.resolving, .confirming, .handling): "…", .busy(5): [], .busy(5): "ignored staleOutcome",
        ],
        "all attempts share the time of their phase": [
            .at(.handling): "handle", .busy(40): [], .timer(): "handle attempt 2", .the(\.stageLasts): "20.0",
            .busy(40): [], .timer(): "completed r: timedOut requestTimedOut",
        ],
        "the next phase begins with its first attempt": [
            .request(): "resolve", .busy(): [], .timer(): "resolve attempt 2", .resolver(): "confirm",
        ],
        "a negative delay means no retry": [
            .at(.resolving, .confirming, .handling): "…", .busy(-5): "completed r: failure failure",
        ],
        "an excessive delay ends with the phase": [
            .request(): "resolve", .fails(.retry(after: .seconds(Int64.max)), .busy): [],
            .timer(): "completed r: timedOut requestTimedOut",
        ],
        "an excessive delay in milliseconds ends with the phase": [
            .request(): "resolve", .fails(.retry(after: .milliseconds(Int64.max)), .busy): [],
            .timer(): "completed r: timedOut requestTimedOut",
        ],
        "a handler that fails after reporting progress can be retried: it starts again": [
            .at(.inProgress): "…", .progress(0.5): "progress 0.5", .busy(1): [], .the(\.stage): "handling",
            .timer(): "handle attempt 2", .progress(0.25): "progress 0.25",
        ],
        "a failure with a code ends the request with it": [
            .at(.resolving, .confirming, .handling, .inProgress): "…",
            .fails(.failure("failureNoMatchingWorkout"), .invalid): "completed r: failure failureNoMatchingWorkout",
            .the(\.error): "invalid",
        ],
        "a phase that was cancelled, or whose question the person declined, cancels the request": [
            .at(.resolving, .confirming, .handling, .inProgress): "…",
            .fails(.failure(.cancelled), .unexpected): "completed r: cancelled cancelled",
        ],
        "a request that a worker rejects fails": [
            .at(.resolving, .confirming, .handling, .inProgress): "…",
            .fails(.reject, .invalid): "completed r: failure failure",
        ],
        "an intent that no worker serves is unsupported, as SiriKit calls it": [
            .request(): "resolve", .fails(.reject, .unsupported): "completed r: unsupported noHandlerProvidedForIntent",
        ],
        "an unreadable outcome fails the request that a worker has": [
            .at(.resolving, .confirming, .handling, .inProgress): "…", .garbage(): "completed r: failure failure",
            .the(\.error): "unparseable",
        ],
        "an unreadable outcome does not affect a request that waits for its next attempt": [
            .request(): "resolve", .busy(5): [], .garbage(): "ignored staleOutcome",
        ],
        "a request fails if the log refuses its work": [
            .at(.resolving, .confirming, .handling): "…", .workRefused(): "completed r: failure failure",
            .the(\.error): "internal", .the(\.completion?.error?.message): "refused",
        ],
        "a refused repeat of work that is in progress changes nothing": [
            .at(.inProgress): "…", .workRefused(): "ignored staleOutcome",
        ],
        "refused work of an earlier step changes nothing": [
            .at(.resolving, .confirming, .handling): "…", .workRefused(earlier: 1): "ignored staleOutcome",
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

    @Test("as in the dialogues", arguments: dialogues.cases)
    func plays(_ dialogue: Dialogue) { talk.play(dialogue) }

    @Test("a failure that the person can fix in the app opens the app, in any phase", arguments: working)
    func launch(_ stage: StageName) {
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

    @Test(
        "a worker may ask for a retry after a delay: the timer dispatches it, and nothing before does",
        arguments: phases)
    func retry(_ stage: StageName, _ phase: Phase) {
        talk.play(.at(stage))
        let (key, step) = (talk.item?.idempotencyKey, talk.session.active?.step)
        talk.play([
            .busy(5): [], .the(\.outstanding): "none", .wait(4): "ignored earlyTimer", .wait(1): "\(phase) attempt 2",
            .the(\.item?.idempotencyKey): "\(key ?? "none")", .worker(.cancelled, step: step): "ignored staleOutcome",
        ])
    }

    @Test("attempts are limited: the last failure is the request's", arguments: phases)
    func attempts(_ stage: StageName, _ phase: Phase) {
        talk.policy.maximumAttempts = 3
        talk.play([
            .at(stage): "…", .busy(): [], .timer(): "\(phase) attempt 2", .busy(): [], .timer(): "\(phase) attempt 3",
            .busy(): "completed r: failure failure", .the(\.error): "busy",
        ])
    }

    @Test(
        "the next request begins, however the previous one failed",
        arguments: [IntentFailure.Disposition.failure("failure"), .reject, .retry(after: .zero)])
    func nextBegins(_ disposition: IntentFailure.Disposition) {
        talk.policy.maximumAttempts = 1
        talk.play([
            .request(): "resolve", .request("next"): [],
            .fails(disposition): ["completed r: failure failure", "resolve"], .the(\.active): "next",
        ])
    }
}
