import IntentModel
import Testing

@Suite("What is meant by a workout")
struct StartWorkoutResolutionTests {
    @Test("a workout is known by its name or another word for it", arguments: ["run", "Running", "jog"])
    func name(_ said: String) async throws {
        let name = try await Gym().resolve(["workoutName": said])["workoutName"]
        #expect(name?.value?.view["id"]?.string == "run")
    }

    @Test("without a name the five there are are offered, and one that nobody knows is no match")
    func noName() async throws {
        #expect(try await Gym().resolve([:])["workoutName"]?.options == ["run", "bike", "swim", "hike", "yoga"])
        #expect(try await Gym().resolve(["workoutName": "curling"])["workoutName"]?.reason == "noMatch")
    }

    @Test("with a goal a workout is not open-ended, without one it is")
    func goal() async throws {
        let miles = try await Gym().resolve(["workoutName": "run", "goalValue": "5", "goalUnitType": "miles", "isOpenEnded": "yes"])
        #expect(miles["goalValue"]?.value == .number(5.0))
        #expect(miles["goalUnitType"]?.value == .string("mile"))
        #expect(miles["isOpenEnded"]?.value == .bool(false))
        let open = try await Gym().resolve(["workoutName": "run"])
        #expect(open["goalValue"] == .notRequired)
        #expect(open["goalUnitType"] == .notRequired)
        #expect(open["isOpenEnded"]?.value == .bool(true))
    }

    @Test("a goal that the service does not keep for the workout is not required: it starts without one, and nobody is asked")
    func unsupportedGoal() async throws {
        let yoga = try await Gym().resolve(["workoutName": "yoga", "goalValue": "5", "goalUnitType": "miles"])
        #expect(yoga["goalValue"] == .notRequired)
        #expect(yoga["goalUnitType"] == .notRequired)
        #expect(yoga["isOpenEnded"]?.value == .bool(true))
    }

    @Test("a number alone is asked about, among the units that the workout has")
    func unit() async throws {
        #expect(
            try await Gym().resolve(["workoutName": "swim", "goalValue": "5"])["goalUnitType"]?.options == [
                "meter", "mile", "minute", "hour",
            ])
        #expect(try await Gym().resolve(["workoutName": "yoga", "goalValue": "5"])["goalUnitType"]?.options == ["minute", "hour"])
    }

    @Test("a goal of nothing is no goal")
    func range() async throws {
        let run = try await Gym().resolve(["workoutName": "run", "goalValue": "0", "goalUnitType": "miles"])
        #expect(run["goalValue"]?.reason == "belowMinimum")
    }

    @Test("where it is done is asked where there is a choice, taken where there is none, and refused with the reason")
    func location() async throws {
        #expect(try await Gym().resolve(["workoutName": "run"])["workoutLocationType"]?.options == ["outdoor", "indoor"])
        #expect(try await Gym().resolve(["workoutName": "hike"])["workoutLocationType"]?.value == .string("outdoor"))
        let hike = try await Gym().resolve(["workoutName": "hike", "workoutLocationType": "inside"])
        #expect(hike["workoutLocationType"] == .unsupported(reason: "indoorUnsupported", dialog: "Hike is not possible indoors."))
        let yoga = try await Gym().resolve(["workoutName": "yoga", "workoutLocationType": "outside"])
        #expect(yoga["workoutLocationType"]?.reason == "outdoorUnsupported")
    }
}
