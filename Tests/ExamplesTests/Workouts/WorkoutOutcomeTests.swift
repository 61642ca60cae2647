import IntentModel
import PipelineTestKit
import SampleDomains
import Testing

@Suite("Starting, pausing, resuming, ending and cancelling a workout")
struct WorkoutOutcomeTests {
    private func confirm(
        _ workouts: WorkoutsFixture, location: String = "outdoor", goal: (Double, String)? = nil,
        attributes: [String: JSON] = [:]
    ) async throws -> IntentResponse {
        var parameters: [String: JSON] = ["workoutName": .string("run"), "workoutLocationType": .string(location)]
        if let goal {
            parameters["goalValue"] = .number(goal.0)
            parameters["goalUnitType"] = .string(goal.1)
        }
        let states = parameters.map { ParameterState(name: $0, value: $1, origin: .resolved) }
        return try await workouts.registry.respond(.confirm, "StartWorkout", states, attributes: attributes)
    }

    @Test("an outdoor workout needs location services, and the app gets an activity")
    func locationServices() async throws {
        let workouts = try WorkoutsFixture(locationServices: LocationServices(isRunning: false))
        let outside = try await confirm(workouts)
        #expect(outside.code == .failureRequiringAppLaunch)
        #expect(outside.userActivity?.activityType == "com.example.myRunningApp.noLocationAvailable")
        #expect(try await confirm(workouts, location: "indoor").code == .ready)
        #expect(try await confirm(WorkoutsFixture()).code == .ready)
        #expect(
            try await confirm(WorkoutsFixture(), attributes: ["locationServices": .string("off")]).code
                == .failureRequiringAppLaunch)
    }

    @Test("a goal beyond the longest workout fails")
    func tooLong() async throws {
        let response = try await confirm(WorkoutsFixture(), goal: (63, "mile"))
        #expect(response.code == .failureNoMatchingWorkout)
        #expect(response.dialog == "There is no Run as long as 63 miles.")
        #expect(try await confirm(WorkoutsFixture(), goal: (62, "mile")).code == .ready)
    }

    @Test("the app's own workers start it, with or without a goal")
    func start() async throws {
        let workouts = try WorkoutsFixture()
        let parameters: KeyValuePairs<String, JSON> = [
            "workoutName": .string("run"), "goalValue": .number(5), "goalUnitType": .string("mile"),
            "workoutLocationType": .string("outdoor"),
        ]
        #expect(
            try await workouts.registry.respond(.handle, "StartWorkout", .resolved(parameters)).code == .handleInApp)
        let started = try await workouts.registry.respond(.handle, "StartWorkout", .resolved(parameters), isInApp: true)
        #expect(started.code == .success)
        #expect(started.dialog == "Run started: 5 miles to go.")
        #expect(started.values["goalUnitType"] == .string("mile"))
        #expect(started.values["isOpenEnded"] == .bool(false))
    }

    @Test("a goal that is not required is left out at the start")
    func withoutGoal() async throws {
        let states = [
            ParameterState(name: "workoutName", value: .string("yoga"), origin: .resolved),
            ParameterState(name: "goalValue", value: .number(5), origin: .notRequired),
            ParameterState(name: "goalUnitType", value: .string("mile"), origin: .notRequired),
        ]
        let response = try await WorkoutsFixture().registry.respond(.handle, "StartWorkout", states, isInApp: true)
        #expect(response.dialog == "Yoga started.")
        #expect(response.values["isOpenEnded"] == .bool(true))
    }

    @Test("a second workout is refused at confirm and at handle")
    func ongoing() async throws {
        let workouts = try WorkoutsFixture()
        try await workouts.start()
        #expect(try await confirm(workouts).code == .failureOngoingWorkout)
        #expect(try await workouts.start("yoga", idempotencyKey: "other").code == .failureOngoingWorkout)
    }

    @Test("it is paused, resumed and ended, each only in the right state")
    func lifecycle() async throws {
        let workouts = try WorkoutsFixture()
        try await workouts.start()
        #expect(try await workouts.registry.respond(.confirm, "ResumeWorkout").code == .failureNoMatchingWorkout)
        #expect(
            try await workouts.registry.respond(.handle, "PauseWorkout", idempotencyKey: "1").dialog
                == "Your Run is paused.")
        #expect(try await workouts.registry.respond(.confirm, "PauseWorkout").code == .failureNoMatchingWorkout)
        #expect(
            try await workouts.registry.respond(.handle, "ResumeWorkout", idempotencyKey: "2").dialog
                == "Your Run goes on.")
        #expect(
            try await workouts.registry.respond(.handle, "EndWorkout", idempotencyKey: "3").values["state"]
                == .string("ended"))
        for intent in ["PauseWorkout", "ResumeWorkout", "EndWorkout", "CancelWorkout"] {
            #expect(
                try await workouts.registry.respond(.confirm, intent).code == .failureNoMatchingWorkout, "\(intent)")
        }
        #expect(try await workouts.start("yoga", idempotencyKey: "4").code == .success)
    }

    @Test("a named workout must be the one under way")
    func named() async throws {
        let workouts = try WorkoutsFixture()
        try await workouts.start("swim")
        #expect(
            try await workouts.registry.respond(.confirm, "PauseWorkout", .resolved(["workoutName": .string("run")]))
                .code
                == .failureNoMatchingWorkout)
        #expect(
            try await workouts.registry.respond(.confirm, "PauseWorkout", .resolved(["workoutName": .string("swim")]))
                .code == .ready)
    }

    @Test("cancelling requires a confirmation, and is possible while it is paused")
    func cancelling() async throws {
        let workouts = try WorkoutsFixture()
        try await workouts.start()
        _ = try await workouts.registry.respond(.handle, "PauseWorkout", idempotencyKey: "1")
        let confirmed = await workouts.registry.perform(.confirm, "CancelWorkout")
        #expect(confirmed.confirmation?.dialog == "Your Run will be thrown away. Cancel it?")
        #expect(
            try await workouts.registry.respond(.handle, "CancelWorkout", idempotencyKey: "2").values["state"]
                == .string("cancelled"))
    }

    @Test("a change that is repeated with the same key is made once, with the same response")
    func repeated() async throws {
        let workouts = try WorkoutsFixture()
        #expect(try await workouts.start() == workouts.start())
        let first = try await workouts.registry.respond(.handle, "PauseWorkout", idempotencyKey: "1")
        #expect(try await workouts.registry.respond(.handle, "PauseWorkout", idempotencyKey: "1") == first)
        #expect(
            try await workouts.registry.respond(.handle, "PauseWorkout", idempotencyKey: "2").code
                == .failureNoMatchingWorkout)
        _ = try await workouts.registry.respond(.handle, "ResumeWorkout", idempotencyKey: "3")
        #expect(try await workouts.registry.respond(.handle, "PauseWorkout", idempotencyKey: "1") == first)
        #expect(try await workouts.registry.respond(.confirm, "ResumeWorkout").code == .failureNoMatchingWorkout)
    }

    @Test("each person has their own workout, in any session")
    func people() async throws {
        let workouts = try WorkoutsFixture()
        try await workouts.start(attributes: ["person": .string("nora")])
        #expect(try await workouts.registry.respond(.confirm, "PauseWorkout").code == .failureNoMatchingWorkout)
        #expect(
            try await workouts.registry.respond(.confirm, "PauseWorkout", attributes: ["person": .string("nora")]).code
                == .ready)
    }
}
