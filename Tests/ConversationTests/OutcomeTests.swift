import Conversation
import IntentModel
import PipelineTestKit
import Testing

private let signIn = UserActivity(activityType: "com.example.sign-in")

private let busy = Outcome.Content.finished(
    .failed(IntentFailure(.retry(after: .zero), reason: .busy, message: "no room")))

private let onlyAttempt = IntentPolicy(
    effect: .atMostOnce, handle: PhasePolicy(retry: RetryPolicy(maximumAttempts: 1, neverRetried: [.busy])))

private let failures: Dialogues = [
    "a second outcome of the failed attempt changes nothing while the next one is due": [
        .at(.resolving, .confirming, .handling): "…",
        // A negative delay means no retry.
        .busy(-5): "completed r: failure", .or(.busy(5)): [], .busy(5): "ignored staleOutcome",
        .garbage(): "ignored staleOutcome", .worker(.cancelled): "ignored staleOutcome",
    ],
    "a worker may ask for a retry after a delay: the timer dispatches it, and nothing before does": [
        .at(.resolving, .confirming, .handling): "…", .busy(5): [], .the(\.outstanding): "none",
        .wait(4): "ignored earlyTimer", .wait(1): "$phase attempt 2", .the(\.item?.idempotencyKey): "s/r",
        .worker(.cancelled, step: 1): "ignored staleOutcome",
    ],
    "attempts are limited: the last failure is the request's": [
        .policy { $0.limits.maximumAttempts = 3 }: [], .at(.resolving, .confirming, .handling): "…", .busy(): [],
        .timer(): "$phase attempt 2", .busy(): [], .timer(): "$phase attempt 3", .busy(): "completed r: failure",
        .the(\.error): "busy",
    ],
    "all attempts share the time of their phase": [
        .at(.handling): "handle", .busy(40): [], .timer(): "handle attempt 2", .the(\.stageLasts): "20.0",
        .busy(40): [], .timer(): "completed r: timedOut",
    ],
    "the next phase begins with its first attempt": [
        .request(): "resolve", .busy(): [], .timer(): "resolve attempt 2", .resolver(): "confirm",
    ],
    "an excessive delay ends with the phase": [
        .request(): "resolve",
        .either(
            .fails(.retry(after: .seconds(Int64.max)), .busy), .fails(.retry(after: .milliseconds(Int64.max)), .busy)):
            [],
        .timer(): "completed r: timedOut",
    ],
    "a handler that fails after reporting progress can be retried: it starts again": [
        .at(.inProgress): "…", .progress(0.5): "progress 0.5", .workRefused(): "ignored staleOutcome", .busy(1): [],
        .the(\.stage): "handling", .timer(): "handle attempt 2", .progress(0.25): "progress 0.25",
    ],
    "a failure ends the request as its code and reason say, or in the app; an unreadable outcome ends it too": [
        .at(.resolving, .confirming, .handling, .inProgress): "…",
        .fails(.failure("failureNoMatchingWorkout"), .invalid): "completed r: failure failureNoMatchingWorkout",
        .the(\.error): "invalid", .or(.fails(.failure(.cancelled), .unexpected)): "completed r: cancelled",
        .or(.fails(.reject, .invalid)): "completed r: failure", .or(.garbage()): "completed r: failure",
        .the(\.error): "unparseable",
        .or(.fails(.reject, .unsupported)): "completed r: unsupported noHandlerProvidedForIntent",
        .or(.fails(.failure("failureRequiringInAppAuthentication"), .unauthorized) { $0.activity = signIn }): [
            "offer foreground", "completed r: failure failureRequiringInAppAuthentication",
        ],
        .the(\.session.handoffs.first?.activity): "\(signIn)", .the(\.completion?.activity): "\(signIn)",
    ],
    "a request fails if the log refuses its work, but not if the log refuses the work of an earlier step": [
        .at(.resolving, .confirming, .handling): "…", .workRefused(earlier: 1): "ignored staleOutcome",
        .workRefused(): "completed r: failure", .the(\.error): "internal",
        .the(\.completion?.error?.message): "refused",
    ],
    "a handler that an earlier owner had dispatched may still succeed after a repeat of its work was refused": [
        .at(.handling): "handle", .workRefused(): "completed r: failure",
        .worker(.success, phase: .handle, step: 3, request: "r"): "late r: success",
    ],
    // The ledger checks that nothing else happens.
    "an event that could be read but not accepted is rejected": [
        .at(
            .queued, .resolving, .awaitingAnswer, .confirming, .awaitingConfirmation, .handling, .inProgress, .handedOff
        ): "…",
        .event(.refused(Rejection(.invalid, "no", field: "intent"))): "rejected invalid intent",
    ],
]

private let once: Dialogues = [
    "the first claim gets a permit, which is sent again after a crash; the work is not dispatched again": [
        .at(.handling, intent: .once): "handle", .the(\.item?.effect): "atMostOnce", .the(\.outstanding): "handle",
        .starts("a"): "permit a", .starts("a"): "ignored repeatedStart", .the(\.outstanding): "permit",
        .the(\.session.outstandingWork.first?.permit?.claim): "a", .cancel(): "cancel handle",
        .the(\.outstanding): "permit, cancel", .or(.handler()): "completed r: success",
    ],
    // The effect of a first claim, of a silent handler, and of an earlier owner's permit is unknown.
    "without a valid outcome of a permitted handler the outcome is unknown, and another claim is not permitted": [
        .either(.at(.handling, intent: .once), .at(.handling, deadline: 5, intent: .once)): "handle",
        .starts("a"): "permit a",
        .starts("b"): ["cancel handle", "completed r: failure"], .the(\.error): "outcomeUnknown",
        .or(.timer()): ["cancel handle", "completed r: failure"], .the(\.error): "outcomeUnknown",
        .or(.garbage()): "completed r: failure", .the(\.error): "outcomeUnknown",
        .or(.workRefused()): "completed r: failure", .the(\.error): "outcomeUnknown",
        .or(.handler(.ready)): "completed r: failure", .the(\.error): "outcomeUnknown",
    ],
    "a late success of a permitted handler is reported, also after progress": [
        .at(.handling, intent: .once): "handle", .starts("a"): "permit a", .either(.passes(1), .progress(0.5)): "…",
        .timer(): ["cancel handle", "completed r: failure"], .the(\.error): "outcomeUnknown",
        .worker(.success, phase: .handle, step: 3, request: "r"): "late r: success",
    ],
    "a claim for an older step, or for a request that has ended, is not permitted": [
        .at(.handling, intent: .once): "handle", .busy(): [], .timer(): "handle attempt 2",
        .starts("a", step: 3): "ignored staleOutcome", .starts("b"): "permit b", .handler(): "completed r: success",
        .starts("c"): "ignored staleOutcome",
    ],
    "a handler without a permit was never called: a late claim changes nothing": [
        .at(.handling, intent: .once): "handle", .cancel(): ["cancel handle", "completed r: cancelled"],
        .starts("a"): "ignored staleOutcome",
    ],
    "a request whose handler has no permit times out, and a late claim changes nothing": [
        .at(.handling, intent: .once): "handle", .timer(): ["cancel handle", "completed r: timedOut"],
        .the(\.session.abandoned): "none", .starts("a"): "ignored staleOutcome",
    ],
    "a cancel after the permit waits for the handler; without its outcome the outcome is unknown": [
        .at(.handling, intent: .once): "handle", .starts("a"): "permit a", .cancel(): "cancel handle",
        .worker(.cancelled): "completed r: cancelled",
        .or(.wait(\.cancelTimeout)): ["ignored earlyTimer", "completed r: failure"], .the(\.error): "outcomeUnknown",
    ],
    "a handler that has not begun is retried with a new permit, and the app's workers need their own": [
        .at(.handling, intent: .once): "handle", .starts("a"): "permit a", .busy(): [], .the(\.outstanding): "none",
        .timer(): "handle attempt 2", .starts("b"): "permit b",
        .handler(.handleInApp): ["offer background", "handle in app"], .the(\.session.active?.permit): "none",
        .starts("c"): "permit c", .the(\.work?.isInApp): "true",
    ],
    "a copy of permitted work that is given back or stopped elsewhere changes nothing": [
        .at(.handling, intent: .once): "handle", .starts("a"): "permit a",
        .reports(busy, claim: nil): "ignored staleOutcome", .reports(busy, claim: "b"): "ignored staleOutcome",
        .reports(.cancelled, claim: nil): "ignored staleOutcome",
        .reports(.cancelled, claim: "b"): "ignored staleOutcome", .the(\.session.active?.permit): "a",
        // Earlier versions report no claim.
        .handler(): "completed r: success", .or(.reports(.success, claim: nil)): "completed r: success",
    ],
    "other phases need no permit": [
        .at(.confirming, intent: .once): "confirm",
        .worker(.starting(claim: "a"), phase: .confirm): "completed r: failure",
    ],
    "work released before a permit does not count as an attempt: it is dispatched again": [
        .at(.handling, intent: onlyAttempt): "handle", .busy(): [], .timer(): "handle attempt 2",
        .starts("a"): "permit a", .busy(): "completed r: failure",
    ],
    "each run of a handler that asks has its own claim, and what earlier runs recorded": [
        .at(.handling, intent: .once): "handle", .starts("a"): "permit a",
        .asks("sure", .confirmIntent, recorded: ["paid": .bool(true)]): "prompt confirmIntent",
        .starts("a", step: 3): "ignored staleOutcome", .answer(.accept): "handle", .the(\.item?.recorded): "paid true",
        .the(\.item?.effect): "atMostOnce", .starts("b"): "permit b",
        .handler {
            $0.offersUpdates = true
            $0.opensIntent = OpenedIntent(intent: "Next")
        }: ["completed r: success, opens Next", "resolve"],
        .event(.updatesStarted(request: "r")): "update", .the(\.item?.effect): "none",
    ],
]

private let tickets: Dialogues = [
    "an unreadable outcome and a late success need the ticket of their step": [
        .at(.handling): "handle",
        .event(.unreadableOutcome(Rejection(.unparseable, "garbage"), nil)): "ignored unauthorizedOutcome",
        .the(\.stage): "handling", .timer(): "…", .forged(.success, step: 3): "ignored unauthorizedOutcome",
        .worker(.success, phase: .handle, step: 3, request: "r"): "late r: success",
    ],
    "live updates need the ticket of their work": [
        .at(.handling): "handle", .handler { $0.offersUpdates = true }: "…",
        .event(.updatesStarted(request: "r")): "update",
        .forged(.updated(IntentUpdate(phase: "ongoing")), step: 4): "ignored unauthorizedOutcome",
        .worker(.updated(IntentUpdate(phase: "ongoing")), phase: .handle, step: 4, request: "r"): "update ongoing",
    ],
]

@Suite("Outcomes: failures, at-most-once handlers, and tickets") struct OutcomeTests {
    private let talk = Talk()

    @Test(arguments: [failures, once, tickets].flatMap(\.cases))
    func `as in the dialogues`(_ dialogue: Dialogue) { talk.play(dialogue) }

    @Test func `a ticket is 128 bits, written as 32 hexadecimal digits, and read back`() {
        var randomness = Randomness(seed: 5)
        for _ in 1...100 {
            let ticket = Ticket(using: &randomness)
            #expect(ticket.description.utf8.count == 32 && Ticket(ticket.description) == ticket)
        }
        #expect(Ticket("000102030405060708090a0b0c0d0e0f")?.description == "000102030405060708090a0b0c0d0e0f")
    }

    @Test(arguments: [
        "", "0", "000102030405060708090A0B0C0D0E0F", "000102030405060708090a0b0c0d0e0f0",
        "g00102030405060708090a0b0c0d0e0f",
    ]) func `a ticket is not read from another text`(_ text: String) { #expect(Ticket(text) == nil) }

    @Test func `each step has a new ticket`() {
        talk.play(.at(.handling))
        #expect(Set([1, 2, 3].compactMap { talk.ticket("r", $0) }).count == 3)
    }

    private func outcome(_ phase: Phase, _ step: Int, _ ticket: Ticket?) -> SessionEvent {
        let content: Outcome.Content = phase == .resolve ? .resolved : phase == .confirm ? .ready : .success
        return .outcome(Outcome(request: "r", step: step, phase: phase, content: content, ticket: ticket))
    }

    @Test(arguments: [StageName.resolving, .confirming, .handling, .inProgress])
    func `an outcome without the ticket of its step, or with another one, has no effect`(_ stage: StageName) throws {
        talk.play(.at(stage))
        let active = try #require(talk.session.active)
        let phase = try #require(active.phase)
        var randomness = Randomness(seed: 9)
        for ticket in [nil, talk.ticket("r", active.step - 1), Ticket(using: &randomness)] {
            talk.play([.event(outcome(phase, active.step, ticket)): "ignored unauthorizedOutcome"])
        }
    }

    @Test func `the ticket of one phase is rejected in every other phase, in any order`() {
        talk.play(.request())
        let ticket = talk.ticket("r", 1)
        func isUseless(_ phase: Phase) -> Bool {
            (1...4).allSatisfy { talk.receive(outcome(phase, $0, ticket)).allSatisfy { $0.hasPrefix("ignored") } }
        }
        #expect(isUseless(.confirm) && isUseless(.handle))
        #expect(talk.receive(outcome(.resolve, 1, ticket)) == ["confirm"])
        for phase in Phase.allCases { #expect(isUseless(phase)) }
        #expect(talk.stage == .confirming)
    }

    @Test(
        arguments: [
            .starting(claim: "c"), .cancelled, .progressed(fraction: 0.5, dialog: nil),
            .updated(IntentUpdate(phase: "p")), .updatesEnded(.completed),
            .finished(.asked(PhaseQuestion(id: "q", kind: .value))),
            .finished(.failed(IntentFailure(.reject, reason: .invalid, message: ""))),
        ] as [Outcome.Content])
    func `a forged claim, cancel, progress, question or failure has no effect`(_ content: Outcome.Content) {
        talk.play([.at(.handling): "handle", .forged(content, step: 3): "ignored unauthorizedOutcome"])
    }

    @Test func `the outcome of work that an earlier version dispatched needs no ticket`() {
        talk.play(.request())
        talk.session.active?.ticket = nil
        #expect(talk.receive(outcome(.resolve, 1, nil)) == ["confirm"])
    }

    @Test func `work that is dispatched again after a crash has the same ticket; another attempt has a new one`() {
        talk.play(.request())
        let ticket = talk.ticket("r", 1)
        #expect(ticket != nil && talk.session.outstandingWork.first?.item?.ticket == ticket)
        talk.play(.busy(), .timer())
        #expect(talk.ticket("r", 2) != nil && talk.ticket("r", 2) != ticket)
    }

    @Test func `prompts and handoffs have ids that can't be guessed from the request and the step`() throws {
        talk.play(.at(.awaitingAnswer))
        let prompt = try #require(talk.prompt?.id)
        #expect(prompt.hasPrefix("r.2.") && prompt.utf8.count == 4 + 16)
        let guess = Answer(prompt: "r.2", action: .accept, value: "Airport")
        talk.play([.event(.answered(guess)): "rejected unexpected prompt"])
        let other = Talk()
        other.play(.at(.handedOff))
        #expect(other.handoff.hasPrefix("r.2.handoff.") && other.handoff.utf8.count == 12 + 16)
    }
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

    /// Reports an outcome without a ticket.
    fileprivate static func forged(_ content: Outcome.Content, step: Int, at line: Line = #_sourceLocation) -> Step {
        .event(.outcome(Outcome(request: "r", step: step, phase: .handle, content: content, ticket: nil)), at: line)
    }
}
