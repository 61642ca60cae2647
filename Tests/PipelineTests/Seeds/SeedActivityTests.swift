import Conversation
import IntentEvents
import IntentKit
import PipelineTestKit
import Synchronization
import Testing

private struct Workout: Intent {
    static let title: LocalizedText = "Start a workout"
    @Parameter(title: "Workout", requestValueDialog: "Which workout?") var name: String
    @Parameter(title: "Pin", .sensitivity(.secret)) var pin: Int?
    static let parameters = Parameters<Self>(\.$name, \.$pin)
    static var parameterSummary: some ParameterSummary { Summary("Start a \(\.$name)") }
}

private struct WorkoutHandler: IntentHandling {
    var confirms: ConfirmResponse
    var handles: HandleResponse

    func confirm(_ workout: Workout, context: Context) async throws -> ConfirmResponse { confirms }
    func handle(_ workout: Workout, context: Context) async throws -> HandleResponse { handles }
}

/// Counts the runs of a handler.
private final class Runs: Sendable {
    private let count = Mutex(0)
    var isFirst: Bool {
        count.withLock {
            $0 += 1; return $0 == 1
        }
    }
}

/// A handler whose handle opens the app.
private struct ScriptedWorkout: IntentHandling {
    let confirms: @Sendable () -> ConfirmResponse

    func confirm(_ workout: Workout, context: Context) async throws -> ConfirmResponse { confirms() }
    func handle(_ workout: Workout, context: Context) async throws -> HandleResponse { .continueInApp() }
}

@Suite("Seed 001: the activity that confirm gave reaches the app, whatever opens it") struct SeedActivityTests {
    private static let activity: UserActivity = {
        var activity = UserActivity(
            activityType: "com.example.myRunningApp.run", title: "Run", userInfo: ["route": "park"])
        activity.webpageURL = "https://example.com/run"
        return activity
    }()

    private func started(_ handler: WorkoutHandler) async throws -> TestConversation {
        try await TestConversation(about: handler, ["name": "run", "pin": "1234"])
    }

    private func isGiven(_ result: ReceivedResult?) -> Bool {
        let activity = result?.data["activity"]
        return activity?["activityType"]?.string == "com.example.myRunningApp.run"
            && activity?["title"]?.string == "Run"
            && activity?["userInfo"]?["route"]?.string == "park"
            && activity?["webpageURL"]?.string == "https://example.com/run"
    }

    @Test(
        "when handle opens the app without one",
        arguments: [
            (HandleResponse.continueInApp(), ["offer foreground"]),
            (
                .failure(.failureRequiringAppLaunch),
                ["offer foreground", "completed failure failureRequiringAppLaunch"]
            ),
        ])
    func handleOpens(_ response: HandleResponse, _ steps: [String]) async throws {
        let talk = try await started(
            WorkoutHandler(confirms: .ready(activity: Self.activity), handles: response))
        #expect(try talk.steps == steps)
        for result in try talk.results { #expect(isGiven(result), "\(result.line)") }
    }

    @Test func `when the person was asked to confirm in between`() async throws {
        var talk = try await started(
            WorkoutHandler(
                confirms: .userConfirmationRequired(activity: Self.activity),
                handles: .continueInApp()))
        try await talk.say("yes")
        #expect(try talk.steps == ["prompt confirmIntent -", "answer.read.v1", "offer foreground"])
        #expect(isGiven(try talk.last))
    }

    @Test func `but not if the person has changed the values since`() async throws {
        let runs = Runs()
        let server = SingleHandlerExtension(
            handler: ScriptedWorkout {
                return runs.isFirst
                    ? .userConfirmationRequired(activity: Self.activity) : .userConfirmationRequired()
            })
        var talk = try await TestConversation(with: [server])
        try await talk.request(Workout.self, ["name": "run"])
        let other = [ParameterState(name: "name", value: "swim")]
        let prompt = try #require(try talk.prompt?.prompt)
        try await talk.send(.answered(Answer(prompt: prompt, action: .decline, parameters: other)))
        try await talk.say("yes")
        let activity = try talk.last?.data["activity"]
        #expect(activity?["activityType"]?.string == "Workout" && activity?["userInfo"]?["name"]?.string == "swim")
    }

    @Test func `handle's own activity comes before confirm's`() async throws {
        let other = UserActivity(activityType: "com.example.other")
        let talk = try await started(
            WorkoutHandler(
                confirms: .ready(activity: Self.activity), handles: .continueInApp(other)))
        #expect(try talk.last?.data["activity"]?["activityType"]?.string == "com.example.other")
    }

    @Test func `without any activity the app gets the intent's name and its values, but no secret`() async throws {
        let talk = try await started(WorkoutHandler(confirms: .ready, handles: .continueInApp()))
        let activity = try talk.last?.data["activity"]
        #expect(activity?["activityType"]?.string == "Workout")
        #expect(activity?["userInfo"]?["name"]?.string == "run" && activity?["userInfo"]?["pin"] == nil)
    }

    @Test func `a failure at confirm tells the person why`() async throws {
        let talk = try await started(
            WorkoutHandler(
                confirms: .failure("failureNoMatchingWorkout", dialog: "There is no such workout."),
                handles: .success))
        #expect(try talk.lines == ["failure failureNoMatchingWorkout: There is no such workout."])
    }
}
