import Conversation
import IntentEvents
import IntentKit
import PipelineTestKit
import Testing

/// The behaviours that implementations of SiriKit's life cycle most often get wrong, as whole conversations. The suites
/// leave out behaviours that other suites hold (1 to 3, 10, 14, and 17 to 19), that concern only Kafka's transactions (12)
/// or partitions (13), and the donation of interactions (15), which this pipeline does not have.
@Suite("The behaviours most often got wrong: 4 to 6, 11 and 16") struct LifecycleBehaviourTests {
    @Test(
        "4: handlers keep no state: with three workers of each role, killed between the phases, the result is the same")
    func noMemory() async throws {
        var talk = try await TestConversation.errand(
            ErrandHandler(confirms: { _, _ in .userConfirmationRequired() }), [:])
        for (generation, answer) in ["Kim", "yes"].enumerated() {
            for phase in Phase.allCases {
                for name in talk.pipeline.workers.keys.filter({ $0.hasPrefix(phase.rawValue) }) {
                    talk.pipeline.kill(name)
                }
                for number in 1...3 {
                    try talk.pipeline.startWorker("\(phase.rawValue)-\(generation)-\(number)", phase)
                }
            }
            try await talk.answer(answer)
        }
        #expect(try talk.steps == ["prompt value who", "prompt confirmIntent -", "completed success success"])
        #expect(try talk.last?.data["parameters"]?["who"]?["name"]?.string == "Kim")
    }

    @Test(
        "5: continueInApp, handleInApp and failureRequiringAppLaunch are three different things, at confirm and at handle",
        arguments: [Phase.confirm, .handle],
        [
            (ResponseCode.continueInApp, ["offer foreground"]),
            (.handleInApp, ["offer background", "completed success success"]),
            (.failureRequiringAppLaunch, ["offer foreground", "completed failure failureRequiringAppLaunch"]),
        ])
    func threeWaysIntoTheApp(_ phase: Phase, _ way: (code: ResponseCode, steps: [String])) async throws {
        let response = IntentResponse(way.code)
        var handler = ErrandHandler()
        if phase == .confirm { handler.confirms = { _, _ in ConfirmResponse(response) } }
        if phase == .handle {
            handler.handles = { _, context in context.isInApp ? .success : HandleResponse(response) }
        }
        #expect(try await TestConversation.errand(handler).steps == way.steps)
    }

    private struct StartCall: Intent {
        static let title: LocalizedText = "Start a call"
        static let continueInAppAtConfirm = ContinueInAppAtConfirm.isFailure
    }

    private struct StartCallHandler: IntentHandling {
        var confirms = ConfirmResponse.ready
        func confirm(_ call: StartCall, context: Context) async throws -> ConfirmResponse { confirms }
        func handle(_ call: StartCall, context: Context) async throws -> HandleResponse { .continueInApp() }
    }

    @Test(
        "5: continueInApp is a failure at confirm if the intent declares it, and never at handle",
        arguments: [
            (ConfirmResponse.continueInApp(), ["offer foreground", "completed failure failureRequiringAppLaunch"]),
            (.ready, ["offer foreground"]),
        ])
    func continueInAppTwice(_ confirms: ConfirmResponse, _ steps: [String]) async throws {
        #expect(try await TestConversation(about: StartCallHandler(confirms: confirms)).steps == steps)
    }

    @Test("6: without an activity there is one named after the intent, and a custom one has the interaction too")
    func activities() async throws {
        for (activity, type) in [(nil, "Errand"), (UserActivity(activityType: "com.example.own"), "com.example.own")] {
            let offered = try await TestConversation.errand { _, _ in .continueInApp(activity) }.last?.data["activity"]
            #expect(offered?["activityType"]?.string == type)
            #expect(offered?["interaction"]?["intent"]?.string == "Errand")
            #expect(offered?["interaction"]?["parameters"]?["who"]?["name"]?.string == "Kim")
        }
    }

    @Test
    func `11: attributes are the request's and never merged; memory is replaced, and deleted by name`() async throws {
        struct Tell: AppIntent {
            static let title: LocalizedText = "Tell"
            @Parameter(title: "City", default: .remembered, .memory(.session(as: "city"))) var city: String?
            static let parameters = Parameters<Self>(\.$city)
            func perform() async throws -> some IntentResult & ProvidesDialog {
                .result(dialog: "\(city ?? "-") \(context.attributes.keys.sorted().joined(separator: ","))")
            }
        }
        var talk = try await TestConversation(
            performing: Tell.self, ["city": "Bonn"], attributes: ["a": .number(1), "b": .number(2)])
        try await talk.request(Tell.self, ["city": "Cork"], attributes: ["b": .number(3)])
        try await talk.request(Tell.self)
        try await talk.send(.forgotten(Forgetting(keys: ["city"])))
        try await talk.request(Tell.self)
        #expect(try talk.completions.map(\.dialog) == ["Bonn a,b", "Cork b", "Cork ", "- "])
    }

    @Test func `16: an answer to a later phase has no effect while a parameter is unresolved`() async throws {
        var talk = try await TestConversation.errand(ErrandHandler(), [:])
        let work = try #require(try talk.dispatched(.resolve).last)
        for step in 0...2 {
            for phase in Phase.allCases {
                try await talk.report(.responded(phase == .handle ? .success : .ready), of: work) {
                    $0.phase = phase
                    $0.step += step
                }
            }
        }
        #expect(try talk.steps == ["prompt value who"] && talk.dispatched(.handle).isEmpty)
        try await talk.answer("Kim")
        #expect(try talk.steps.last == "completed success success")
    }
}
