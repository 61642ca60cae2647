import IntentKit

/// Pauses, resumes, ends and cancels workouts: one handler for four intents that are handled in the same way.
struct CurrentWorkoutHandler: IntentHandler {
    let book: WorkoutBook

    var handlings: [any IntentHandling] {
        Handling(PauseWorkout.self, confirm: confirm, handle: handle)
        Handling(ResumeWorkout.self, confirm: confirm, handle: handle)
        Handling(EndWorkout.self, confirm: confirm, handle: handle)
        Handling(CancelWorkout.self, confirm: confirm, handle: handle)
    }

    private func confirm(_ intent: some CurrentWorkoutIntent, context: Context) async throws -> ConfirmResponse {
        guard let current = try book.current(of: Athlete(context)), intent.change.applies(to: current) else {
            throw noMatch(intent)
        }
        guard intent is CancelWorkout else { return .ready }
        return .ready(dialog: "Your \(current.title) will be thrown away. Cancel it?")
    }

    private func handle(_ intent: some CurrentWorkoutIntent, context: Context) async throws -> HandleResponse {
        let changed = try book.change(intent.change, by: Athlete(context), key: context.idempotencyKey)
        guard let changed else { throw noMatch(intent) }
        let values: [String: any ParameterValue] = ["workoutName": changed.title, "state": changed.state.rawValue]
        return .success(dialog: dialog(for: changed), values: values)
    }

    private func noMatch(_ intent: some CurrentWorkoutIntent) -> FailureResponse {
        let dialog: LocalizedText =
            switch intent {
            case is PauseWorkout: "No workout is under way that could be paused."
            case is ResumeWorkout: "No workout is paused."
            default: "No such workout is under way."
            }
        return .failure(.failureNoMatchingWorkout, dialog: dialog)
    }

    private func dialog(for workout: Workout) -> LocalizedText {
        switch workout.state {
        case .active: "Your \(workout.title) goes on."
        case .paused: "Your \(workout.title) is paused."
        case .ended: "Your \(workout.title) is over. Well done!"
        case .cancelled: "Your \(workout.title) is cancelled."
        }
    }
}
