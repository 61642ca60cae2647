import IntentKit

/// Starts a workout. Runs in the app's own workers, after the extension's handler has responded `handleInApp`.
struct WorkoutRecorder: IntentHandling {
    @Dependency var book: WorkoutBook

    func handle(_ start: StartWorkout, context: Context) async throws -> IntentResponse {
        let workout = Workout(
            activity: start.workoutName.id, title: start.workoutName.name, location: start.workoutLocationType, goal: start.goal)
        if let other = try book.start(workout, by: Athlete(context), key: context.idempotencyKey) { return .ongoing(other, context) }
        var values: [String: any ParameterValue] = ["workoutName": start.workoutName, "isOpenEnded": workout.goal == nil]
        guard let goal = workout.goal else {
            return .success(dialog: context.text("\(start.workoutName) started."), values: values)
        }
        values["goalValue"] = goal.value
        values["goalUnitType"] = goal.unit
        return .success(dialog: context.text("\(start.workoutName) started: \(goal.text) to go."), values: values)
    }
}
