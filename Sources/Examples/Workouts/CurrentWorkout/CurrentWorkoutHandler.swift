import IntentKit

/// Pauses, resumes, ends and cancels workouts: one handler for four intents that are handled in the same way.
struct CurrentWorkoutHandler: IntentHandler {
    @Dependency var book: WorkoutBook

    var handlings: [any IntentHandling] {
        Handling(PauseWorkout.self, confirm: confirm, handle: handle)
        Handling(ResumeWorkout.self, confirm: confirm, handle: handle)
        Handling(EndWorkout.self, confirm: confirm, handle: handle)
        Handling(CancelWorkout.self, confirm: confirm, handle: handle)
    }

    private func confirm(_ intent: some CurrentWorkoutIntent, context: Context) async throws -> IntentResponse {
        guard let current = try book.current(of: Athlete(context)), intent.change.applies(to: current) else {
            return noMatch(intent, context)
        }
        guard intent is CancelWorkout else { return .ready }
        return .ready(dialog: context.text("Your \(current.title) will be thrown away. Cancel it?"))
    }

    private func handle(_ intent: some CurrentWorkoutIntent, context: Context) async throws -> IntentResponse {
        let changed = try book.change(intent.change, by: Athlete(context), key: context.idempotencyKey)
        guard let changed else { return noMatch(intent, context) }
        let values: [String: any ParameterValue] = ["workoutName": changed.title, "state": changed.state.rawValue]
        return .success(dialog: dialog(for: changed, context), values: values)
    }

    private func noMatch(_ intent: some CurrentWorkoutIntent, _ context: Context) -> IntentResponse {
        let dialog =
            switch intent {
            case is PauseWorkout: context.text("No workout is under way that could be paused.")
            case is ResumeWorkout: context.text("No workout is paused.")
            default: context.text("No such workout is under way.")
            }
        return .failure(.failureNoMatchingWorkout, dialog: dialog)
    }

    private func dialog(for workout: Workout, _ context: Context) -> String {
        switch workout.state {
        case .active: context.text("Your \(workout.title) goes on.")
        case .paused: context.text("Your \(workout.title) is paused.")
        case .ended: context.text("Your \(workout.title) is over. Well done!")
        case .cancelled: context.text("Your \(workout.title) is cancelled.")
        }
    }
}
