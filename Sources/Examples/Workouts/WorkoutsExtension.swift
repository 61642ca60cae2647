public import IntentKit
import SampleData

/// The workouts domain for a worker: `IntentRegistry([WorkoutsExtension()])`.
public struct WorkoutsExtension: IntentExtension {
    public let intents: [any Intent.Type] = [
        StartWorkout.self, PauseWorkout.self, ResumeWorkout.self, EndWorkout.self, CancelWorkout.self,
    ]

    public init() {}

    public func handler(for intent: any Intent) -> (any IntentHandler)? {
        intent is StartWorkout ? StartWorkoutHandler() : CurrentWorkoutHandler()
    }

    /// The app records workouts, so the app's workers start them.
    public func application(handlerFor intent: any Intent) -> (any IntentHandler)? {
        intent is StartWorkout ? WorkoutRecorder() : handler(for: intent)
    }

    public func provideDependencies(to manager: AppDependencyManager) {
        manager.add(WorkoutLibrary.standard)
        manager.add(LocationServices())
        manager.add(WorkoutBook(store: .shared()))
    }
}
