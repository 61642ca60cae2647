import IntentModel
import Testing
import Workouts

@Suite("Starting, pausing, resuming, ending and cancelling a workout")
struct WorkoutOutcomeTests {
    private func confirm(
        _ gym: Gym, location: String = "outdoor", goal: (Double, String)? = nil, attributes: [String: JSON] = [:]
    ) async -> IntentResponse? {
        var parameters: [String: JSON] = ["workoutName": .string("run"), "workoutLocationType": .string(location)]
        if let goal {
            parameters["goalValue"] = .number(goal.0)
            parameters["goalUnitType"] = .string(goal.1)
        }
        let states = parameters.map { ParameterState(name: $0, value: $1, origin: .resolved) }
        let outcome = await gym.perform(.confirm, "StartWorkout", states, attributes: attributes)
        guard case .responded(let response, _) = outcome else { return nil }
        return response
    }

    @Test("an outdoor workout needs location services, and the app gets an activity")
    func locationServices() async throws {
        let gym = try Gym(locationServices: LocationServices(isRunning: false))
        let outside = await confirm(gym)
        #expect(outside?.code == .failureRequiringAppLaunch)
        #expect(outside?.userActivity?.activityType == "com.example.myRunningApp.noLocationAvailable")
        #expect(await confirm(gym, location: "indoor")?.code == .ready)
        #expect(try await confirm(Gym())?.code == .ready)
        #expect(try await confirm(Gym(), attributes: ["locationServices": .string("off")])?.code == .failureRequiringAppLaunch)
    }

    @Test("a goal beyond the longest workout fails")
    func tooLong() async throws {
        let response = try await confirm(Gym(), goal: (63, "mile"))
        #expect(response?.code == .failureNoMatchingWorkout)
        #expect(response?.dialog == "There is no Run as long as 63 miles.")
        #expect(try await confirm(Gym(), goal: (62, "mile"))?.code == .ready)
    }

    @Test("the app's own workers start it, with or without a goal")
    func start() async throws {
        let gym = try Gym()
        let parameters: KeyValuePairs<String, JSON> = [
            "workoutName": .string("run"), "goalValue": .number(5), "goalUnitType": .string("mile"),
            "workoutLocationType": .string("outdoor"),
        ]
        #expect(await gym.respond(.handle, "StartWorkout", parameters)?.code == .handleInApp)
        let started = await gym.respond(.handle, "StartWorkout", parameters, isInApp: true)
        #expect(started?.code == .success)
        #expect(started?.dialog == "Run started: 5 miles to go.")
        #expect(started?.values["goalUnitType"] == .string("mile"))
        #expect(started?.values["isOpenEnded"] == .bool(false))
    }

    @Test("a goal that is not required is left out at the start")
    func withoutGoal() async throws {
        let states = [
            ParameterState(name: "workoutName", value: .string("yoga"), origin: .resolved),
            ParameterState(name: "goalValue", value: .number(5), origin: .notRequired),
            ParameterState(name: "goalUnitType", value: .string("mile"), origin: .notRequired),
        ]
        let outcome = try await Gym().perform(.handle, "StartWorkout", states, isInApp: true)
        guard case .responded(let response, _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(response.dialog == "Yoga started.")
        #expect(response.values["isOpenEnded"] == .bool(true))
    }

    @Test("a second workout is refused at confirm and at handle")
    func ongoing() async throws {
        let gym = try Gym()
        await gym.start()
        #expect(await confirm(gym)?.code == .failureOngoingWorkout)
        #expect(await gym.start("yoga", key: "other")?.code == .failureOngoingWorkout)
    }

    @Test("it is paused, resumed and ended, each only in the right state")
    func lifecycle() async throws {
        let gym = try Gym()
        await gym.start()
        #expect(await gym.respond(.confirm, "ResumeWorkout")?.code == .failureNoMatchingWorkout)
        #expect(await gym.respond(.handle, "PauseWorkout", key: "1")?.dialog == "Your Run is paused.")
        #expect(await gym.respond(.confirm, "PauseWorkout")?.code == .failureNoMatchingWorkout)
        #expect(await gym.respond(.handle, "ResumeWorkout", key: "2")?.dialog == "Your Run goes on.")
        #expect(await gym.respond(.handle, "EndWorkout", key: "3")?.values["state"] == .string("ended"))
        for intent in ["PauseWorkout", "ResumeWorkout", "EndWorkout", "CancelWorkout"] {
            #expect(await gym.respond(.confirm, intent)?.code == .failureNoMatchingWorkout, "\(intent)")
        }
        #expect(await gym.start("yoga", key: "4")?.code == .success)
    }

    @Test("a named workout must be the one under way")
    func named() async throws {
        let gym = try Gym()
        await gym.start("swim")
        #expect(await gym.respond(.confirm, "PauseWorkout", ["workoutName": .string("run")])?.code == .failureNoMatchingWorkout)
        #expect(await gym.respond(.confirm, "PauseWorkout", ["workoutName": .string("swim")])?.code == .ready)
    }

    @Test("cancelling requires a confirmation, and is possible while it is paused")
    func cancelling() async throws {
        let gym = try Gym()
        await gym.start()
        _ = await gym.respond(.handle, "PauseWorkout", key: "1")
        guard case .responded(_, let request) = await gym.perform(.confirm, "CancelWorkout") else {
            Issue.record("no response")
            return
        }
        #expect(request?.dialog == "Your Run will be thrown away. Cancel it?")
        #expect(await gym.respond(.handle, "CancelWorkout", key: "2")?.values["state"] == .string("cancelled"))
    }

    @Test("a change that is repeated with the same key is made once, with the same response")
    func repeated() async throws {
        let gym = try Gym()
        #expect(await gym.start() == gym.start())
        let first = await gym.respond(.handle, "PauseWorkout", key: "1")
        #expect(await gym.respond(.handle, "PauseWorkout", key: "1") == first)
        #expect(await gym.respond(.handle, "PauseWorkout", key: "2")?.code == .failureNoMatchingWorkout)
        _ = await gym.respond(.handle, "ResumeWorkout", key: "3")
        #expect(await gym.respond(.handle, "PauseWorkout", key: "1") == first)
        #expect(await gym.respond(.confirm, "ResumeWorkout")?.code == .failureNoMatchingWorkout)
    }

    @Test("each person has their own workout, in any session")
    func people() async throws {
        let gym = try Gym()
        await gym.start(attributes: ["person": .string("nora")])
        #expect(await gym.respond(.confirm, "PauseWorkout")?.code == .failureNoMatchingWorkout)
        #expect(await gym.respond(.confirm, "PauseWorkout", attributes: ["person": .string("nora")])?.code == .ready)
    }
}
