import Conversation
import IntentEvents
import IntentKit
import PipelineTestKit
import Testing

struct WhereIsMyRide: Intent {
    static let title: LocalizedText = "Where is my ride?"
    @Parameter(title: "Ride") var rideIdentifier: String
    static let parameters = Parameters<Self>(\.$rideIdentifier)
}

/// A handler that sends the updates of the test.
struct RideFollower: IntentHandling, LiveUpdating {
    var sends: @Sendable (UpdateObserver, Context) async throws -> Void

    func handle(_ intent: WhereIsMyRide, context: Context) async throws -> HandleResponse { .success }
    func sendUpdates(for intent: WhereIsMyRide, to observer: UpdateObserver, context: Context) async throws {
        try await sends(observer, context)
    }
}

/// The behaviours that implementations of SiriKit's life cycle most often get wrong, as whole conversations. The suite
/// leaves out behaviours that other suites hold (1 to 3, 6, 7, 10, 14, and 16 to 19), that concern only Kafka's
/// transactions (12) or partitions (13), and the donation of interactions (15), which this pipeline does not have.
@Suite("The behaviours most often got wrong") struct LifecycleTests {
    private static let asking = ErrandHandler(confirms: { _, _ in .userConfirmationRequired() })

    @Test func `4: a conversation continues with other workers after each phase`() async throws {
        var talk = try await TestConversation.errand(Self.asking, [:])
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
        arguments: [Phase.confirm, .handle],
        [
            (ResponseCode.continueInApp, ["offer foreground"]),
            (.handleInApp, ["offer background", "completed success success"]),
            (.failureRequiringAppLaunch, ["offer foreground", "completed failure failureRequiringAppLaunch"]),
        ])
    func `5: each way into the app differs`(_ phase: Phase, _ way: (code: ResponseCode, steps: [String])) async throws {
        let response = IntentResponse(way.code)
        var handler = ErrandHandler()
        if phase == .confirm { handler.confirms = { _, _ in ConfirmResponse(response) } }
        if phase == .handle {
            handler.handles = { _, context in context.isInApp ? .success : HandleResponse(response) }
        }
        let talk = try await TestConversation.errand(handler)
        #expect(try talk.steps == way.steps)
        #expect(try talk.results.first?.data["token"] == nil, "no secret is configured")
    }

    @Test func `5: continueInApp at handle is never a failure, whatever is declared for confirm`() async throws {
        struct Call: Intent {
            static let title: LocalizedText = "Call"
            static let continueInAppAtConfirm = ContinueInAppAtConfirm.isFailure
        }
        struct CallHandler: IntentHandling {
            func handle(_ call: Call, context: Context) async throws -> HandleResponse { .continueInApp() }
        }
        #expect(try await TestConversation(about: CallHandler()).steps == ["offer foreground"])
    }

    // Only the list of options of live rides concerns every handler.
    @Test func `8: options are fetched again each time, and an answer needs only the identifier`() async throws {
        struct Rides: DynamicOptionsProvider {
            @Dependency var notebook: Recorder<String>
            func results() async throws -> [String] {
                notebook.record("fetched")
                return ["Bike", "Car"]
            }
        }
        struct Book: AppIntent {
            static let title: LocalizedText = "Book"
            @Parameter(title: "Ride", optionsProvider: Rides()) var ride: String
            static let parameters = Parameters<Self>(\.$ride)
            func perform() async throws -> some IntentResult & ProvidesDialog { .result(dialog: "\(ride)") }
        }
        let notebook = Recorder<String>()
        var talk = try await TestConversation(performing: Book.self) { $0.add(notebook) }
        try await talk.answer("Car")
        #expect(try talk.last?.dialog == "Car" && notebook.all.count == 2)
    }

    @Test(arguments: [
        ("it is not 'unknown'", RideFollower { observer, _ in observer.didUpdate(IntentUpdate(phase: "unknown")) }),
        ("completion status", RideFollower { observer, _ in observer.didUpdate(IntentUpdate(phase: "completed")) }),
        ("asked the person", RideFollower { _, context in try await context.requestConfirmation(dialog: "Really?") }),
    ])
    func `8: updates that break a rule end with the reason`(_ why: String, _ follower: RideFollower) async throws {
        var talk = try await TestConversation(about: follower, ["rideIdentifier": "R-1"])
        #expect(try talk.steps == ["completed success success"] && talk.last?.data["updates"]?.bool == true)
        try await talk.send(.updatesStarted(request: "r1"))
        #expect(try talk.steps.dropFirst() == ["no more updates: invalid"])
        #expect(try talk.last?.data["error"]?["message"]?.string?.contains(why) == true)
    }

    @Test func `9: a handler that is killed after its effect is called again with the same key`() async throws {
        let (gate, notebook) = (Gate(), Recorder<String>())
        let handler = ErrandHandler(handles: { _, context in
            notebook.record("\(context.idempotencyKey)")
            try await gate.pass()
            return .success
        })
        let talk = try await TestConversation(about: handler, ["who": "Kim"], gates: [gate])
        talk.pipeline.kill("handle")
        try talk.pipeline.startWorker("another", .handle)
        gate.open()
        try await talk.pipeline.settle()
        let work = try #require(try talk.dispatched(.handle).last?.item)
        #expect(try talk.steps == ["completed success success"])
        #expect(notebook.all == Array(repeating: "\(work.idempotencyKey)", count: 2))
    }

    @Test func `11: attributes belong to a request; memory is replaced, kept and deleted by name`() async throws {
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
        // The next owner has the session's memory from the journal.
        try await talk.pipeline.replaceCoordinator()
        try await talk.request(Tell.self)
        try await talk.send(.forgotten(Forgetting(keys: ["city"])))
        try await talk.request(Tell.self)
        #expect(try talk.completions.map(\.dialog) == ["Bonn a,b", "Cork b", "Cork ", "- "])
    }

    @Test func `20: events in the meantime do not give the person more time`() async throws {
        var talk = try await TestConversation.errand(Self.asking)
        try await talk.pipeline.advance(by: .seconds(100))
        try await talk.request(IntentRequest(id: "other", intent: "Errand", whenBusy: .reject))
        #expect(try talk.steps.count == 2)
        try await talk.pipeline.advance(by: .seconds(20))
        #expect(try talk.steps.last == "completed timedOut requestTimedOut")
    }
}
