import Conversation
import IntentEvents
import IntentKit
import PipelineTestKit
import Testing

private struct StartCall: Intent {
    static let title: LocalizedText = "Start a call"
    static let continueInAppAtConfirm = ContinueInAppAtConfirm.isFailure
}

private struct StartCallHandler: IntentHandling {
    var confirms = ConfirmResponse.ready
    func confirm(_ call: StartCall, context: Context) async throws -> ConfirmResponse { confirms }
    func handle(_ call: StartCall, context: Context) async throws -> HandleResponse { .continueInApp() }
}

/// The behaviours that implementations of SiriKit's life cycle most often get wrong, as whole conversations. The suite
/// leaves out behaviours that concern only Kafka's transactions (12) or partitions (13), and the donation of
/// interactions (15), which this pipeline does not have.
@Suite("The behaviours most often got wrong: 1 to 10")
struct LifecycleBehaviourTests {
    // MARK: 1

    @Test("1: success at confirm means ready: the person is still asked, and the intent is handled once")
    func successAtConfirm() async throws {
        struct Cautious: Intent {
            static let title: LocalizedText = "Cautious"
            static let confirmation: ConfirmationPolicy = .always
        }
        struct Handler: IntentHandling {
            func confirm(_ intent: Cautious, context: Context) async throws -> ConfirmResponse { .success }
            func handle(_ intent: Cautious, context: Context) async throws -> HandleResponse { .success }
        }
        let talk = try await Dialogue(SingleHandlerExtension(handler: Handler()))
        try await talk.request(Cautious.self)
        #expect(try talk.lines() == ["prompt confirmIntent -"])
        try await talk.yes()
        #expect(try talk.lines().last == "completed success success" && talk.work(.handle).count == 1)
    }

    @Test("1: a code of another phase is an error", arguments: [IntentResponse.ready, .userConfirmationRequired()])
    func wrongPhase(_ response: IntentResponse) async throws {
        let talk = try await Dialogue.errand(ErrandHandler(handles: { _, _ in HandleResponse(response) }))
        #expect(try talk.lines() == ["completed failure failure"])
        #expect(try talk.last()?.data["error"]?["reason"]?.string == "unexpected")
    }

    // MARK: 2

    @Test("2: an unsupported value is dropped and asked for again with the reason, and never reaches confirm")
    func unsupported() async throws {
        let handler = SendPaymentHandler(contacts: [SendPaymentHandler.johns[0]])
        let talk = try await Dialogue(SingleHandlerExtension(handler: handler))
        try await talk.request(SendPayment.self, ["payee": "John", "currencyAmount": "20 CAD"])
        try await talk.say("20 EUR")
        #expect(handler.notebook.count("amount") == 2)
        #expect(handler.notebook.all.filter { $0.hasPrefix("confirm") } == ["confirm j1 €20.00"])
    }

    // MARK: 3

    private let kims = [
        Person(displayName: "Kim", customIdentifier: "k1"), Person(displayName: "Kim", customIdentifier: "k2"),
    ]

    @Test("3: after a choice the handler's Resolve gets the enriched value")
    func enriched() async throws {
        let handler = ErrandHandler(who: { [kims] in $0?.customIdentifier == nil ? .disambiguation(kims) : .success($0!)
        })
        let talk = try await Dialogue.errand(handler)
        try await talk.choose("k2")
        #expect(handler.notebook.all == ["who Kim", "note", "who k2"])
        #expect(try talk.lines() == ["prompt choice who", "completed success success"])
    }

    @Test("3: a Resolve that always requires confirmation of the same value gets it once")
    func confirmedOnce() async throws {
        let talk = try await Dialogue.errand(ErrandHandler(who: { [kims] _ in .confirmationRequired(kims[0]) }))
        try await talk.yes()
        #expect(try talk.lines() == ["prompt confirmValue who", "completed success success"])
    }

    @Test("3: declining clears the value and asks for another")
    func declinedValue() async throws {
        let handler = ErrandHandler(who: { [kims] in
            switch $0?.displayName {
            case nil: .needsValue()
            case "Kim": .confirmationRequired(kims[0])
            default: .success($0!)
            }
        })
        let talk = try await Dialogue.errand(handler)
        try await talk.no()
        try await talk.say("Lee")
        #expect(try talk.lines() == ["prompt confirmValue who", "prompt value who", "completed success success"])
        #expect(handler.notebook.all.contains("who nothing"))
    }

    // MARK: 4

    @Test(
        "4: handlers keep no state: with three workers of each role, killed between the phases, the result is the same")
    func noMemory() async throws {
        let talk = try await Dialogue.errand(ErrandHandler(confirms: { _, _ in .userConfirmationRequired() }), [:])
        func replace(_ generation: Int) throws {
            for phase in Phase.allCases {
                for name in talk.pipeline.workers.keys.filter({ $0.hasPrefix(phase.rawValue) }) {
                    talk.pipeline.kill(name)
                }
                for number in 1...3 {
                    try talk.pipeline.startWorker("\(phase.rawValue)-\(generation)-\(number)", phase)
                }
            }
        }
        try replace(1)
        try await talk.say("Kim")
        try replace(2)
        try await talk.yes()
        #expect(try talk.lines() == ["prompt value who", "prompt confirmIntent -", "completed success success"])
        #expect(try talk.last()?.data["parameters"]?["who"]?["name"]?.string == "Kim")
    }

    // MARK: 5

    @Test(
        "5: continueInApp, handleInApp and failureRequiringAppLaunch are three different things, at confirm and at handle",
        arguments: [Phase.confirm, .handle])
    func threeWaysIntoTheApp(_ phase: Phase) async throws {
        let expected: [(ResponseCode, [String])] = [
            (.continueInApp, ["offer foreground"]), (.handleInApp, ["offer background", "completed success success"]),
            (.failureRequiringAppLaunch, ["offer foreground", "completed failure failureRequiringAppLaunch"]),
        ]
        for (code, lines) in expected {
            var handler = ErrandHandler()
            if phase == .confirm { handler.confirms = { _, _ in ConfirmResponse(IntentResponse(code)) } }
            if phase == .handle {
                handler.handles = { _, context in context.isInApp ? .success : HandleResponse(IntentResponse(code)) }
            }
            #expect(try await Dialogue.errand(handler).lines() == lines)
        }
    }

    @Test("5: continueInApp is a failure at confirm if the intent declares it, and never at handle")
    func continueInAppTwice() async throws {
        let lines = try await [ConfirmResponse.continueInApp(), .ready].asyncMap { confirms in
            let talk = try await Dialogue(SingleHandlerExtension(handler: StartCallHandler(confirms: confirms)))
            try await talk.request(StartCall.self)
            return try talk.lines()
        }
        #expect(lines == [["offer foreground", "completed failure failureRequiringAppLaunch"], ["offer foreground"]])
    }

    // MARK: 6

    @Test("6: without an activity there is one named after the intent, and a custom one has the interaction too")
    func activities() async throws {
        for (activity, type) in [(nil, "Errand"), (UserActivity(activityType: "com.example.own"), "com.example.own")] {
            let talk = try await Dialogue.errand(ErrandHandler(handles: { _, _ in .continueInApp(activity) }))
            let offered = try talk.last()?.data["activity"]
            #expect(offered?["activityType"]?.string == type)
            #expect(offered?["interaction"]?["intent"]?.string == "Errand")
            #expect(offered?["interaction"]?["parameters"]?["who"]?["name"]?.string == "Kim")
        }
    }

    @Test("6: an activity that is too large is an error, and one that fits keeps every key")
    func activitySize() async throws {
        func offer(_ bytes: Int) async throws -> Dialogue {
            let text = String(repeating: "x", count: bytes)
            let activity = UserActivity(activityType: "a", userInfo: ["key": .string("k"), "text": .string(text)])
            return try await Dialogue.errand(ErrandHandler(handles: { _, _ in .continueInApp(activity) }))
        }
        #expect(try await offer(UserActivity.maximumUserInfoBytes).lines() == ["completed failure failure"])
        let info = try await offer(1_000).last()?.data["activity"]?["userInfo"]
        #expect(info?["key"]?.string == "k" && info?["text"]?.string?.count == 1_000)
    }
}

extension Array {
    func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
