import IntentModel
import PipelineTestKit
import Testing

@Suite("Resolving the parameters of a workout")
struct StartWorkoutResolutionTests {
    @Test("a workout is found by its name or a synonym", arguments: ["run", "Running", "jog"])
    func name(_ said: String) async throws {
        let name = try await WorkoutsFixture().resolve(["workoutName": said])["workoutName"]
        #expect(name?.value?.view["id"]?.string == "run")
    }

    @Test("without a name all five workouts are offered, and an unknown name is no match")
    func noName() async throws {
        #expect(
            try await WorkoutsFixture().resolve([:])["workoutName"]?.options.map(\.id) == [
                "run", "bike", "swim", "hike", "yoga",
            ])
        #expect(try await WorkoutsFixture().resolve(["workoutName": "curling"])["workoutName"]?.reason == "noMatch")
    }

    @Test("a workout is open-ended if it has no goal")
    func goal() async throws {
        let miles = try await WorkoutsFixture().resolve([
            "workoutName": "run", "goalValue": "5", "goalUnitType": "miles", "isOpenEnded": "yes",
        ])
        #expect(miles["goalValue"]?.value == .number(5.0))
        #expect(miles["goalUnitType"]?.value == .string("mile"))
        #expect(miles["isOpenEnded"]?.value == .bool(false))
        let open = try await WorkoutsFixture().resolve(["workoutName": "run"])
        #expect(open["goalValue"] == .notRequired)
        #expect(open["goalUnitType"] == .notRequired)
        #expect(open["isOpenEnded"]?.value == .bool(true))
    }

    @Test("a goal that the service does not keep is not required, and the person is not asked")
    func unsupportedGoal() async throws {
        let yoga = try await WorkoutsFixture().resolve([
            "workoutName": "yoga", "goalValue": "5", "goalUnitType": "miles",
        ])
        #expect(yoga["goalValue"] == .notRequired)
        #expect(yoga["goalUnitType"] == .notRequired)
        #expect(yoga["isOpenEnded"]?.value == .bool(true))
    }

    @Test("a number without a unit leads to a choice of the workout's units")
    func unit() async throws {
        #expect(
            try await WorkoutsFixture().resolve(["workoutName": "swim", "goalValue": "5"])["goalUnitType"]?.options.map(
                \.id) == [
                    "meter", "mile", "minute", "hour",
                ])
        #expect(
            try await WorkoutsFixture().resolve(["workoutName": "yoga", "goalValue": "5"])["goalUnitType"]?.options.map(
                \.id) == [
                    "minute", "hour",
                ])
    }

    @Test("a goal of zero is refused")
    func range() async throws {
        let run = try await WorkoutsFixture().resolve(["workoutName": "run", "goalValue": "0", "goalUnitType": "miles"])
        #expect(run["goalValue"]?.reason == "belowMinimum")
    }

    @Test("the location is asked for if there is a choice, used if there is only one, and refused with the reason")
    func location() async throws {
        #expect(
            try await WorkoutsFixture().resolve(["workoutName": "run"])["workoutLocationType"]?.options.map(\.id) == [
                "outdoor", "indoor",
            ])
        #expect(
            try await WorkoutsFixture().resolve(["workoutName": "hike"])["workoutLocationType"]?.value
                == .string("outdoor"))
        let hike = try await WorkoutsFixture().resolve(["workoutName": "hike", "workoutLocationType": "inside"])
        #expect(
            hike["workoutLocationType"]
                == .unsupported(reason: "indoorUnsupported", dialog: "Hike is not possible indoors."))
        let yoga = try await WorkoutsFixture().resolve(["workoutName": "yoga", "workoutLocationType": "outside"])
        #expect(yoga["workoutLocationType"]?.reason == "outdoorUnsupported")
    }
}
