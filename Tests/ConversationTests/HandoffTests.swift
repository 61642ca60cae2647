import Conversation
import IntentModel
import Testing

@Suite("Handing off: exactly one app continues the request") struct HandoffTests {
    let talk = Talk()

    private static let dialogues: Dialogues = [
        "the first claimant gets it, its second claim is a no-op, and another claimant is rejected": [
            .at(.handedOff): "offer foreground", .claim(by: "phone"): "claimed by phone",
            .claim(by: "phone"): "ignored repeatedClaim", .claim(by: "watch"): "rejected unexpected handoff",
            .the(\.session.handoffs.first?.claimant?.name): "phone",
            .the(\.session.handoffs.first?.claimant?.proof): "of the phone",
        ],
        "the claimant's completion ends the request, with success or a failure and no other code": [
            .at(.handedOff): "offer foreground", .claim(): "claimed by phone",
            .complete(with: .ready): "rejected invalid code", .complete(with: .inProgress): "rejected invalid code",
            .complete(with: .continueInApp): "rejected invalid code",
            .complete(with: "failureX"): "completed r: failure failureX",
            .or(.complete()): "completed r: success success", .the(\.handoffs): "none", .the(\.active): "none",
            .claim(): "rejected unexpected handoff", .complete(): "rejected unexpected handoff",
        ],
        "only the claimant can complete or return it, with the secret of the claim, whatever name is given": [
            .at(.handedOff): "offer foreground", .complete(by: "phone"): "rejected unexpected claimant",
            // A claim of before claims had secrets is completed without one.
            .steps(.claim(by: "phone", proof: nil), .complete(by: "phone")): "completed r: success success",
            .or(.claim(by: "phone", proof: "of the phone")): "claimed by phone",
            .claim(by: "phone", proof: "of another"): "rejected unexpected handoff",
            .complete(by: "watch"): "rejected unexpected claimant",
            .complete(by: "phone", proof: "of another"): "rejected unauthorized secret",
            .release(by: "phone", proof: "of another"): "rejected unauthorized secret",
            .complete(by: "phone", proof: nil): "rejected unauthorized secret",
            .release(by: "phone", proof: nil): "rejected unauthorized secret", .the(\.stage): "handedOff",
            .release(by: "phone"): "offer foreground", .claim(by: "watch", proof: "of the watch"): "claimed by watch",
            .complete(by: "watch", proof: "of the watch"): "completed r: success success",
        ],
        "a handoff that was never offered, or a background offer, can't be claimed": [
            .claim(): "rejected unexpected handoff", .at(.confirming): "confirm",
            .confirmer(.handleInApp): ["offer background", "handle in app"], .claim(): "rejected unexpected handoff",
        ],
        "an app may fix a failure after the request has ended, without a second completion": [
            .at(.handling): "handle",
            .handler(.failureRequiringAppLaunch): [
                "offer foreground", "completed r: failure failureRequiringAppLaunch",
            ],
            .request("next"): "resolve", .claim(): "claimed by phone", .complete(): [], .the(\.handoffs): "none",
            .the(\.active): "next", .complete(): "rejected unexpected handoff",
        ],
        "an unclaimed offer expires, and the request with it; a claim after that is too late, also before the timer": [
            .at(.handedOff): "offer foreground", .steps(.passes(600), .claim()): "rejected unexpected handoff",
            .or(.wait(\.handoffTimeout)): ["ignored earlyTimer", "completed r: timedOut requestTimedOut"],
            .the(\.handoffs): "none",
        ],
        "a claimed offer that is not completed in time leaves the request to the app": [
            .at(.handedOff): "offer foreground", .claim(): "claimed by phone",
            .wait(\.handoffTimeout): ["ignored earlyTimer", "completed r: deferredToApp continueInApp"],
            .the(\.handoffs): "none",
        ],
        "an offer after a failure expires without a result, and other requests continue meanwhile": [
            .at(.handling): "handle", .handler(.failureRequiringAppLaunch): "…",
            .at(.handedOff, id: "next"): "offer foreground", .wait(600): [], .the(\.handoffs): "next",
        ],
        "open offers are bounded: the oldest is dropped": [
            .policy { $0.maximumHandoffs = 2 }: [], .at(.handling, id: "r1"): "handle",
            .handler(.failureRequiringAppLaunch): "…", .at(.handling, id: "r2"): "handle",
            .handler(.failureRequiringAppLaunch): "…", .at(.handling, id: "r3"): "handle",
            .handler(.failureRequiringAppLaunch): "…", .the(\.handoffs): "r2, r3",
        ],
        "the claimant may return it: it is offered again, and another app may claim it until it expires": [
            .at(.handedOff): "offer foreground", .claim(by: "phone"): "claimed by phone", .passes(100): [],
            .release(by: "watch"): "rejected unexpected claimant", .release(by: "phone"): "offer foreground",
            .the(\.session.handoffs.first?.returns): "1", .the(\.handoffLasts): "500.0",
            .complete(by: "phone"): "rejected unexpected claimant",
            .release(by: "phone"): "rejected unexpected claimant", .claim(by: "watch"): "claimed by watch",
            .release(by: "watch"): "offer foreground", .wait(500): "completed r: timedOut requestTimedOut",
            .release(): "rejected unexpected handoff",
        ],
        "a newer activity with the same identifier replaces an unclaimed one": [
            .at(.handling, id: "a"): "handle", .handler(.failureRequiringAppLaunch, activity: draft): "…",
            .at(.handling, id: "b"): "handle", .handler(.failureRequiringAppLaunch, activity: draft): "…",
            .the(\.handoffs): "b", .claim(): "claimed by phone", .at(.handling, id: "c"): "handle",
            .handler(.failureRequiringAppLaunch, activity: draft): "…", .the(\.handoffs): "b, c",
        ],
        "the activity carries the intent with the values known so far": [
            .request("r", ["dropOff": "Airport"]): "resolve", .resolver(["dropOff": .success("airport-2")]): "confirm",
            .confirmer(.continueInApp): "offer foreground",
            .the(\.session.handoffs.first?.interaction.parameters.count): "1",
            .the(\.session.handoffs.first?.interaction.parameters.first?.name): "dropOff",
            .the(\.session.handoffs.first?.interaction.parameters.first?.value): "airport-2",
        ],
    ]

    private static let draft: UserActivity = {
        var activity = UserActivity(activityType: "book", userInfo: ["draft": .number(1), "scroll": .number(2)])
        activity.persistentIdentifier = "draft-1"
        return activity
    }()

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { talk.play(dialogue) }

    @Test func `an app or a handoff whose name only looks the same is another one`() {
        talk.play(.at(.handedOff, id: "\u{212A}"))
        let other = Identifier(talk.handoff.text.replacing("\u{212A}", with: "K"))
        talk.play([
            .event(.handoffClaimed(handoff: other, claimant: "phone")): "rejected unexpected handoff",
            .claim(by: "caf\u{E9}", proof: nil): "claimed by caf\u{E9}",
            .claim(by: "cafe\u{301}", proof: nil): "rejected unexpected handoff",
            .complete(by: "cafe\u{301}", proof: nil): "rejected unexpected claimant",
            .release(by: "cafe\u{301}", proof: nil): "rejected unexpected claimant",
            .complete(by: "caf\u{E9}", proof: nil): "completed \u{212A}: success success",
        ])
    }

    @Test(
        "a returned activity keeps the user info it requires, or all of it if it names none",
        arguments: [(["draft"], "draft 1"), ([], "draft 1, scroll 2")])
    func restored(_ required: [String], _ kept: String) {
        var activity = Self.draft
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
        #expect(talk.play(.timer()) == ["completed r: timedOut requestTimedOut"])
    }
}
