import IntentKit

/// Resolves the workout and checks whether it can be started. The app's own workers then start it: see
/// ``WorkoutRecorder``.
struct StartWorkoutHandler: IntentHandling {
    let book: WorkoutBook
    let locationServices: LocationServices

    var resolution: some Resolution<StartWorkout> {
        Resolve(\.$goalValue, after: \.$workoutName) { value, workout in
            guard let value, let activity = workout.$workoutName.value else { return .notRequired() }
            // A workout without goals of this kind starts without a goal, and the person is not asked.
            let isKept = workout.$goalUnitType.value.map(activity.supportsGoal(in:)) ?? !activity.goalUnits.isEmpty
            return isKept ? .success(value) : .notRequired()
        }
        Resolve(\.$goalUnitType, after: \.$workoutName, \.$goalValue) { unit, workout in
            guard let activity = workout.$workoutName.value, let value = workout.$goalValue.value else {
                return .notRequired()
            }
            guard let unit else { return .disambiguation(activity.goalUnits, dialog: "\(value.displayText) what?") }
            return activity.supportsGoal(in: unit) ? .success(unit) : .notRequired()
        }
        Resolve(\.$workoutLocationType, after: \.$workoutName) { location, workout in
            guard let activity = workout.$workoutName.value else { return .notRequired() }
            guard let location else {
                return activity.locations.count == 1
                    ? .success(activity.locations[0]) : .disambiguation(activity.locations)
            }
            if activity.locations.contains(location) { return .success(location) }
            return .unsupported(
                reason: StartWorkoutLocationTypeUnsupportedReason(location),
                dialog: "\(activity) is not possible \(location).")
        }
        // A goal takes precedence.
        Resolve(\.$isOpenEnded, after: \.$goalValue) { _, workout in .success(workout.$goalValue.value == nil) }
    }

    func confirm(_ workout: StartWorkout, context: Context) async throws -> ConfirmResponse {
        if let current = try book.current(of: Athlete(context)) { throw FailureResponse.ongoing(current) }
        if let goal = workout.goal, !workout.workoutName.reaches(goal) {
            return .failure(
                .failureNoMatchingWorkout, dialog: "There is no \(workout.workoutName) as long as \(goal.text).")
        }
        // The route of an outdoor workout is recorded. Without location services the person may prefer another workout.
        if workout.workoutLocationType == .outdoor, !locationServices.areEnabled(for: context) {
            return .failure(
                .failureRequiringAppLaunch, dialog: "Location services are off.",
                activity: UserActivity(activityType: "com.example.myRunningApp.noLocationAvailable"))
        }
        return .ready
    }

    func handle(_ workout: StartWorkout, context: Context) async throws -> HandleResponse { .handleInApp }
}

extension StartWorkout {
    /// The goal; `nil` if the workout is open-ended.
    var goal: WorkoutGoal? {
        guard let goalValue, let goalUnitType else { return nil }
        return WorkoutGoal(value: goalValue, unit: goalUnitType)
    }
}

extension FailureResponse {
    fileprivate static func ongoing(_ current: Workout) -> FailureResponse {
        .failure(.failureOngoingWorkout, dialog: "Your \(current.title) is not over yet. End or cancel it first.")
    }
}

/// Starts a workout. Runs in the app's own workers, after the extension's handler has responded `handleInApp`.
struct WorkoutRecorder: IntentHandling {
    let book: WorkoutBook

    func handle(_ start: StartWorkout, context: Context) async throws -> HandleResponse {
        let workout = Workout(
            activity: start.workoutName.id, title: start.workoutName.name, location: start.workoutLocationType,
            goal: start.goal)
        if let other = try book.start(workout, by: Athlete(context), key: context.idempotencyKey) {
            throw FailureResponse.ongoing(other)
        }
        var values: [String: any ParameterValue] = [
            "workoutName": start.workoutName, "isOpenEnded": workout.goal == nil,
        ]
        guard let goal = workout.goal else {
            return .success(dialog: "\(start.workoutName) started.", values: values)
        }
        values["goalValue"] = goal.value
        values["goalUnitType"] = goal.unit
        return .success(dialog: "\(start.workoutName) started: \(goal.text) to go.", values: values)
    }
}
