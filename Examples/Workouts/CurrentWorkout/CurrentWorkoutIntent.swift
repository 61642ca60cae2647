public import IntentKit

/// An intent about the workout that is under way.
protocol CurrentWorkoutIntent: Intent {
    /// The workout to change; defaults to the workout that is under way.
    var workoutName: WorkoutActivity? { get }
    static var from: Set<Workout.State> { get }
    static var result: Workout.State { get }
}

extension CurrentWorkoutIntent {
    var change: WorkoutChange { WorkoutChange(activity: workoutName?.id, from: Self.from, result: Self.result) }
}

/// Pauses a workout (SiriKit: `INPauseWorkoutIntent`).
public struct PauseWorkout: CurrentWorkoutIntent {
    public static let title: LocalizedText = "Pause my workout"
    static let from: Set<Workout.State> = [.active]
    static let result = Workout.State.paused

    @Parameter(title: "Workout") public var workoutName: WorkoutActivity?

    public static let parameters = Parameters<Self>(\.$workoutName)
    public init() {}
}

/// Resumes a paused workout (SiriKit: `INResumeWorkoutIntent`).
public struct ResumeWorkout: CurrentWorkoutIntent {
    public static let title: LocalizedText = "Resume my workout"
    static let from: Set<Workout.State> = [.paused]
    static let result = Workout.State.active

    @Parameter(title: "Workout") public var workoutName: WorkoutActivity?

    public static let parameters = Parameters<Self>(\.$workoutName)
    public init() {}
}

/// Ends a workout (SiriKit: `INEndWorkoutIntent`).
public struct EndWorkout: CurrentWorkoutIntent {
    public static let title: LocalizedText = "End my workout"
    static let from: Set<Workout.State> = [.active, .paused]
    static let result = Workout.State.ended

    @Parameter(title: "Workout") public var workoutName: WorkoutActivity?

    public static let parameters = Parameters<Self>(\.$workoutName)
    public init() {}
}

/// Discards a workout. A discarded workout can't be restored, so the person is asked first (SiriKit:
/// `INCancelWorkoutIntent`).
public struct CancelWorkout: CurrentWorkoutIntent {
    public static let title: LocalizedText = "Cancel my workout"
    public static let confirmation: ConfirmationPolicy = .always
    static let from: Set<Workout.State> = [.active, .paused]
    static let result = Workout.State.cancelled

    @Parameter(title: "Workout") public var workoutName: WorkoutActivity?

    public static let parameters = Parameters<Self>(\.$workoutName)
    public init() {}
}
