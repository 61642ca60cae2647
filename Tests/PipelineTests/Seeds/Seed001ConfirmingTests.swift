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
    var custom = true
    var notebook = Recorder<String>()

    func confirm(startWorkout intent: StartWorkout) -> IntentResponse {
        var code: ResponseCode = .ready
        var activity: UserActivity?

        // If location services are not available, the user might need to change the type of workout.
        if !locationManager.locationServicesEnabled {
            code = .failureRequiringAppLaunch
            if custom {
                activity = UserActivity(
                    activityType: "com.example.myRunningApp.noLocationAvailable",
                    userInfo: ["screen": .string("permissions")])
            }
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

@Suite("Seed 001: the details of an intent are confirmed")
struct Seed001ConfirmingTests {
    private func serving(_ app: RunningApp, located: Bool = true) -> SingleHandlerExtension<RunningApp> {
        SingleHandlerExtension(handler: app) { $0.add(LocationServices(locationServicesEnabled: located)) }
    }

    private func confirmed(_ app: RunningApp = RunningApp(), located: Bool = true) async throws -> IntentResponse? {
        try await serving(app, located: located).perform(.confirm, StartWorkout.self, [.said("workoutName", "run")])
            .response
    }

    @Test("confirm comes after all parameters are resolved, and before the intent is handled")
    func order() async throws {
        let app = RunningApp()
        let talk = try await Dialogue(serving(app))
        try await talk.request(StartWorkout.self)
        #expect(app.notebook.all == ["resolve"])
        try await talk.say("run")
        #expect(app.notebook.all == ["resolve", "resolve", "confirm", "handle"])
    }

    @Test("a handler may confirm: one that does not is ready, and its intent is handled; one that does decides")
    func mayConfirm() async throws {
        let ready = try await Dialogue(SingleHandlerExtension(handler: LastMinute()))
        try await ready.request(RequestRide.self, ["dropOffLocation": "Airport"])
        #expect(try ready.work(.confirm).count == 1 && ready.work(.handle).count == 1)
        #expect(try ready.lines() == ["completed success success"])
        let unready = try await Dialogue(SingleHandlerExtension(handler: TooLate()))
        try await unready.request(RequestRide.self, ["dropOffLocation": "Airport"])
        #expect(try unready.work(.handle).isEmpty && unready.lines() == ["completed failure failureTooLate"])
    }

    private struct TooLate: IntentHandling {
        func confirm(_ ride: RequestRide, context: Context) async throws -> ConfirmResponse {
            .failure("failureTooLate")
        }
        func handle(_ ride: RequestRide, context: Context) async throws -> HandleResponse { .success }
    }

    private struct LastMinute: IntentHandling {
        func handle(_ ride: RequestRide, context: Context) async throws -> HandleResponse { .success }
    }

    @Test("confirm is a last validation: if it fails, the person is told, and the intent is not handled")
    func finalValidation() async throws {
        let app = RunningApp()
        let talk = try await Dialogue(serving(app))
        try await talk.request(StartWorkout.self, ["workoutName": "nap"])
        #expect(try talk.lines() == ["completed failure failureNoMatchingWorkout"])
        #expect(app.notebook.all == ["resolve", "confirm"])
    }

    @Test("confirm verifies that the services that the handler needs are available")
    func services() async throws {
        let app = RunningApp()
        let talk = try await Dialogue(serving(app, located: false))
        try await talk.request(StartWorkout.self, ["workoutName": "run"])
        #expect(try talk.lines() == ["offer foreground", "completed failure failureRequiringAppLaunch"])
        #expect(app.notebook.count("handle") == 0)
    }

    @Test("a service that is temporarily unreachable is retried before the person is told")
    func serverAway() async throws {
        struct Away: Error {}
        struct Unreliable: IntentHandling {
            let notebook = Recorder<String>()
            func confirm(_ ride: RequestRide, context: Context) async throws -> ConfirmResponse {
                notebook.record("confirm")
                if context.attempt == 1 { throw Away() }
                return .ready
            }
            func handle(_ ride: RequestRide, context: Context) async throws -> HandleResponse { .success }
        }
        let handler = Unreliable()
        let talk = try await Dialogue(SingleHandlerExtension(handler: handler))
        try await talk.request(RequestRide.self, ["dropOffLocation": "Airport"])
        #expect(try talk.lines().isEmpty)
        try await talk.pipeline.advance(by: .seconds(1))
        #expect(try talk.lines() == ["completed success success"] && handler.notebook.all == ["confirm", "confirm"])
    }

    @Test("the person may be asked to confirm the details, before anything is handled")
    func personConfirms() async throws {
        let app = RunningApp()
        let talk = try await Dialogue(serving(app))
        try await talk.request(StartWorkout.self, ["workoutName": "run", "isOpenEnded": "yes"])
        #expect(try talk.lines() == ["prompt confirmIntent -"] && app.notebook.count("handle") == 0)
        #expect(try talk.prompt()?.data["summary"]?.string == "Start a run")
        try await talk.yes()
        #expect(try talk.lines().last == "completed success success")
    }

    // MARK: The listing: confirm(startWorkout:)

    @Test("the response is ready when the app is ready to start the workout")
    func ready() async throws {
        #expect(try await confirmed() == .ready)
    }

    @Test("the response is a failure code, with an activity, when location services are not available")
    func noLocation() async throws {
        let response = try await confirmed(located: false)
        #expect(response?.code == .failureRequiringAppLaunch)
        #expect(response?.userActivity?.activityType == "com.example.myRunningApp.noLocationAvailable")
    }

    @Test(
        "the response says how the request will be handled",
        arguments: [
            (ConfirmResponse.ready, ["completed success success"]), (.success, ["completed success success"]),
            (.userConfirmationRequired(), ["prompt confirmIntent -"]), (.failure(), ["completed failure failure"]),
            (.continueInApp(), ["offer foreground"]),
            (.handleInApp, ["offer background", "completed success success"]),
        ])
    func response(_ response: ConfirmResponse, _ lines: [String]) async throws {
        struct Answering: IntentHandling {
            let response: ConfirmResponse
            func confirm(_ ride: RequestRide, context: Context) async throws -> ConfirmResponse { response }
            func handle(_ ride: RequestRide, context: Context) async throws -> HandleResponse { .success }
        }
        let talk = try await Dialogue(SingleHandlerExtension(handler: Answering(response: response)))
        try await talk.request(RequestRide.self, ["dropOffLocation": "Airport"])
        #expect(try talk.lines() == lines)
    }

    // MARK: The user activity

    @Test("without a custom activity the app gets the intent's default activity")
    func defaultActivity() async throws {
        let response = try await confirmed(RunningApp(custom: false), located: false)
        #expect(
            response?.userActivity
                == UserActivity(activityType: "StartWorkout", userInfo: ["workoutName": .string("run")]))
    }

    @Test("when the app has to be launched, it gets the response's activity with all of its data")
    func launched() async throws {
        let talk = try await Dialogue(serving(RunningApp(), located: false))
        try await talk.request(StartWorkout.self, ["workoutName": "run"])
        let offer = try #require(try talk.pipeline.results().first)
        #expect(offer.data["activity"]?["activityType"]?.string == "com.example.myRunningApp.noLocationAvailable")
        #expect(offer.data["activity"]?["userInfo"]?["screen"]?.string == "permissions")
    }

    @Test("an app that takes over at confirm knows from the activity what to show, and completes the intent")
    func appGoesOn() async throws {
        struct SendingOn: IntentHandling {
            func confirm(_ ride: RequestRide, context: Context) async throws -> ConfirmResponse {
                .continueInApp(UserActivity(activityType: "com.example.map", userInfo: ["zoom": .number(7)]))
            }
            func handle(_ ride: RequestRide, context: Context) async throws -> HandleResponse { .failure() }
        }
        let talk = try await Dialogue(SingleHandlerExtension(handler: SendingOn()))
        try await talk.request(RequestRide.self, ["dropOffLocation": "Airport"])
        let offer = try #require(try talk.last())
        #expect(offer.data["activity"]?["userInfo"]?["zoom"]?.int == 7)
        let handoff = try #require(offer.offeredHandoff)
        try await talk.send(.handoffClaimed(handoff: Identifier(handoff.text), claimant: "phone"))
        try await talk.send(.handoffCompleted(handoff: Identifier(handoff.text), claimant: "phone", response: .success))
        #expect(try talk.lines() == ["offer foreground", "claimed phone", "completed success success"])
    }
}
