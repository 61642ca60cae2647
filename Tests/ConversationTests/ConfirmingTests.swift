import Conversation
import IntentModel
import Testing

@Suite("Confirming: whether the intent can be done, and whether the person wants it") struct ConfirmingTests {
    let talk = Talk()
    private static let activity = UserActivity(activityType: "com.example.book", userInfo: ["ride": .number(7)])
    private static let sure = ConfirmationRequest(dialog: "Sure?", summary: "499 EUR to Eve")

    private static let dialogues: Dialogues = [
        "ready and success both dispatch the handler": [
            .at(.confirming): "confirm", .either(.confirmer(.ready), .confirmer(.success)): "handle",
            .handler(): "completed r: success success",
        ],
        "the person is asked first if the intent requires it, and it is handled once": [
            .at(.confirming): "confirm",
            .either(.confirmer(.ready, asking: sure), .confirmer(.success, asking: sure)): "prompt confirmIntent",
            .the(\.prompt?.dialog): "Sure?", .the(\.prompt?.summary): "499 EUR to Eve",
            .the(\.prompt?.parameter): "none", .answer(.accept): "handle", .handler(): "completed r: success success",
            .the(\.completion?.turns): "1",
        ],
        "what the resolver wants the person to be asked is asked, also if the confirmer does not ask": [
            .request(): "resolve", .resolver(asking: sure): "confirm",
            .either(.confirmer(.ready), .confirmer(.success)): "prompt confirmIntent", .the(\.prompt?.dialog): "Sure?",
            .the(\.prompt?.summary): "499 EUR to Eve", .answer(.accept): "handle",
            .or(.correct("party", "1")): "resolve", .resolver(): "confirm",
            // The newest values have no question of the resolver.
            .confirmer(): "handle",
        ],
        "if both ask, the person is asked once, with the confirmer's words and the resolver's summary": [
            .request(): "resolve", .resolver(asking: sure): "confirm",
            // The person is also asked before the app's workers handle the intent.
            .confirmer(.handleInApp): "prompt confirmIntent",
            .or(.confirmer(asking: ConfirmationRequest(dialog: "1 EUR to Mia?", summary: "1 EUR to Mia"))):
                "prompt confirmIntent",
            .the(\.prompt?.dialog): "1 EUR to Mia?", .the(\.prompt?.summary): "499 EUR to Eve",
            .answer(.accept): "handle",
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
            .or(.confirmer(asking: .plain) { $0.validFor = .seconds(30) }): "prompt confirmIntent",
            .passes(30.001): [], .answer(.accept): "confirm",
            .confirmer(asking: .plain) { $0.validFor = .seconds(30) }: "prompt confirmIntent",
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
            .confirmer(.handleInApp, activity: activity): ["offer background", "handle in app"],
            .the(\.handoffs): "none", .handler(): "completed r: success success",
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
        "a failure ends the request with its own code": [
            .at(.confirming): "confirm", .confirmer(.failure): "completed r: failure failure",
            .the(\.completion?.activity): "none", .the(\.handoffs): "none",
            .or(.confirmer("failureNoMatchingWorkout")): "completed r: failure failureNoMatchingWorkout",
        ],
        "a code of another phase fails the request and the operator is told why": [
            .at(.confirming): "confirm", .confirmer(.unspecified): "completed r: failure unspecified",
            .the(\.error): "unexpected", .or(.confirmer(.inProgress)): "completed r: failure failure",
            .the(\.error): "unexpected", .or(.confirmer("madeUp")): "completed r: failure failure",
            .the(\.error): "unexpected",
        ],
        "resolutions and progress are not valid outcomes of confirm, nor are a response code and progress of resolve": [
            .at(.confirming): "confirm", .either(.worker(.resolved), .progress(0.5)): "completed r: failure failure",
            .request("r2"): "resolve", .either(.worker(.success), .progress(0.5)): "completed r2: failure failure",
        ],
    ]

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { talk.play(dialogue) }

    @Test(arguments: [
        "failureRequiringAppLaunch", "failureRequiringAppLaunchNoServiceInArea",
        "failureRequiringInAppAuthentication", "failureAppConfigurationRequired",
    ])
    func `a failure that the app can fix also offers the activity, and the offer outlives the request`(_ code: String) {
        talk.play([
            .at(.confirming): "confirm",
            .confirmer(ResponseCode(rawValue: code), activity: Self.activity): [
                "offer foreground", "completed r: failure \(code)",
            ],
            .the(\.active): "none",
        ])
        #expect(talk.completion?.activity == Self.activity)
        #expect(talk.session.handoffs.map(\.activity) == [Self.activity])
    }
}
