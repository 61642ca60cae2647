public import IntentKit

/// Starts a workout (SiriKit: `INStartWorkoutIntent`).
public struct StartWorkout: Intent {
    public static let title: LocalizedText = "Start a workout"
    public static let description: LocalizedText? = "Starts a workout, with a goal or until you end it."

    @Parameter(title: "Workout", requestValueDialog: "Which workout?")
    public var workoutName: WorkoutActivity

    @Parameter(title: "Goal", requestValueDialog: "How far, or how long?", .inclusiveRange(0.1...100_000))
    public var goalValue: Double?

    @Parameter(title: "Unit of the goal", requestValueDialog: "In which unit is your goal?")
    public var goalUnitType: WorkoutGoalUnitType?

    @Parameter(title: "Location", requestDisambiguationDialog: "Inside or outside?")
    public var workoutLocationType: WorkoutLocationType?

    @Parameter(title: "Open-ended", description: "Whether it goes on until you end it.")
    public var isOpenEnded: Bool?

    public static let parameters = Parameters<Self>(
        \.$workoutName, \.$goalValue, \.$goalUnitType, \.$workoutLocationType, \.$isOpenEnded)

    public static var parameterSummary: some ParameterSummary {
        When(\.$goalValue, .hasAnyValue) {
            Summary("\(\.$workoutName) with a goal of \(\.$goalValue) \(\.$goalUnitType), \(\.$workoutLocationType)")
        } otherwise: {
            Summary("\(\.$workoutName), \(\.$workoutLocationType)")
        }
    }

    public init() {}
}
