import Conversation
import IntentModel
import Testing

@Suite("Where the work of a request goes") struct RouteTests {
    let talk = Talk()
    private static let tea = IntentRoute(service: "tea", appService: "tea")
    private static let inApp = IntentRoute(appService: "phone", isInApp: true)
    private static let unserved = "unsupported noHandlerProvidedForIntent"

    private static let dialogues: Dialogues = [
        "all work of a request names its service, also a cancel": [
            .request(along: tea): "resolve", .the(\.work?.service): "tea", .resolver(): "confirm",
            .the(\.work?.service): "tea", .confirmer(): "handle", .the(\.work?.service): "tea",
            .cancel(): "cancel handle", .the(\.work?.cancel?.address.service): "tea",
        ],
        "work of the default service names none": [
            .at(.handling): "handle", .the(\.session.active?.request.route): "none", .the(\.services): "none",
        ],
        "an intent that only an app supports is resolved, confirmed and handled there, and not handed over": [
            .request(along: inApp): "resolve in app", .the(\.work?.service): "phone", .resolver(): "confirm in app",
            .confirmer(asking: .plain): "prompt confirmIntent", .answer(.accept): "handle in app",
            .the(\.work?.service): "phone", .handler(.handleInApp): "completed r: failure failure",
            .or(.handler()): "completed r: success success",
        ],
        "what an extension hands over goes to the app of its route": [
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
            .handler { $0.offersUpdates = true }: "completed r: success success",
            .event(.updatesStarted(request: "r")): "update", .the(\.work?.isInApp): "true",
            .the(\.work?.service): "phone",
        ],
        "an opened intent goes where the catalogue said, also if the person was asked to choose first": [
            .at(.handling): "handle", .opens(along: tea): "prompt choice",
            .answer(.accept, option: "n"): ["completed r: success success, opens Rate", "resolve"],
            .the(\.work?.intent): "Rate", .the(\.work?.service): "tea",
        ],

        // MARK: An intent that no worker serves

        "it is completed at once, and the same request again is a repeat": [
            .unserved(): "completed x: \(unserved)", .the(\.completion?.error): "\(Step.why)", .the(\.active): "none",
            .unserved(): "ignored duplicateRequest", .request("x"): "ignored duplicateRequest",
        ],
        "a session that is being ended takes it no more than any other request": [
            .at(.handling): "handle", .event(.ended(reason: nil)): "cancel handle", .unserved(): "rejected busy",
        ],
    ]

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { talk.play(dialogue) }

    @Test(arguments: IntentRequest.WhenBusy.allCases)
    func `it disturbs no request that is being worked on`(_ whenBusy: IntentRequest.WhenBusy) {
        talk.play([
            .at(.awaitingAnswer): "…", .unserved(whenBusy): "completed x: \(Self.unserved)",
            .the(\.stage): "awaitingAnswer", .the(\.queued): "none", .the(\.suspended): "none",
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
    ) -> Step {
        .event(.unserved(IntentRequest(id: "x", intent: "Bok", whenBusy: whenBusy), why), at: line)
    }

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
