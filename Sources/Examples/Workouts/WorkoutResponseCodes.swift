public import IntentKit

/// The codes of SiriKit's workout family (`INStartWorkoutIntentResponseCode` and its like).
extension ResponseCode {
    /// Start: another workout is under way.
    public static let failureOngoingWorkout: ResponseCode = "failureOngoingWorkout"
    /// There is no such workout: none to start, or none under way that this can be done to.
    public static let failureNoMatchingWorkout: ResponseCode = "failureNoMatchingWorkout"
}
