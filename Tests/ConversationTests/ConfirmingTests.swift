import Conversation
import IntentModel
import Testing

@Suite("Confirming: can it be done, and does the person want it")
struct ConfirmingTests {
    let talk = Talk()
    static let activity = UserActivity(activityType: "com.example.book", userInfo: ["ride": .number(7)])

    private func confirming() { talk.bring(to: .confirming) }

    @Test("ready means go, and success is the same word for it", arguments: [ResponseCode.ready, .success])
    func go(_ code: ResponseCode) {
        confirming()
        #expect(talk.confirmer(code) == ["handle"])
        #expect(talk.handler() == ["completed r: success success"])
    }

    @Test("the person is asked first where the intent wants it, and it is handled once", arguments: [ResponseCode.ready, .success])
    func asks(_ code: ResponseCode) {
        confirming()
        #expect(talk.confirmer(code, asking: ConfirmationRequest(dialog: "Shall I?", summary: "Book a ride")) == ["prompt confirmIntent"])
        #expect(talk.prompt?.dialog == "Shall I?" && talk.prompt?.summary == "Book a ride" && talk.prompt?.parameter == nil)
        #expect(talk.answer(.accept) == ["handle"])
        #expect(talk.handler() == ["completed r: success success"])
        #expect(talk.completion?.turns == 1)
    }

    @Test("userConfirmationRequired asks whatever the intent's own policy is", arguments: [nil, ConfirmationRequest(dialog: "Shall I?")])
    func userConfirmationRequired(_ asking: ConfirmationRequest?) {
        confirming()
        #expect(talk.confirmer(.userConfirmationRequired, asking: asking) == ["prompt confirmIntent"])
        #expect(talk.prompt?.dialog == (asking == nil ? "Book?" : "Shall I?"))
    }

    @Test("an answer of the confirmer that holds no longer is asked for anew before anything is done")
    func quoteExpires() {
        confirming()
        var quote = IntentResponse(.ready, dialog: "12 pounds")
        quote.validFor = .seconds(30)
        talk.responds(quote, asking: ConfirmationRequest())
        talk.now = talk.now.advanced(by: .milliseconds(30_001))
        #expect(talk.answer(.accept) == ["confirm"])
        #expect(talk.responds(quote, asking: ConfirmationRequest()) == ["prompt confirmIntent"])
        talk.now = talk.now.advanced(by: .seconds(30))
        #expect(talk.answer(.accept) == ["handle"])
    }

    @Test("what a confirmer recorded for an answer that holds no longer is forgotten with it")
    func quoteRecorded() {
        confirming()
        talk.asks("q", recorded: ["fare": .number(12)])
        talk.answer(.accept, "x")
        var quote = IntentResponse(.handleInApp)
        quote.validFor = .zero
        talk.responds(quote, asking: ConfirmationRequest())
        talk.now = talk.now.advanced(by: .seconds(1))
        #expect(talk.answer(.accept) == ["confirm"])
        #expect(talk.work?.item?.recorded == [:] && talk.answers.isEmpty)
        // The new answer decides where it is handled.
        #expect(talk.confirmer(.ready) == ["handle"])
    }

    @Test("without a question the confirmer's answer is taken at once, however short it holds")
    func quoteUnasked() {
        confirming()
        var quote = IntentResponse(.ready)
        quote.validFor = .zero
        #expect(talk.responds(quote) == ["handle"])
    }

    @Test("continueInApp sends the person to the app with the activity")
    func continueInApp() throws {
        confirming()
        #expect(talk.confirmer(.continueInApp, activity: Self.activity) == ["offer foreground"])
        #expect(talk.stage == .handedOff)
        let handoff = try #require(talk.session.handoffs.first)
        #expect(handoff.activity == Self.activity && handoff.interaction.intent == "Book" && handoff.interaction.code == .continueInApp)
    }

    @Test("an activity that no handler gave is made from the intent")
    func ownActivity() {
        confirming()
        talk.confirmer(.continueInApp)
        #expect(talk.session.handoffs.first?.activity == UserActivity(activityType: "Book"))
    }

    @Test("handleInApp gives the handling to the app's workers while the person stays")
    func handleInApp() {
        confirming()
        #expect(talk.confirmer(.handleInApp, activity: Self.activity) == ["offer background", "handle in app"])
        #expect(talk.session.handoffs.isEmpty)
        #expect(talk.handler() == ["completed r: success success"])
    }

    @Test("handleInApp waits for the person's yes, and keeps the confirmer's activity until then")
    func handleInAppAsking() throws {
        confirming()
        #expect(talk.confirmer(.handleInApp, asking: ConfirmationRequest(), activity: Self.activity) == ["prompt confirmIntent"])
        #expect(talk.answer(.accept) == ["offer background", "handle in app"])
        guard case .result(let result) = talk.effects[0], case .handoffOffered(let handoff) = result.body else {
            Issue.record("something else came")
            return
        }
        #expect(handoff.activity == Self.activity)
    }

    @Test("handleInApp is forgotten when the person changes the intent: it is confirmed anew")
    func handleInAppChanged() {
        confirming()
        talk.confirmer(.handleInApp, asking: ConfirmationRequest())
        talk.answer(.accept, changing: ["party": "2"])
        talk.resolver()
        #expect(talk.confirmer(.ready) == ["handle"])
    }

    @Test("failures end the request with their own code", arguments: ["failure", "failureNoMatchingWorkout"])
    func failure(_ code: String) {
        confirming()
        #expect(talk.confirmer(ResponseCode(rawValue: code)) == ["completed r: failure \(code)"])
        #expect(talk.completion?.activity == nil && talk.session.handoffs.isEmpty)
    }

    @Test(
        "a failure that the app can mend offers the activity as well, and the offer outlives the request",
        arguments: [
            "failureRequiringAppLaunch", "failureRequiringAppLaunchNoServiceInArea", "failureRequiringInAppAuthentication",
            "failureAppConfigurationRequired",
        ])
    func failureRequiringAppLaunch(_ code: String) {
        confirming()
        #expect(
            talk.confirmer(ResponseCode(rawValue: code), activity: Self.activity) == ["offer foreground", "completed r: failure \(code)"])
        #expect(talk.completion?.activity == Self.activity)
        #expect(talk.session.handoffs.map(\.activity) == [Self.activity] && talk.session.active == nil)
    }

    @Test("the confirmer's activity is kept for a handler that needs the app and gives none")
    func keptActivity() {
        confirming()
        talk.confirmer(.ready, activity: Self.activity)
        #expect(
            talk.handler("failureRequiringAppLaunchMustVerifyCredentials")
                == ["offer foreground", "completed r: failure failureRequiringAppLaunchMustVerifyCredentials"])
        #expect(talk.completion?.activity == Self.activity)
        #expect(talk.session.handoffs.first?.activity == Self.activity)
    }

    @Test("unspecified is a failure, and says whose fault it is")
    func unspecified() {
        confirming()
        #expect(talk.confirmer(.unspecified) == ["completed r: failure unspecified"])
        #expect(talk.completion?.error?.reason == .unexpected)
    }

    @Test(
        "a code of another phase is a protocol error: the request fails, and the operator learns why", arguments: ["inProgress", "madeUp"])
    func wrongPhase(_ code: String) {
        confirming()
        #expect(talk.confirmer(ResponseCode(rawValue: code)) == ["completed r: failure failure"])
        #expect(talk.completion?.error?.reason == .unexpected)
    }

    @Test("resolutions are no answer to confirm, nor is progress")
    func wrongContent() {
        confirming()
        #expect(talk.worker(.finished(.resolved([]))) == ["completed r: failure failure"])
        talk.bring(to: .confirming, "r2")
        #expect(talk.progress(0.5) == ["completed r2: failure failure"])
    }

    @Test("a response code is no answer to resolve, nor is progress")
    func wrongContentAtResolve() {
        talk.request()
        #expect(talk.worker(.finished(.responded(IntentResponse(.success), confirmation: nil))) == ["completed r: failure failure"])
        talk.request("r2")
        #expect(talk.progress(0.5) == ["completed r2: failure failure"])
    }
}
