public import IntentKit

/// The codes of SiriKit's workout family (`INStartWorkoutIntentResponseCode` and similar).
extension ResponseCode {
    /// Another workout is under way, so this one can't be started.
    public static let failureOngoingWorkout: ResponseCode = "failureOngoingWorkout"
    /// There is no such workout to start, or no workout under way that the intent applies to.
    public static let failureNoMatchingWorkout: ResponseCode = "failureNoMatchingWorkout"
}
