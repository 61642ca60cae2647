import Conversation
import IntentEvents
import IntentKit
import PipelineTestKit
import Testing

private struct StartWorkout: Intent {
    static let title: LocalizedText = "Start a workout"
    static let confirmation: ConfirmationPolicy = .onlyIf { $0.isOpenEnded == true }
    @Parameter(title: "Workout", requestValueDialog: "Which workout?") var workoutName: String
    @Parameter(title: "Open-ended") var isOpenEnded: Bool?
    static let parameters = Parameters<Self>(\.$workoutName, \.$isOpenEnded)
    static var parameterSummary: some ParameterSummary { Summary("Start a \(\.$workoutName)") }
}

/// A stand-in for Core Location.
private struct LocationServices: Sendable { var locationServicesEnabled = true }

/// The handler of the article's listing.
private struct RunningApp: IntentHandling {
    @Dependency var locationManager: LocationServices
    var notebook = Recorder<String>()

    func confirm(startWorkout intent: StartWorkout) -> IntentResponse {
        var code: ResponseCode = .ready
        var activity: UserActivity?

        // If location services are not available, the user might need to change the type of workout.
        if !locationManager.locationServicesEnabled {
            code = .failureRequiringAppLaunch
            activity = UserActivity(
                activityType: "com.example.myRunningApp.noLocationAvailable",
                userInfo: ["screen": .string("permissions")])
        }
        return IntentResponse(code, userActivity: activity)
    }

    var resolution: some Resolution<StartWorkout> {
        Resolve(\.$workoutName) { name, _ in
            notebook.record("resolve")
            return name.map { .success($0) } ?? .needsValue()
        }
    }
    func confirm(_ intent: StartWorkout, context: Context) async throws -> ConfirmResponse {
        notebook.record("confirm")
        if intent.workoutName == "nap" { return .failure("failureNoMatchingWorkout") }
        return ConfirmResponse(confirm(startWorkout: intent))
    }
    func handle(_ intent: StartWorkout, context: Context) async throws -> HandleResponse {
        notebook.record("handle")
        return .success
    }
}

@Suite("Seed 001: the details of an intent are confirmed") struct Seed001Tests {
    private let app = RunningApp()

    private func requested(
        _ said: KeyValuePairs<String, String> = ["workoutName": "run"], located: Bool = true
    ) async throws -> TestConversation {
        let server = SingleHandlerExtension(handler: app) { $0.add(LocationServices(locationServicesEnabled: located)) }
        var talk = try await TestConversation(with: [server])
        try await talk.request(StartWorkout.self, said)
        return talk
    }

    @Test func `confirm comes after all parameters are resolved, and before the intent is handled`() async throws {
        var talk = try await requested([:])
        #expect(app.notebook.all == ["resolve"])
        try await talk.answer("run")
        #expect(app.notebook.all == ["resolve", "resolve", "confirm", "handle"])
    }

    @Test
    func `confirm is a last validation: if it fails, the person is told, and the intent is not handled`() async throws {
        let talk = try await requested(["workoutName": "nap"])
        #expect(try talk.steps == ["completed failure failureNoMatchingWorkout"])
        #expect(try talk.dispatched(.handle).isEmpty && app.notebook.all == ["resolve", "confirm"])
    }

    @Test("confirm verifies that services are available; if not, the app is launched with all of the activity's data")
    func services() async throws {
        let talk = try await requested(located: false)
        #expect(try talk.steps == ["offer foreground", "completed failure failureRequiringAppLaunch"])
        #expect(app.notebook.count("handle") == 0)
        let activity = try talk.results.first?.data["activity"]
        #expect(activity?["activityType"]?.string == "com.example.myRunningApp.noLocationAvailable")
        #expect(activity?["userInfo"]?["screen"]?.string == "permissions")
    }

    @Test func `a service that is temporarily unreachable is retried before the person is told`() async throws {
        struct Away: Error {}
        let notebook = Recorder<String>()
        let talk = try await TestConversation.errand(
            ErrandHandler(confirms: { _, context in
                notebook.record("confirm")
                if context.attempt == 1 { throw Away() }
                return .ready
            }))
        #expect(try talk.steps.isEmpty)
        try await talk.pipeline.advance(by: .seconds(1))
        #expect(try talk.steps == ["completed success success"] && notebook.all == ["confirm", "confirm"])
    }

    @Test func `the person may be asked to confirm the details, before anything is handled`() async throws {
        var talk = try await requested(["workoutName": "run", "isOpenEnded": "yes"])
        #expect(try talk.steps == ["prompt confirmIntent -"] && app.notebook.count("handle") == 0)
        #expect(try talk.prompt?.data["summary"]?.string == "Start a run")
        try await talk.answer("yes")
        #expect(try talk.steps.last == "completed success success")
    }

    @Test(
        "the response says how the request will be handled",
        arguments: [
            (ConfirmResponse.ready, ["completed success success"]), (.success, ["completed success success"]),
            (.userConfirmationRequired(), ["prompt confirmIntent -"]), (.failure(), ["completed failure failure"]),
        ])
    func response(_ response: ConfirmResponse, _ steps: [String]) async throws {
        #expect(try await TestConversation.errand(ErrandHandler(confirms: { _, _ in response })).steps == steps)
    }

    @Test("an app that takes over at confirm knows from the activity what to show, and completes the intent")
    func appGoesOn() async throws {
        let activity = UserActivity(activityType: "com.example.map", userInfo: ["zoom": .number(7)])
        var talk = try await TestConversation.errand(
            ErrandHandler(confirms: { _, _ in .continueInApp(activity) }, handles: { _, _ in .failure() }))
        #expect(try talk.last?.data["activity"]?["userInfo"]?["zoom"]?.int == 7)
        try await talk.completeHandoff()
        #expect(try talk.steps == ["offer foreground", "claimed phone", "completed success success"])
    }
}
