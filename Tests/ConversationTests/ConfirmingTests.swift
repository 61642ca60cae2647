import Conversation
import IntentModel
import Testing

@Suite("Confirming: whether the intent can be done, and whether the person wants it")
struct ConfirmingTests {
    let talk = Talk()
    static let activity = UserActivity(activityType: "com.example.book", userInfo: ["ride": .number(7)])

    private func confirming() { talk.bring(to: .confirming) }

    @Test("ready and success both dispatch the handler", arguments: [ResponseCode.ready, .success])
    func go(_ code: ResponseCode) {
        confirming()
        #expect(talk.confirmer(code) == ["handle"])
        #expect(talk.handler() == ["completed r: success success"])
    }

    @Test(
        "the person is asked first if the intent requires it, and it is handled once",
        arguments: [ResponseCode.ready, .success])
    func asks(_ code: ResponseCode) {
        confirming()
        #expect(
            talk.confirmer(code, asking: ConfirmationRequest(dialog: "Shall I?", summary: "Book a ride")) == [
                "prompt confirmIntent"
            ])
        #expect(
            talk.prompt?.dialog == "Shall I?" && talk.prompt?.summary == "Book a ride" && talk.prompt?.parameter == nil)
        #expect(talk.answer(.accept) == ["handle"])
        #expect(talk.handler() == ["completed r: success success"])
        #expect(talk.completion?.turns == 1)
    }

    @Test(
        "what the resolver wants the person to be asked is asked, also if the confirmer does not ask",
        arguments: [ResponseCode.ready, .success])
    func resolverAsks(_ code: ResponseCode) {
        let declared = ConfirmationRequest(dialog: "Sure?", summary: "Book a ride")
        talk.request()
        talk.worker(.finished(.resolved([], confirmation: declared)), phase: .resolve)
        #expect(talk.confirmer(code) == ["prompt confirmIntent"])
        #expect(talk.prompt?.dialog == "Sure?" && talk.prompt?.summary == "Book a ride")
        #expect(talk.answer(.accept) == ["handle"])
    }

    @Test("if both ask, the person is asked once, with the confirmer's words and the resolver's summary")
    func bothAsk() {
        talk.request()
        let declared = ConfirmationRequest(dialog: "Sure?", summary: "499 EUR to Eve")
        talk.worker(.finished(.resolved([], confirmation: declared)), phase: .resolve)
        let asking = ConfirmationRequest(dialog: "1 EUR to Mia. Sure?", summary: "1 EUR to Mia")
        #expect(talk.confirmer(asking: asking) == ["prompt confirmIntent"])
        #expect(talk.prompt?.dialog == "1 EUR to Mia. Sure?" && talk.prompt?.summary == "499 EUR to Eve")
        #expect(talk.answer(.accept) == ["handle"])
    }

    @Test("what the resolver wants to be asked is that of the newest values")
    func correctedBeforeAsking() {
        talk.request()
        talk.worker(.finished(.resolved([], confirmation: ConfirmationRequest(dialog: "Sure?"))), phase: .resolve)
        talk.correct("party", "1")
        talk.resolver()
        #expect(talk.confirmer() == ["handle"])
    }

    @Test("the resolver's words are not used after the person has accepted other values")
    func resolverAsksAboutOldValues() {
        talk.request("r", ["party": "1"])
        talk.worker(
            .finished(.resolved([], confirmation: ConfirmationRequest(dialog: "For one?", summary: "Party of one"))),
            phase: .resolve)
        var other = IntentResponse(.ready)
        other.proposed = ["party": .string("2")]
        other.validFor = .zero
        talk.responds(other, asking: ConfirmationRequest(summary: "Party of two"))
        talk.now = talk.now.advanced(by: .seconds(1))
        #expect(talk.answer(.accept) == ["confirm"])
        #expect(talk.confirmer() == ["prompt confirmIntent"])
        #expect(talk.prompt?.summary == nil && talk.prompt?.dialog == "Book?")
        #expect(talk.answer(.accept) == ["handle"])
    }

    @Test("what the resolver wants to be asked is asked before the app's workers handle it too")
    func asksBeforeTheApp() {
        talk.request()
        talk.worker(.finished(.resolved([], confirmation: ConfirmationRequest(dialog: "Sure?"))), phase: .resolve)
        #expect(talk.confirmer(.handleInApp) == ["prompt confirmIntent"])
    }

    @Test(
        "userConfirmationRequired asks, regardless of the intent's policy",
        arguments: [nil, ConfirmationRequest(dialog: "Shall I?")])
    func userConfirmationRequired(_ asking: ConfirmationRequest?) {
        confirming()
        #expect(talk.confirmer(.userConfirmationRequired, asking: asking) == ["prompt confirmIntent"])
        #expect(talk.prompt?.dialog == (asking == nil ? "Book?" : "Shall I?"))
    }

    @Test("a confirmer's response that has expired is requested again before the intent is handled")
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

    @Test("what a confirmer recorded is forgotten when its response expires")
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
        // The new response decides where the intent is handled.
        #expect(talk.confirmer(.ready) == ["handle"])
    }

    @Test("without a prompt the confirmer's response is used at once, however short its validity")
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
        #expect(
            handoff.activity == Self.activity && handoff.interaction.intent == "Book"
                && handoff.interaction.code == .continueInApp)
    }

    @Test("without an activity from a handler, one is made from the intent")
    func ownActivity() {
        confirming()
        talk.confirmer(.continueInApp)
        #expect(talk.session.handoffs.first?.activity == UserActivity(activityType: "Book"))
    }

    @Test("handleInApp dispatches the handling to the app's workers, and the person stays in the conversation")
    func handleInApp() {
        confirming()
        #expect(talk.confirmer(.handleInApp, activity: Self.activity) == ["offer background", "handle in app"])
        #expect(talk.session.handoffs.isEmpty)
        #expect(talk.handler() == ["completed r: success success"])
    }

    @Test("handleInApp waits until the person accepts, and keeps the confirmer's activity until then")
    func handleInAppAsking() throws {
        confirming()
        #expect(
            talk.confirmer(.handleInApp, asking: ConfirmationRequest(), activity: Self.activity) == [
                "prompt confirmIntent"
            ])
        #expect(talk.answer(.accept) == ["offer background", "handle in app"])
        guard case .result(let result) = talk.effects[0], case .handoffOffered(let handoff) = result.body else {
            Issue.record("something else came")
            return
        }
        #expect(handoff.activity == Self.activity)
    }

    @Test("handleInApp is forgotten when the person changes the intent, which is then confirmed again")
    func handleInAppChanged() {
        confirming()
        talk.confirmer(.handleInApp, asking: ConfirmationRequest())
        talk.answer(.accept, changing: ["party": "2"])
        talk.resolver()
        #expect(talk.confirmer(.ready) == ["handle"])
    }

    @Test("a failure ends the request with its own code", arguments: ["failure", "failureNoMatchingWorkout"])
    func failure(_ code: String) {
        confirming()
        #expect(talk.confirmer(ResponseCode(rawValue: code)) == ["completed r: failure \(code)"])
        #expect(talk.completion?.activity == nil && talk.session.handoffs.isEmpty)
    }

    @Test(
        "a failure that the app can fix also offers the activity, and the offer outlives the request",
        arguments: [
            "failureRequiringAppLaunch", "failureRequiringAppLaunchNoServiceInArea",
            "failureRequiringInAppAuthentication",
            "failureAppConfigurationRequired",
        ])
    func failureRequiringAppLaunch(_ code: String) {
        confirming()
        #expect(
            talk.confirmer(ResponseCode(rawValue: code), activity: Self.activity) == [
                "offer foreground", "completed r: failure \(code)",
            ])
        #expect(talk.completion?.activity == Self.activity)
        #expect(talk.session.handoffs.map(\.activity) == [Self.activity] && talk.session.active == nil)
    }

    @Test("the confirmer's activity is used if the handler needs the app and has no activity")
    func keptActivity() {
        confirming()
        talk.confirmer(.ready, activity: Self.activity)
        #expect(
            talk.handler("failureRequiringAppLaunchMustVerifyCredentials")
                == ["offer foreground", "completed r: failure failureRequiringAppLaunchMustVerifyCredentials"])
        #expect(talk.completion?.activity == Self.activity)
        #expect(talk.session.handoffs.first?.activity == Self.activity)
    }

    @Test("unspecified is a failure, and its error says that the response was unexpected")
    func unspecified() {
        confirming()
        #expect(talk.confirmer(.unspecified) == ["completed r: failure unspecified"])
        #expect(talk.completion?.error?.reason == .unexpected)
    }

    @Test(
        "a code of another phase is a protocol error: the request fails and the operator is told why",
        arguments: ["inProgress", "madeUp"])
    func wrongPhase(_ code: String) {
        confirming()
        #expect(talk.confirmer(ResponseCode(rawValue: code)) == ["completed r: failure failure"])
        #expect(talk.completion?.error?.reason == .unexpected)
    }

    @Test("resolutions and progress are not valid outcomes of confirm")
    func wrongContent() {
        confirming()
        #expect(talk.worker(.finished(.resolved([]))) == ["completed r: failure failure"])
        talk.bring(to: .confirming, "r2")
        #expect(talk.progress(0.5) == ["completed r2: failure failure"])
    }

    @Test("a response code and progress are not valid outcomes of resolve")
    func wrongContentAtResolve() {
        talk.request()
        #expect(
            talk.worker(.finished(.responded(IntentResponse(.success), confirmation: nil))) == [
                "completed r: failure failure"
            ])
        talk.request("r2")
        #expect(talk.progress(0.5) == ["completed r2: failure failure"])
    }
}
