import Conversation
import IntentModel
import Testing

@Suite("Where the work of a request goes")
struct RouteTests {
    let talk = Talk()

    private func request(_ route: IntentRoute?, _ id: Identifier = "r") -> [String] {
        var request = IntentRequest(id: id, intent: "Book")
        request.route = route
        return talk.receive(.requested(request))
    }

    @Test("all work of a request names its service, also a cancel")
    func service() {
        #expect(request(IntentRoute(service: "tea", appService: "tea")) == ["resolve"] && talk.work?.service == "tea")
        talk.resolver()
        #expect(talk.work?.phase == .confirm && talk.work?.service == "tea")
        talk.confirmer()
        #expect(talk.work?.phase == .handle && talk.work?.service == "tea")
        talk.cancel()
        #expect(talk.cancelWork?.address.service == "tea")
    }

    @Test("work of the default service names none")
    func ofDefault() {
        talk.bring(to: .handling)
        #expect(
            talk.session.active?.request.route == nil && talk.session.outstandingWork.allSatisfy { $0.service == nil })
    }

    @Test(
        "an intent that only an app supports is resolved, confirmed and handled there, without being offered to an app")
    func inApp() {
        #expect(
            request(IntentRoute(appService: "phone", isInApp: true)) == ["resolve in app"]
                && talk.work?.service == "phone")
        #expect(talk.resolver() == ["confirm in app"])
        #expect(talk.confirmer(.ready, asking: ConfirmationRequest()) == ["prompt confirmIntent"])
        #expect(talk.answer(.accept) == ["handle in app"] && talk.work?.service == "phone")
        #expect(talk.handler() == ["completed r: success success"])
    }

    @Test("the app can't hand over to the app again")
    func again() {
        _ = request(IntentRoute(isInApp: true))
        talk.resolver()
        talk.confirmer()
        #expect(talk.handler(.handleInApp) == ["completed r: failure failure"])
    }

    @Test("what an extension hands over goes to the app of its route")
    func handedOver() {
        _ = request(IntentRoute(service: "tea", appService: "phone"))
        talk.resolver()
        talk.confirmer()
        #expect(talk.handler(.handleInApp) == ["offer background", "handle in app"] && talk.work?.service == "phone")
    }

    @Test(
        "a retry, and work that is dispatched again after a crash, go where the first went, whatever is served by then")
    func repeated() {
        _ = request(IntentRoute(service: "tea", appService: "tea"))
        #expect(talk.session.outstandingWork.map(\.service) == ["tea"])
        talk.fails(.retry(after: .seconds(1)), .busy)
        #expect(talk.waitForTimer() == ["resolve attempt 2"] && talk.work?.service == "tea")
    }

    @Test("live updates go to the service that has handled the request")
    func updates() {
        _ = request(IntentRoute(appService: "phone", isInApp: true))
        talk.resolver()
        talk.confirmer()
        var response = IntentResponse(.success)
        response.offersUpdates = true
        talk.responds(response)
        #expect(
            talk.receive(.updatesStarted(request: "r")) == ["update"] && talk.work?.isInApp == true
                && talk.work?.service == "phone")
    }

    @Test(
        "an opened intent goes where the catalogue said when it was opened, also if the person was asked to choose first"
    )
    func opened() {
        let route = IntentRoute(service: "tea", appService: "tea")
        var response = IntentResponse(.success)
        response.opensIntent = OpenedIntent(intent: "Rate", parameters: [:])
        response.items = [
            ParameterOption(id: "a", title: "A", value: .string("a")),
            ParameterOption(id: "b", title: "B", value: .string("b")),
        ]
        response.choice = ItemChoice(dialog: nil, remembers: [:])
        talk.bring(to: .handling)
        var outcome = Outcome(
            request: "r", step: talk.session.active?.step ?? 0, phase: .handle,
            content: .finished(.responded(response, confirmation: nil)),
            ticket: talk.ticket("r", talk.session.active?.step ?? 0))
        outcome.openedRoute = route
        #expect(talk.receive(.outcome(outcome)) == ["prompt choice"])
        #expect(
            talk.answer(.accept, option: "a").last == "resolve" && talk.work?.intent == "Rate"
                && talk.work?.service == "tea")
    }

    // MARK: An intent that no worker serves

    private let why = Rejection(.unsupported, "no worker serves 'Bok'", field: "intent")

    private func asked(_ id: Identifier, _ whenBusy: IntentRequest.WhenBusy = .queue) -> [String] {
        talk.receive(.unserved(IntentRequest(id: id, intent: "Bok", whenBusy: whenBusy), why))
    }

    @Test("it is completed at once, and the same request again is a repeat")
    func unserved() {
        #expect(asked("r") == ["completed r: unsupported noHandlerProvidedForIntent"])
        #expect(talk.completion?.error == why && talk.session.active == nil)
        #expect(asked("r") == ["ignored duplicateRequest"] && request(nil, "r") == ["ignored duplicateRequest"])
    }

    @Test("it disturbs no request that is being worked on", arguments: IntentRequest.WhenBusy.allCases)
    func busy(_ whenBusy: IntentRequest.WhenBusy) {
        talk.bring(to: .awaitingAnswer)
        #expect(asked("x", whenBusy) == ["completed x: unsupported noHandlerProvidedForIntent"])
        #expect(talk.stage == .awaitingAnswer && talk.session.queued.isEmpty && talk.session.suspended.isEmpty)
    }

    @Test("a session that is being ended takes it no more than any other request")
    func ending() {
        talk.bring(to: .handling)
        talk.receive(.ended(reason: nil))
        #expect(asked("x") == ["rejected busy"])
    }
}
