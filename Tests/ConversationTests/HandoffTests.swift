import Conversation
import IntentModel
import Testing

@Suite("Handing off: exactly one app continues the request")
struct HandoffTests {
    let talk = Talk()

    @Test("the first claimant gets it, its second claim is a no-op, and another claimant is rejected")
    func claimedOnce() {
        talk.bring(to: .handedOff)
        #expect(talk.claim(by: "phone") == ["claimed by phone"])
        #expect(talk.claim(by: "phone") == ["ignored repeatedClaim"])
        #expect(talk.claim(by: "watch") == ["rejected unexpected handoff"])
        #expect(talk.session.handoffs.first?.claimant == Claimant("phone", proof: "of the phone"))
    }

    @Test(
        "the claimant's completion ends the request",
        arguments: [(ResponseCode.success, "success"), ("failureX", "failure")])
    func completed(_ code: ResponseCode, _ status: String) {
        talk.bring(to: .handedOff)
        talk.claim()
        #expect(talk.complete(with: code) == ["completed r: \(status) \(code)"])
        #expect(talk.session.handoffs.isEmpty && talk.session.active == nil)
    }

    @Test("an app or a handoff whose name only looks the same is another one")
    func lookalikes() {
        talk.request("\u{212A}")
        talk.bring(to: .handedOff, "\u{212A}")
        let other = Identifier(talk.handoff.text.replacing("\u{212A}", with: "K"))
        #expect(talk.claim(other, by: "phone") == ["rejected unexpected handoff"])
        #expect(talk.claim(by: "caf\u{E9}", proof: nil) == ["claimed by caf\u{E9}"])
        #expect(talk.claim(by: "cafe\u{301}", proof: nil) == ["rejected unexpected handoff"])
        #expect(talk.complete(by: "cafe\u{301}", proof: nil) == ["rejected unexpected claimant"])
        #expect(talk.giveBack(by: "cafe\u{301}", proof: nil) == ["rejected unexpected claimant"])
        #expect(talk.complete(by: "caf\u{E9}", proof: nil) == ["completed \u{212A}: success success"])
    }

    @Test("only the claimant can complete it")
    func completedByAnother() {
        talk.bring(to: .handedOff)
        #expect(talk.complete(by: "phone") == ["rejected unexpected claimant"])
        talk.claim(by: "phone")
        #expect(talk.complete(by: "watch") == ["rejected unexpected claimant"])
        #expect(talk.stage == .handedOff)
    }

    @Test("only with the secret of the claim it can be completed or returned, whatever name is given")
    func secret() {
        talk.bring(to: .handedOff)
        talk.claim(by: "phone", proof: "of the phone")
        #expect(talk.claim(by: "phone", proof: "of another") == ["rejected unexpected handoff"])
        for proof in ["of another", nil] {
            #expect(talk.complete(by: "phone", proof: proof) == ["rejected unauthorized secret"])
            #expect(talk.giveBack(by: "phone", proof: proof) == ["rejected unauthorized secret"])
        }
        #expect(talk.giveBack(by: "phone") == ["offer foreground"])
        talk.claim(by: "watch", proof: "of the watch")
        #expect(talk.complete(by: "watch", proof: "of the watch") == ["completed r: success success"])
    }

    @Test("a claim of before claims had secrets is completed without one")
    func noSecret() {
        talk.bring(to: .handedOff)
        talk.claim(by: "phone", proof: nil)
        #expect(talk.complete(by: "phone") == ["completed r: success success"])
    }

    @Test(
        "a handoff ends with success or a failure, and no other code",
        arguments: [ResponseCode.ready, .inProgress, .continueInApp])
    func wrongCode(_ code: ResponseCode) {
        talk.bring(to: .handedOff)
        talk.claim()
        #expect(talk.complete(with: code) == ["rejected invalid code"])
        #expect(talk.complete(with: .success) == ["completed r: success success"])
    }

    @Test("a handoff that was never offered, or has ended, can't be claimed or completed")
    func unknown() {
        #expect(talk.claim("none") == ["rejected unexpected handoff"])
        talk.bring(to: .handedOff)
        talk.claim()
        talk.complete()
        #expect(talk.claim() == ["rejected unexpected handoff"])
        #expect(talk.complete() == ["rejected unexpected handoff"])
    }

    @Test("a background offer can't be claimed")
    func background() {
        talk.bring(to: .confirming)
        talk.confirmer(.handleInApp)
        #expect(talk.claim() == ["rejected unexpected handoff"])
    }

    @Test("an app may fix a failure after the request has ended, without a second completion")
    func afterFailure() {
        talk.bring(to: .handling)
        talk.handler(.failureRequiringAppLaunch)
        talk.request("next")
        #expect(talk.claim() == ["claimed by phone"])
        #expect(talk.complete() == [])
        #expect(talk.session.handoffs.isEmpty && talk.session.active?.request.id == "next")
        #expect(talk.complete() == ["rejected unexpected handoff"])
    }

    @Test("an unclaimed offer expires, and the request with it")
    func unclaimed() {
        talk.bring(to: .handedOff)
        #expect(talk.wait(talk.policy.handoffTimeout - .milliseconds(1)) == ["ignored earlyTimer"])
        #expect(talk.wait(.milliseconds(1)) == ["completed r: timedOut requestTimedOut"])
        #expect(talk.session.handoffs.isEmpty)
    }

    @Test("a claimed offer that is not completed in time leaves the request to the app")
    func claimed() {
        talk.bring(to: .handedOff)
        talk.claim()
        #expect(talk.wait(talk.policy.handoffTimeout) == ["completed r: deferredToApp continueInApp"])
        #expect(talk.session.handoffs.isEmpty)
    }

    @Test("an offer after a failure expires without a result, and other requests continue meanwhile")
    func offerRunsOut() {
        talk.bring(to: .handling)
        talk.handler(.failureRequiringAppLaunch)
        talk.bring(to: .handedOff, "next")
        talk.now = talk.session.handoffs[0].expires
        #expect(talk.receive(.timer) == [])
        #expect(talk.session.handoffs.map(\.request) == ["next"])
    }

    @Test("open offers are bounded: the oldest is dropped")
    func bounded() {
        talk.policy.maximumHandoffs = 2
        for number in 1...3 {
            talk.bring(to: .handling, "r\(number)")
            talk.handler(.failureRequiringAppLaunch)
        }
        #expect(talk.session.handoffs.map(\.request) == ["r2", "r3"])
    }

    @Test("the claimant may return it: it is offered again, and another app may claim it until it expires")
    func returned() {
        talk.bring(to: .handedOff)
        let ends = talk.session.handoffs[0].expires
        talk.claim(by: "phone")
        #expect(talk.giveBack(by: "watch") == ["rejected unexpected claimant"])
        #expect(talk.giveBack(by: "phone") == ["offer foreground"])
        #expect(talk.session.handoffs[0].returns == 1 && talk.session.handoffs[0].expires == ends)
        #expect(talk.complete(by: "phone") == ["rejected unexpected claimant"])
        #expect(talk.giveBack(by: "phone") == ["rejected unexpected claimant"])
        #expect(talk.claim(by: "watch") == ["claimed by watch"])
        talk.giveBack(by: "watch")
        talk.now = ends
        #expect(talk.receive(.timer) == ["completed r: timedOut requestTimedOut"])
        #expect(talk.giveBack() == ["rejected unexpected handoff"])
    }

    @Test(
        "a returned activity keeps the user info it requires, or all of it if it names none",
        arguments: [true, false])
    func restored(_ isPicky: Bool) {
        var activity = UserActivity(activityType: "book", userInfo: ["draft": .number(1), "scroll": .number(2)])
        if isPicky { activity.requiredUserInfoKeys = ["draft"] }
        talk.bring(to: .handling)
        talk.handler(.continueInApp, activity: activity)
        #expect(talk.session.handoffs[0].activity == activity)
        talk.claim()
        talk.giveBack()
        #expect(
            talk.session.handoffs[0].activity.userInfo.keys.sorted() == (isPicky ? ["draft"] : ["draft", "scroll"]))
    }

    @Test(
        "the activity's expiration date ends the handoff if it is sooner",
        arguments: [(100, 100), (100_000, 600), (-5, 0)])
    func expirationDate(_ seconds: Int, _ expected: Int) {
        var activity = UserActivity(activityType: "book")
        activity.expirationDate = talk.now.advanced(by: .seconds(seconds)).milliseconds
        talk.bring(to: .handling)
        talk.handler(.continueInApp, activity: activity)
        #expect(talk.session.handoffs[0].expires == talk.now.advanced(by: .seconds(expected)))
        #expect(talk.waitForTimer() == ["completed r: timedOut requestTimedOut"])
    }

    @Test("a newer activity with the same identifier replaces an unclaimed one")
    func persistentIdentifier() {
        var activity = UserActivity(activityType: "book")
        activity.persistentIdentifier = "draft-1"
        for id in ["a", "b"] {
            talk.bring(to: .handling, Identifier(id))
            talk.handler(.failureRequiringAppLaunch, activity: activity)
        }
        #expect(talk.session.handoffs.map(\.request) == ["b"])
        talk.claim()
        talk.bring(to: .handling, "c")
        talk.handler(.failureRequiringAppLaunch, activity: activity)
        #expect(talk.session.handoffs.map(\.request) == ["b", "c"])
    }

    @Test("a claim after the expiration is too late, even if its timer has not fired yet")
    func lateClaim() {
        talk.bring(to: .handedOff)
        talk.now = talk.session.handoffs[0].expires
        #expect(talk.claim() == ["rejected unexpected handoff"])
    }

    @Test("the activity carries the intent with the values known so far")
    func interaction() throws {
        talk.request("r", ["dropOff": "Airport"])
        talk.resolver(["dropOff": .success(.string("airport-2"))])
        talk.confirmer(.continueInApp)
        let interaction = try #require(talk.session.handoffs.first).interaction
        #expect(
            interaction.parameters.map(\.name) == ["dropOff"]
                && interaction.parameters.map(\.value) == [.string("airport-2")])
    }
}
