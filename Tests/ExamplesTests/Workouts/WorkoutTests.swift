import IntentEvents
import IntentKit
import PipelineTestKit
import SampleDomains
import Testing

/// The workouts domain with its own store.
private struct Workouts: DomainFixture {
    let served: WorkoutsExtension

    init(areServicesRunning: Bool = true) {
        served = WorkoutsExtension(
            book: WorkoutBook(store: SampleStore()), locationServices: LocationServices(isRunning: areServicesRunning))
    }

    /// Resolves the given parameters of a start, in one round.
    func resolve(_ said: KeyValuePairs<String, String>) async throws -> [String: ParameterResolution] {
        let all = try await registry().resolve("StartWorkout", .said(said))
        return Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0.resolution) })
    }

    /// Starts a workout indoors, or asks whether it can be started.
    @discardableResult
    func start(
        _ activity: String = "run", at location: JSON = "indoor", _ goal: KeyValuePairs<String, JSON> = [:],
        phase: Phase = .handle, key: Identifier = "start", attributes: [String: JSON] = [:]
    ) async throws -> IntentResponse {
        var states: [ParameterState] = .resolved(["workoutName": .string(activity), "workoutLocationType": location])
        states += [ParameterState].resolved(goal)
        return try await respond(
            phase, "StartWorkout", states, key: key, isInApp: phase == .handle, attributes: attributes)
    }

    func code(_ phase: Phase, _ intent: String, key: Identifier = "s/r") async throws -> ResponseCode {
        try await respond(phase, intent, key: key).code
    }
}

@Suite("Resolving the parameters of a workout") struct StartWorkoutResolutionTests {
    private let workouts = Workouts()

    @Test(arguments: ["run", "Running", "jog"])
    func `a workout is found by its name or a synonym`(_ said: String) async throws {
        let name = try await workouts.resolve(["workoutName": said])["workoutName"]
        #expect(name?.value?.view["id"]?.string == "run")
    }

    @Test func `without a name all five workouts are offered, and an unknown name is no match`() async throws {
        let offered = try await workouts.resolve([:])["workoutName"]?.options.map(\.id)
        #expect(offered == ["run", "bike", "swim", "hike", "yoga"])
        #expect(try await workouts.resolve(["workoutName": "curling"])["workoutName"]?.reason == "noMatch")
    }

    @Test func `a workout is open-ended if it has no goal, or one that its service does not keep`() async throws {
        let miles = try await workouts.resolve([
            "workoutName": "run", "goalValue": "5", "goalUnitType": "miles", "isOpenEnded": "yes",
        ])
        #expect(miles["goalValue"] == .success(.number(5.0)) && miles["goalUnitType"] == .success("mile"))
        #expect(miles["isOpenEnded"] == .success(.bool(false)))
        for said: KeyValuePairs<String, String> in [
            ["workoutName": "run"], ["workoutName": "yoga", "goalValue": "5", "goalUnitType": "miles"],
        ] {
            let open = try await workouts.resolve(said)
            #expect(open["goalValue"] == .notRequired && open["goalUnitType"] == .notRequired)
            #expect(open["isOpenEnded"] == .success(.bool(true)))
        }
    }

    @Test(arguments: [("swim", ["meter", "mile", "minute", "hour"]), ("yoga", ["minute", "hour"])])
    func `a number without a unit leads to a choice of units`(_ workout: String, _ units: [String]) async throws {
        let resolved = try await workouts.resolve(["workoutName": workout, "goalValue": "5"])
        #expect(resolved["goalUnitType"]?.options.map(\.id) == units)
    }

    @Test func `a goal of zero is refused`() async throws {
        let run = try await workouts.resolve(["workoutName": "run", "goalValue": "0", "goalUnitType": "miles"])
        #expect(run["goalValue"]?.reason == "belowMinimum")
    }

    @Test func `a location is asked for, taken if there is no choice, or refused with the reason`() async throws {
        func location(_ said: KeyValuePairs<String, String>) async throws -> ParameterResolution? {
            try await workouts.resolve(said)["workoutLocationType"]
        }
        #expect(try await location(["workoutName": "run"])?.options.map(\.id) == ["outdoor", "indoor"])
        #expect(try await location(["workoutName": "hike"]) == .success("outdoor"))
        let hike = ParameterResolution.unsupported(reason: "indoorUnsupported", dialog: "Hike is not possible indoors.")
        #expect(try await location(["workoutName": "hike", "workoutLocationType": "inside"]) == hike)
        let outside = try await location(["workoutName": "yoga", "workoutLocationType": "outside"])
        #expect(outside?.reason == "outdoorUnsupported")
    }
}

@Suite("Starting, pausing, resuming, ending and cancelling a workout") struct WorkoutOutcomeTests {
    private let workouts = Workouts()

    @Test func `an outdoor workout needs location services, and the app gets an activity`() async throws {
        let unlocated = Workouts(areServicesRunning: false)
        let outside = try await unlocated.start(at: "outdoor", phase: .confirm)
        #expect(outside.code == .failureRequiringAppLaunch)
        #expect(outside.userActivity?.activityType == "com.example.myRunningApp.noLocationAvailable")
        #expect(try await unlocated.start(phase: .confirm).code == .ready)
        #expect(try await workouts.start(at: "outdoor", phase: .confirm).code == .ready)
        let off = try await workouts.start(at: "outdoor", phase: .confirm, attributes: ["locationServices": "off"])
        #expect(off.code == .failureRequiringAppLaunch)
    }

    @Test func `a goal beyond the longest workout fails`() async throws {
        func confirm(_ miles: Double) async throws -> IntentResponse {
            try await workouts.start("run", ["goalValue": .number(miles), "goalUnitType": "mile"], phase: .confirm)
        }
        let response = try await confirm(63)
        #expect(response.code == .failureNoMatchingWorkout && response.dialog == "There is no Run as long as 63 miles.")
        #expect(try await confirm(62).code == .ready)
    }

    @Test(arguments: [Phase.confirm, .handle])
    func `a second workout is refused at confirm and at handle`(_ phase: Phase) async throws {
        try await workouts.start()
        #expect(try await workouts.start("yoga", phase: phase, key: "other").code == .failureOngoingWorkout)
    }

    @Test func `a workout is paused, resumed and ended, each only in the right state`() async throws {
        try await workouts.start()
        #expect(try await workouts.code(.confirm, "ResumeWorkout") == .failureNoMatchingWorkout)
        #expect(try await workouts.handle("PauseWorkout", key: "1").dialog == "Your Run is paused.")
        #expect(try await workouts.code(.confirm, "PauseWorkout") == .failureNoMatchingWorkout)
        #expect(try await workouts.handle("ResumeWorkout", key: "2").dialog == "Your Run goes on.")
        #expect(try await workouts.handle("EndWorkout", key: "3").values["state"] == "ended")
        for intent in ["PauseWorkout", "ResumeWorkout", "EndWorkout", "CancelWorkout"] {
            #expect(try await workouts.code(.confirm, intent) == .failureNoMatchingWorkout, "\(intent)")
        }
        #expect(try await workouts.start("yoga", key: "4").code == .success)
    }

    @Test(arguments: [("run", ResponseCode.failureNoMatchingWorkout), ("swim", .ready)])
    func `a named workout must be the one under way`(_ workout: String, _ code: ResponseCode) async throws {
        try await workouts.start("swim")
        let named: [ParameterState] = .resolved(["workoutName": .string(workout)])
        #expect(try await workouts.confirm("PauseWorkout", named).code == code)
    }

    @Test func `a change that is repeated with the same key is made once, with the same response`() async throws {
        #expect(try await workouts.start() == workouts.start())
        let first = try await workouts.handle("PauseWorkout", key: "1")
        #expect(try await workouts.handle("PauseWorkout", key: "1") == first)
        #expect(try await workouts.code(.handle, "PauseWorkout", key: "2") == .failureNoMatchingWorkout)
        try await workouts.handle("ResumeWorkout", key: "3")
        #expect(try await workouts.handle("PauseWorkout", key: "1") == first)
        #expect(try await workouts.code(.confirm, "ResumeWorkout") == .failureNoMatchingWorkout)
    }

    @Test func `each person has their own workout, in any session`() async throws {
        try await workouts.start(attributes: ["person": "nora"])
        #expect(try await workouts.code(.confirm, "PauseWorkout") == .failureNoMatchingWorkout)
        #expect(try await workouts.confirm("PauseWorkout", attributes: ["person": "nora"]).code == .ready)
    }
}

@Suite("Whole conversations about a workout") struct WorkoutConversationTests {
    @Test func `a run is resolved, started by the app, paused, and cancelled after a confirmation`() async throws {
        let said: KeyValuePairs = ["workoutName": "run", "goalValue": "3"]
        var talk = try await Workouts().play("StartWorkout", said, "mile", "outdoor")
        #expect(
            try talk.steps == [
                "prompt choice goalUnitType", "prompt choice workoutLocationType", "offer background",
                "completed success success",
            ])
        let started = try talk.last
        #expect(started?.dialog == "Run started: 3 miles to go.")
        #expect(started?.data["response"]?["goalUnitType"]?.string == "mile")
        #expect(started?.data["response"]?["isOpenEnded"]?.bool == false)
        try await talk.request("PauseWorkout")
        try await talk.request("StartWorkout", ["workoutName": "yoga"])
        try await talk.request("CancelWorkout")
        try await talk.answer("yes")
        #expect(
            try talk.steps.dropFirst(4) == [
                "completed success success", "completed failure failureOngoingWorkout", "prompt confirmIntent -",
                "completed success success",
            ])
        #expect(
            try talk.lines.suffix(2) == [
                "confirms: Your Run will be thrown away. Cancel it?", "success success: Your Run is cancelled.",
            ])
        #expect(try talk.last?.data["response"]?["state"]?.string == "cancelled")
    }

    @Test func `a goal that is not kept is not asked about and left out`() async throws {
        let said: KeyValuePairs = ["workoutName": "yoga", "goalValue": "5", "goalUnitType": "miles"]
        let talk = try await Workouts().play("StartWorkout", said)
        #expect(try talk.lines == ["offer background", "success success: Yoga started."])
        #expect(try talk.last?.data["response"]?["isOpenEnded"]?.bool == true)
    }
}
