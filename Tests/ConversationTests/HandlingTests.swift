import Conversation
import IntentModel
import PipelineTestKit
import Testing

private let activity = UserActivity(activityType: "com.example.book", userInfo: ["ride": .number(7)])
private let sure = ConfirmationRequest(dialog: "Sure?", summary: "499 EUR to Eve")
private let working = [StageName.resolving, .confirming, .handling, .inProgress]

private let confirming: Dialogues = [
    "ready and success both dispatch the handler": [
        .at(.confirming): "confirm", .either(.confirmer(.ready), .confirmer(.success)): "handle",
        .handler(): "completed r: success",
    ],
    "the person is asked first if the intent requires it, and it is handled once": [
        .at(.confirming): "confirm",
        .either(.confirmer(.ready, asking: sure), .confirmer(.success, asking: sure)): "prompt confirmIntent",
        .the(\.prompt?.dialog): "Sure?", .the(\.prompt?.summary): "499 EUR to Eve", .the(\.prompt?.parameter): "none",
        .answer(.accept): "handle", .handler(): "completed r: success", .the(\.completion?.turns): "1",
    ],
    "the resolver's question is asked, also if the confirmer does not ask": [
        .request(): "resolve", .resolver(asking: sure): "confirm",
        .either(.confirmer(.ready), .confirmer(.success)): "prompt confirmIntent", .the(\.prompt?.dialog): "Sure?",
        .the(\.prompt?.summary): "499 EUR to Eve", .answer(.accept): "handle", .or(.correct("party", "1")): "resolve",
        .resolver(): "confirm",
        // The newest values have no question of the resolver.
        .confirmer(): "handle",
    ],
    "if both ask, the person is asked once, with the confirmer's words and the resolver's summary": [
        .request(): "resolve", .resolver(asking: sure): "confirm",
        // The person is also asked before the app's workers handle the intent.
        .confirmer(.handleInApp): "prompt confirmIntent",
        .or(.confirmer(asking: ConfirmationRequest(dialog: "1 EUR to Mia?", summary: "1 EUR to Mia"))):
            "prompt confirmIntent",
        .the(\.prompt?.dialog): "1 EUR to Mia?", .the(\.prompt?.summary): "499 EUR to Eve", .answer(.accept): "handle",
    ],
    "the resolver's words are not used after the person has accepted other values": [
        .request("r", ["party": "1"]): "resolve", .resolver(asking: sure): "confirm",
        .confirmer(asking: ConfirmationRequest(summary: "Party of two")) {
            $0.proposed = ["party": "2"]
            $0.validFor = .zero
        }: "prompt confirmIntent",
        .passes(1): [], .answer(.accept): "confirm", .confirmer(): "prompt confirmIntent",
        .the(\.prompt?.summary): "none", .the(\.prompt?.dialog): "Book?", .answer(.accept): "handle",
    ],
    "userConfirmationRequired asks, regardless of the intent's policy": [
        .at(.confirming): "confirm", .confirmer(.userConfirmationRequired): "prompt confirmIntent",
        .the(\.prompt?.dialog): "Book?",
        .or(.confirmer(.userConfirmationRequired, asking: sure)): "prompt confirmIntent",
        .the(\.prompt?.dialog): "Sure?",
    ],
    "a confirmer's response that has expired is requested again, unless it is used at once without a prompt": [
        .at(.confirming): "confirm", .confirmer { $0.validFor = .zero }: "handle",
        .or(.confirmer(asking: .plain) { $0.validFor = .seconds(30) }): "prompt confirmIntent", .passes(30.001): [],
        .answer(.accept): "confirm", .confirmer(asking: .plain) { $0.validFor = .seconds(30) }: "prompt confirmIntent",
        .passes(30): [], .answer(.accept): "handle",
    ],
    "what a confirmer recorded, and where it hands the intent, is forgotten when its response expires": [
        .at(.confirming): "confirm", .asks("q", recorded: ["fare": .number(12)]): "prompt value",
        .answer(.accept, "x"): "confirm",
        .confirmer(.handleInApp, asking: .plain) { $0.validFor = .zero }: "prompt confirmIntent", .passes(1): [],
        .answer(.accept): "confirm", .the(\.item?.recorded): "none", .the(\.answers): "none",
        .confirmer(.ready): "handle",
    ],
    "continueInApp sends the person to the app with the activity, or one that is made from the intent": [
        .at(.confirming): "confirm", .confirmer(.continueInApp): "offer foreground",
        .the(\.offers.first?.activity): "\(UserActivity(activityType: "Book"))",
        .or(.confirmer(.continueInApp, activity: activity)): "offer foreground", .the(\.stage): "handedOff",
        .the(\.offers.first?.activity): "\(activity)", .the(\.offers.first?.interaction.intent): "Book",
        .the(\.offers.first?.interaction.code): "continueInApp",
    ],
    "handleInApp dispatches the handling to the app's workers, and the person stays in the conversation": [
        .at(.confirming): "confirm",
        .confirmer(.handleInApp, activity: activity): ["offer background", "handle in app"], .the(\.handoffs): "none",
        .handler(): "completed r: success",
    ],
    "handleInApp waits until the person accepts, and is forgotten when the person changes the intent": [
        .at(.confirming): "confirm",
        .confirmer(.handleInApp, asking: .plain, activity: activity): "prompt confirmIntent",
        .answer(.accept): ["offer background", "handle in app"], .the(\.offers.first?.activity): "\(activity)",
        .or(.answer(.accept, changing: ["party": "2"])): "resolve", .resolver(): "confirm",
        .confirmer(.ready): "handle",
    ],
    "the confirmer's activity is used if the handler needs the app and has no activity": [
        .at(.confirming): "confirm", .confirmer(.ready, activity: activity): "handle",
        .handler("failureRequiringAppLaunchMustVerifyCredentials"): [
            "offer foreground", "completed r: failure failureRequiringAppLaunchMustVerifyCredentials",
        ],
        .the(\.completion?.activity): "\(activity)", .the(\.offers.first?.activity): "\(activity)",
    ],
    "confirm's activity is not used for values that the person has changed since, in the offer or the completion": [
        .at(.confirming): "confirm",
        .confirmer(.userConfirmationRequired, activity: activity): "prompt confirmIntent",
        .answer(.accept, changing: ["party": "2"]): "resolve", .resolver(["party": .success("2")]): "confirm",
        .confirmer(.failureRequiringAppLaunch): ["offer foreground", "completed r: failure failureRequiringAppLaunch"],
        .the(\.offers.first?.activity): "\(UserActivity(activityType: "Book", userInfo: ["party": "2"]))",
        .the(\.completion?.activity): "\(UserActivity(activityType: "Book", userInfo: ["party": "2"]))",
    ],
    "a confirm that runs again for the same values may leave out the activity": [
        .at(.confirming): "confirm",
        .confirmer(.userConfirmationRequired, activity: activity) { $0.validFor = .zero }: "prompt confirmIntent",
        .passes(1): [], .answer(.accept): "confirm", .confirmer(.ready): "handle",
        .handler(.continueInApp): "offer foreground", .the(\.offers.first?.activity): "\(activity)",
    ],
    "a failure ends the request with its own code, and a code of another phase with an error": [
        .at(.confirming): "confirm", .confirmer(.failure): "completed r: failure", .the(\.completion?.activity): "none",
        .the(\.handoffs): "none",
        .or(.confirmer("failureNoMatchingWorkout")): "completed r: failure failureNoMatchingWorkout",
        .or(.confirmer(.unspecified)): "completed r: failure unspecified", .the(\.error): "unexpected",
        .or(.confirmer(.inProgress)): "completed r: failure", .the(\.error): "unexpected",
        .or(.confirmer("madeUp")): "completed r: failure", .the(\.error): "unexpected",
    ],
    "confirm has no resolutions, progress or large proposals, and resolve has no response code or progress": [
        .at(.confirming): "confirm", .either(.worker(.resolved), .progress(0.5)): "completed r: failure",
        .or(.confirmer { $0.proposed = ["time": .long(SessionPolicy().limits.maximumParameterBytes)] }):
            "completed r: failure",
        .request("r2"): "resolve", .either(.worker(.success), .progress(0.5)): "completed r2: failure",
    ],
]

private let proposals: Dialogues = [
    "accepting applies the proposed values, and the intent is handled with them": [
        .at(.confirming, knowing: ["time": "18:45", "seats": "2"]): "confirm",
        .either(.proposes(asking: .plain), .proposes(asking: nil)): "prompt confirmIntent",
        .the(\.proposed): "area, time", .known("time"): "given 18:45", .answer(.accept): "handle",
        .the(\.handled): "area terrace, seats 2, time 18:30", .known("time"): "confirmed 18:30",
    ],
    "declining cancels the request; declining with changes resolves it again without the proposed values": [
        .at(.confirming, knowing: ["time": "18:45"]): "confirm", .proposes(): "prompt confirmIntent",
        .answer(.decline, changing: ["time": "20:00"]): "resolve", .the(\.handled): "time 20:00",
        .resolver(): "confirm", .proposes(): "prompt confirmIntent", .answer(.decline): "completed r: cancelled",
    ],
    "accepting with changes applies the proposed values, then the changes; the app asks the person too": [
        .at(.confirming, knowing: ["time": "18:45"]): "confirm",
        .steps(.proposes(), .answer(.accept, changing: ["area": "bar"])): "resolve",
        .the(\.handled): "area bar, time 18:30", .or(.proposes(.handleInApp, asking: nil)): "prompt confirmIntent",
        .answer(.accept): ["offer background", "handle in app"], .the(\.handled): "area terrace, time 18:30",
    ],
    "accepting an expired proposal confirms the intent again with its values": [
        .at(.confirming, knowing: ["time": "18:45"]): "confirm",
        .confirmer {
            $0.proposed = ["time": "18:30"]
            $0.validFor = .seconds(10)
        }: "prompt confirmIntent",
        .passes(11): [], .answer(.accept): "confirm", .the(\.handled): "time 18:30",
    ],
    "after a failure with a proposal, accepting calls the handler again with the values, as a new call": [
        .at(.handling, knowing: ["time": "18:45"]): "handle", .the(\.item?.idempotencyKey): "s/r",
        .failsProposing(): "prompt confirmIntent", .the(\.prompt?.dialog): "Nothing is free at 18:45. Half past six?",
        .the(\.stage): "awaitingConfirmation", .answer(.accept): "handle", .the(\.handled): "time 18:30",
        .the(\.item?.idempotencyKey): "s%call2/r", .handler(): "completed r: success",
    ],
    "after a failure the person may change values, which are resolved, confirmed and handled again": [
        .at(.handling, knowing: ["time": "18:45"]): "handle", .failsProposing(): "prompt confirmIntent",
        .answer(.decline, changing: ["time": "20:00"]): "resolve", .resolver(): "confirm", .confirmer(): "handle",
        .the(\.item?.idempotencyKey): "s%call2/r", .the(\.handled): "time 20:00",
        .failsProposing(): "prompt confirmIntent", .correct("time", "21:00"): "resolve", .resolver(): "confirm",
        .confirmer(): "handle", .the(\.item?.idempotencyKey): "s%call3/r", .handler(): "completed r: success",
    ],
    "the number of proposals of a handler is limited": [
        .policy { $0.limits.maximumAsks = 2 }: [], .at(.handling): "handle", .failsProposing(): "prompt confirmIntent",
        .answer(.accept): "handle", .failsProposing(): "prompt confirmIntent", .answer(.accept): "handle",
        .failsProposing(): "completed r: failure failureNoTable",
    ],
    "a proposal that is not accepted ends with the original failure": [
        .at(.handling, knowing: ["time": "18:45"]): "handle", .failsProposing(): "prompt confirmIntent",
        .either(.answer(.decline), .answer(.cancel), .cancel(), .timer()): "completed r: failure failureNoTable",
        .the(\.completion?.dialog): "Nothing is free at 18:45. Half past six?", .the(\.error): "none",
        .the(\.completion?.parameters.first?.value): "18:45",
        .or(.request("r2", whenBusy: .replace)): ["completed r: failure failureNoTable", "resolve"],
        .the(\.completion?.dialog): "Nothing is free at 18:45. Half past six?", .the(\.error): "none",
        .the(\.completion?.parameters.first?.value): "18:45",
    ],
    "a proposal of a handler that was told to stop is ignored": [
        .at(.handling): "handle", .cancel(): "cancel handle", .failsProposing(): "completed r: failure failureNoTable",
    ],
]

private let handling: Dialogues = [
    "success ends the request with the handler's result, and a failure with its code": [
        .at(.handling): "handle",
        .handler {
            $0.dialog = "Booked"
            $0.values = ["fare": .number(12)]
        }: "completed r: success",
        .the(\.completion?.dialog): "Booked", .the(\.completion?.response): "fare 12", .the(\.completion?.turns): "0",
        .or(.handler(.failure)): "completed r: failure",
        .or(.handler("failureCallInProgress")): "completed r: failure failureCallInProgress",
    ],
    "in progress, then exactly one completion": [
        .at(.handling): "handle", .handler(.inProgress): "progress -", .the(\.stage): "inProgress",
        .progress(0.25): "progress 0.25", .progress(0.75, "Nearly"): "progress 0.75",
        .handler(): "completed r: success",
        .worker(.success, phase: .handle, step: 3, request: "r"): "ignored staleOutcome",
    ],
    "repeated progress is reported once": [
        .at(.handling): "handle", .progress(0.5): "progress 0.5", .progress(0.5): "ignored repeatedProgress",
        .progress(0.25): "ignored repeatedProgress", .progress(nil): "ignored repeatedProgress",
        .progress(nil, "Looking for a driver"): "progress -", .progress(0.75): "progress 0.75",
    ],
    "each progress report extends the handler's time": [
        .at(.handling): "handle", .passes(59): [], .progress(0.1): "progress 0.1", .passes(59): [],
        .progress(0.2): "progress 0.2", .the(\.stageLasts): "900.0",
    ],
    "continueInApp sends the person to the app; handleInApp moves the call to its workers once, with the same key": [
        .at(.handling, .inProgress): "…", .the(\.session.outstandingWork.first?.item?.idempotencyKey): "s/r",
        .handler(.continueInApp): "offer foreground", .the(\.stage): "handedOff",
        .or(.handler(.handleInApp)): ["offer background", "handle in app"], .the(\.item?.idempotencyKey): "s/r",
        .handler(.handleInApp): "completed r: failure", .the(\.error): "unexpected",
        .or(.handler()): "completed r: success",
    ],
    "a code of another phase is a protocol error, and so are resolutions": [
        .at(.handling): "handle",
        .either(.handler(.ready), .handler(.userConfirmationRequired), .handler("madeUp"), .worker(.resolved)):
            "completed r: failure",
        .the(\.error): "unexpected",
    ],
    "the completion has the resolved parameters": [
        .request("r", ["dropOff": "Airport"]): "resolve", .resolver(["dropOff": .success("airport-2")]): "confirm",
        .confirmer(): "handle", .handler(): "completed r: success",
        .the(\.completion?.parameters.first?.name): "dropOff", .the(\.completion?.parameters.first?.value): "airport-2",
        .the(\.completion?.parameters.first?.origin): "resolved",
    ],
    "an outcome without dispatched work changes nothing": [
        .at(.queued, .awaitingAnswer, .awaitingConfirmation, .handedOff): "…", .the(\.outstanding): "none",
        .worker(.cancelled, phase: .resolve): "ignored staleOutcome",
        .worker(.cancelled, phase: .confirm): "ignored staleOutcome",
        .worker(.cancelled, phase: .handle): "ignored staleOutcome", .garbage(): "ignored staleOutcome",
    ],
    "an outcome that arrives twice counts once, in every phase": [
        .request(): "resolve", .worker(.resolved, phase: .resolve, step: 1, request: "r"): "confirm",
        .worker(.resolved, phase: .resolve, step: 1, request: "r"): "ignored staleOutcome",
        .worker(.ready, phase: .confirm, step: 2, request: "r"): "handle",
        .worker(.ready, phase: .confirm, step: 2, request: "r"): "ignored staleOutcome",
    ],
]

@Suite("Confirming and handling: once, and only if the person agrees") struct HandlingTests {
    private let talk = Talk()

    @Test(arguments: [confirming, proposals, handling].flatMap(\.cases))
    func `as in the dialogues`(_ dialogue: Dialogue) { talk.play(dialogue) }

    @Test(arguments: [
        "failureRequiringAppLaunch", "failureRequiringAppLaunchNoServiceInArea",
        "failureRequiringInAppAuthentication", "failureAppConfigurationRequired",
    ])
    func `a failure that the app can fix also offers the activity, and the offer outlives the request`(_ code: String) {
        talk.play([
            .at(.confirming): "confirm",
            .confirmer(ResponseCode(rawValue: code), activity: activity): [
                "offer foreground", "completed r: failure \(code)",
            ],
            .the(\.active): "none",
        ])
        #expect(talk.completion?.activity == activity)
        #expect(talk.session.handoffs.map(\.activity) == [activity])
    }

    @Test(
        arguments: [("s", "r/2"), ("s%call2", "r"), ("s", "%call2/r"), ("s/call2", "r")] as [(Identifier, Identifier)])
    func `the idempotency key of a second call is unique`(_ session: Identifier, _ request: Identifier) {
        #expect(Session.key(session: "s", request: "r", call: 2) == "s%call2/r")
        #expect(Session.key(session: session, request: request) != "s%call2/r")
    }

    @Test(arguments: working)
    func `an outcome of another step, phase or request changes nothing`(_ stage: StageName) throws {
        talk.play(.at(stage))
        let active = try #require(talk.session.active)
        talk.play([
            .worker(.success, step: active.step - 1): "ignored staleOutcome",
            .worker(.success, step: active.step + 1): "ignored staleOutcome",
            .worker(.success, request: "other"): "ignored staleOutcome",
        ])
        for phase in Phase.allCases where phase != active.phase {
            #expect(talk.play(.worker(.success, phase: phase)) == ["ignored unauthorizedOutcome"])
        }
    }

    @Test(arguments: working)
    func `dispatched work is known, so that it can be dispatched again after a crash`(_ stage: StageName) throws {
        talk.play(.at(stage))
        let work = try #require(talk.session.outstandingWork.first)
        #expect(talk.session.outstandingWork.count == 1 && work.kind != .cancel)
        #expect(work.step == talk.session.active?.step && work.phase == talk.session.active?.phase)
    }

    @Test func `no two requests share an idempotency key, whatever their ids and sessions`() {
        let names = [
            ("a", "b/c"), ("a/b", "c"), ("a%2Fb", "c"), ("a/b/c", ""), ("a", "b%2Fc"), ("a", "b"), ("K", "\u{E9}"),
            ("K", "e\u{301}"), ("\u{212A}", "\u{E9}"),
        ]
        let keys = Set(
            names.map { session, request in
                let talk = Talk()
                talk.session = Session(id: Identifier(session), updated: talk.now)
                talk.play(.request(Identifier(request)))
                return talk.item?.idempotencyKey
            })
        #expect(keys.count == names.count && keys.contains("a/b"))
        // The combining mark forms one character with the slash.
        #expect(Session.key(session: "a", request: "\u{338}b", call: 2) == "a%call2/\u{338}b")
    }
}

extension Step {
    fileprivate static func proposes(
        _ code: ResponseCode = .ready, asking: ConfirmationRequest? = .plain, at line: Line = #_sourceLocation
    ) -> Step { .confirmer(code, asking: asking, at: line) { $0.proposed = ["time": "18:30", "area": "terrace"] } }

    fileprivate static func failsProposing(at line: Line = #_sourceLocation) -> Step {
        .handler("failureNoTable", at: line) {
            $0.dialog = "Nothing is free at 18:45. Half past six?"
            $0.proposed = ["time": "18:30"]
        }
    }
}

extension Talk {
    fileprivate var proposed: [String]? { prompt?.proposed.map(\.name) }
    /// The values that the worker gets.
    fileprivate var handled: [String] {
        (item?.parameters ?? []).map { "\($0.name) \(words($0.value as Any))" }.sorted()
    }
}
