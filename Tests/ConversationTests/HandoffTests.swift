import Conversation
import IntentModel
import PipelineTestKit
import Testing

private let draft: UserActivity = {
    var activity = UserActivity(activityType: "book", userInfo: ["draft": .number(1), "scroll": .number(2)])
    activity.persistentIdentifier = "draft-1"
    return activity
}()

private let tea = IntentRoute(service: "tea", appService: "tea")
private let inApp = IntentRoute(appService: "phone", isInApp: true)
private let unserved = "unsupported noHandlerProvidedForIntent"

private let handoffs: Dialogues = [
    "the first claimant gets the handoff, its second claim is a no-op, and another claimant is rejected": [
        .at(.handedOff): "offer foreground", .claim(by: "phone"): "claimed by phone",
        .claim(by: "phone"): "ignored repeatedClaim", .claim(by: "watch"): "rejected unexpected handoff",
        .the(\.session.handoffs.first?.claimant?.name): "phone",
        .the(\.session.handoffs.first?.claimant?.proof): "of the phone",
    ],
    "the claimant's completion ends the request, with success or a failure and no other code": [
        .at(.handedOff): "offer foreground", .claim(): "claimed by phone",
        .complete(with: .ready): "rejected invalid code", .complete(with: .inProgress): "rejected invalid code",
        .complete(with: .continueInApp): "rejected invalid code",
        .complete(with: "failureX"): "completed r: failure failureX", .or(.complete()): "completed r: success",
        .the(\.handoffs): "none", .the(\.active): "none", .claim(): "rejected unexpected handoff",
        .complete(): "rejected unexpected handoff",
    ],
    "only the claimant can complete or return the handoff, with the secret of the claim, whatever the name": [
        .at(.handedOff): "offer foreground", .complete(by: "phone"): "rejected unexpected claimant",
        // A claim of before claims had secrets is completed without one.
        .steps(.claim(by: "phone", proof: nil), .complete(by: "phone")): "completed r: success",
        .or(.claim(by: "phone", proof: "of the phone")): "claimed by phone",
        .claim(by: "phone", proof: "of another"): "rejected unexpected handoff",
        .complete(by: "watch"): "rejected unexpected claimant",
        .complete(by: "phone", proof: "of another"): "rejected unauthorized secret",
        .release(by: "phone", proof: "of another"): "rejected unauthorized secret",
        .complete(by: "phone", proof: nil): "rejected unauthorized secret",
        .release(by: "phone", proof: nil): "rejected unauthorized secret", .the(\.stage): "handedOff",
        .release(by: "phone"): "offer foreground", .claim(by: "watch", proof: "of the watch"): "claimed by watch",
        .complete(by: "watch", proof: "of the watch"): "completed r: success",
    ],
    "a handoff that was never offered, or a background offer, can't be claimed": [
        .claim(): "rejected unexpected handoff", .at(.confirming): "confirm",
        .confirmer(.handleInApp): ["offer background", "handle in app"], .claim(): "rejected unexpected handoff",
    ],
    "an app may fix a failure after the request has ended, without a second completion": [
        .at(.handling): "handle",
        .handler(.failureRequiringAppLaunch): ["offer foreground", "completed r: failure failureRequiringAppLaunch"],
        .request("next"): "resolve", .claim(): "claimed by phone",
        .complete(with: .ready): "rejected invalid code",
        .complete(): "handoff completed by phone: success", .the(\.handoffs): "none",
        .the(\.active): "next", .complete(): "rejected unexpected handoff",
    ],
    "an unclaimed offer expires with its request, also before the timer; a claimed one leaves the request to the app": [
        .at(.handedOff): "offer foreground", .the(\.timerLasts): "600.0",
        .steps(.passes(600), .claim()): "rejected unexpected handoff",
        .or(.wait(\.handoffTimeout)): ["ignored earlyTimer", "completed r: timedOut"], .the(\.handoffs): "none",
        .or(.claim()): "claimed by phone",
        .wait(\.handoffTimeout): ["ignored earlyTimer", "completed r: deferredToApp continueInApp"],
        .the(\.handoffs): "none",
    ],
    "an offer after a failure expires without a result, and other requests continue meanwhile": [
        .at(.handling): "handle", .handler(.failureRequiringAppLaunch): "…",
        .at(.handedOff, id: "next"): "offer foreground", .wait(600): [], .the(\.handoffs): "next",
    ],
    "open offers are bounded: the oldest is dropped": [
        .policy { $0.limits.maximumHandoffs = 2 }: [], .at(.handling, id: "r1"): "handle",
        .handler(.failureRequiringAppLaunch): "…", .at(.handling, id: "r2"): "handle",
        .handler(.failureRequiringAppLaunch): "…", .at(.handling, id: "r3"): "handle",
        .handler(.failureRequiringAppLaunch): "…", .the(\.handoffs): "r2, r3",
    ],
    "the claimant may return the handoff, which is offered again until it expires": [
        .at(.handedOff): "offer foreground", .claim(by: "phone"): "claimed by phone", .passes(100): [],
        .release(by: "watch"): "rejected unexpected claimant", .release(by: "phone"): "offer foreground",
        .the(\.session.handoffs.first?.returns): "1", .the(\.handoffLasts): "500.0",
        .complete(by: "phone"): "rejected unexpected claimant", .release(by: "phone"): "rejected unexpected claimant",
        .claim(by: "watch"): "claimed by watch", .release(by: "watch"): "offer foreground",
        .wait(500): "completed r: timedOut", .release(): "rejected unexpected handoff",
    ],
    "a newer activity with the same identifier replaces an unclaimed one": [
        .at(.handling, id: "a"): "handle", .handler(.failureRequiringAppLaunch, activity: draft): "…",
        .at(.handling, id: "b"): "handle", .handler(.failureRequiringAppLaunch, activity: draft): "…",
        .the(\.handoffs): "b", .claim(): "claimed by phone", .at(.handling, id: "c"): "handle",
        .handler(.failureRequiringAppLaunch, activity: draft): "…", .the(\.handoffs): "b, c",
    ],
    "without an activity of confirm or handle the app gets one with the values, but no secret": [
        .request("r", ["dropOff": "Airport", "pin": "1234", "note": "soon"]): "resolve",
        .resolver(
            ["dropOff": .success("airport-2"), "pin": .success("1234"), "note": .notRequired], hiding: "pin"):
            "confirm",
        .confirmer(.ready): "handle", .handler(.continueInApp): "offer foreground",
        .the(\.offers.first?.activity): "\(UserActivity(activityType: "Book", userInfo: ["dropOff": "airport-2"]))",
    ],
    "values that do not fit into an activity are left out": [
        .request("r", ["dropOff": "Airport"]): "resolve",
        .resolver(["dropOff": .success(.string(String(repeating: "x", count: 4_000))), "note": .success("soon")]):
            "confirm",
        .confirmer(.continueInApp): "offer foreground",
        .the(\.offers.first?.activity): "\(UserActivity(activityType: "Book", userInfo: ["note": "soon"]))",
    ],
    "the activity carries the intent with the values known so far": [
        .request("r", ["dropOff": "Airport"]): "resolve", .resolver(["dropOff": .success("airport-2")]): "confirm",
        .confirmer(.continueInApp): "offer foreground",
        .the(\.session.handoffs.first?.interaction.parameters.count): "1",
        .the(\.session.handoffs.first?.interaction.parameters.first?.name): "dropOff",
        .the(\.session.handoffs.first?.interaction.parameters.first?.value): "airport-2",
    ],
]

private let routes: Dialogues = [
    "all work of a request names its service, also a cancel": [
        .request(along: tea): "resolve", .the(\.work?.service): "tea", .resolver(): "confirm",
        .the(\.work?.service): "tea", .confirmer(): "handle", .the(\.work?.service): "tea", .cancel(): "cancel handle",
        .the(\.work?.cancel?.address.service): "tea",
    ],
    "work of the default service names none": [
        .at(.handling): "handle", .the(\.session.active?.request.route): "none", .the(\.services): "none",
    ],
    "an intent that only an app supports is resolved, confirmed and handled there, and not handed over": [
        .request(along: inApp): "resolve in app", .the(\.work?.service): "phone", .resolver(): "confirm in app",
        .confirmer(asking: .plain): "prompt confirmIntent", .answer(.accept): "handle in app",
        .the(\.work?.service): "phone", .handler(.handleInApp): "completed r: failure",
        .or(.handler()): "completed r: success",
    ],
    "a handleInApp of an extension goes to the app of its route": [
        .request(along: IntentRoute(service: "tea", appService: "phone")): "resolve", .resolver(): "confirm",
        .confirmer(): "handle", .handler(.handleInApp): ["offer background", "handle in app"],
        .the(\.work?.service): "phone",
    ],
    "a retry, and work that is dispatched again after a crash, go where the first went": [
        .request(along: tea): "resolve", .the(\.services): "tea", .busy(1): [], .timer(): "resolve attempt 2",
        .the(\.work?.service): "tea",
    ],
    "live updates go to the service that has handled the request": [
        .request(along: inApp): "resolve in app", .resolver(): "…", .confirmer(): "…",
        .handler { $0.offersUpdates = true }: "completed r: success", .event(.updatesStarted(request: "r")): "update",
        .the(\.work?.isInApp): "true", .the(\.work?.service): "phone",
    ],
    "an opened intent goes where the catalogue said, also if the person was asked to choose first": [
        .at(.handling): "handle", .opens(along: tea): "prompt choice",
        .answer(.accept, option: "n"): ["completed r: success, opens Rate", "resolve"], .the(\.work?.intent): "Rate",
        .the(\.work?.service): "tea",
    ],
    "a request for an unserved intent is completed at once, and the same request again is a repeat": [
        .unserved(): "completed x: \(unserved)", .the(\.completion?.error): "\(Step.why)", .the(\.active): "none",
        .unserved(): "ignored duplicateRequest", .request("x"): "ignored duplicateRequest",
    ],
    "a session that is being ended rejects a request for an unserved intent": [
        .at(.handling): "handle", .event(.ended(reason: nil)): "cancel handle", .unserved(): "rejected busy",
    ],
]

@Suite("Where work goes: the service of a route, or an app") struct HandoffTests {
    private let talk = Talk()

    @Test(arguments: [handoffs, routes].flatMap(\.cases))
    func `as in the dialogues`(_ dialogue: Dialogue) { talk.play(dialogue) }

    @Test func `an app or a handoff whose name only looks the same is rejected`() {
        talk.play(.at(.handedOff, id: "\u{212A}"))
        let other = Identifier(talk.handoff.text.replacing("\u{212A}", with: "K"))
        talk.play([
            .event(.handoffClaimed(handoff: other, claimant: "phone")): "rejected unexpected handoff",
            .claim(by: "caf\u{E9}", proof: nil): "claimed by caf\u{E9}",
            .claim(by: "cafe\u{301}", proof: nil): "rejected unexpected handoff",
            .complete(by: "cafe\u{301}", proof: nil): "rejected unexpected claimant",
            .release(by: "cafe\u{301}", proof: nil): "rejected unexpected claimant",
            .complete(by: "caf\u{E9}", proof: nil): "completed \u{212A}: success",
        ])
    }

    @Test(arguments: [(["draft"], "draft 1"), ([], "draft 1, scroll 2")])
    func `a returned activity keeps the user info it requires, or all if none`(_ required: [String], _ kept: String) {
        var activity = draft
        activity.requiredUserInfoKeys = required
        talk.play(.at(.handling), .handler(.continueInApp, activity: activity))
        #expect(talk.session.handoffs[0].activity == activity)
        talk.play(.claim(), .release())
        #expect(words(talk.session.handoffs[0].activity.userInfo) == kept)
    }

    @Test(arguments: [(100, 100), (100_000, 600), (-5, 0)])
    func `the activity's expiration date ends the handoff if it is sooner`(_ seconds: Int, _ expected: Double) {
        var activity = UserActivity(activityType: "book")
        activity.expirationDate = talk.now.advanced(by: .seconds(seconds)).milliseconds
        talk.play(.at(.handling), .handler(.continueInApp, activity: activity))
        #expect(talk.handoffLasts == expected)
        #expect(talk.play(.timer()) == ["completed r: timedOut"])
    }

    @Test(arguments: IntentRequest.WhenBusy.allCases)
    func `an intent that no worker serves leaves other requests as they are`(_ whenBusy: IntentRequest.WhenBusy) {
        talk.play([
            .at(.awaitingAnswer): "…", .unserved(whenBusy): "completed x: \(unserved)", .the(\.stage): "awaitingAnswer",
            .the(\.queued): "none", .the(\.suspended): "none",
        ])
    }
}

extension Step {
    fileprivate static let why = Rejection(.unsupported, "no worker serves 'Bok'", field: "intent")

    fileprivate static func request(along route: IntentRoute, at line: Line = #_sourceLocation) -> Step {
        .request(at: line) { $0.route = route }
    }

    /// Requests an intent that no worker serves.
    fileprivate static func unserved(
        _ whenBusy: IntentRequest.WhenBusy = .queue, at line: Line = #_sourceLocation
    ) -> Step { .event(.unserved(IntentRequest(id: "x", intent: "Bok", whenBusy: whenBusy), why), at: line) }

    /// Reports a choice of items, and the intent that follows it.
    fileprivate static func opens(along route: IntentRoute, at line: Line = #_sourceLocation) -> Step {
        var response = IntentResponse(.success)
        response.opensIntent = OpenedIntent(intent: "Rate")
        response.items = [Station.north, Station.south]
        response.choice = ItemChoice(dialog: nil, remembers: [:])
        return Step(line) { [response] in
            var outcome = Outcome(
                request: "r", step: 3, phase: .handle, content: .finished(.responded(response)),
                ticket: $0.ticket("r", 3))
            outcome.openedRoute = route
            return $0.receive(.outcome(outcome), at: line)
        }
    }
}

extension Talk {
    fileprivate var services: [String] { session.outstandingWork.compactMap(\.service) }
}
