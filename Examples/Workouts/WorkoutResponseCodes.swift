public import IntentKit

/// The codes of SiriKit's workout family (`INStartWorkoutIntentResponseCode` and similar).
extension ResponseCode {
    /// Start: another workout is under way.
    public static let failureOngoingWorkout: ResponseCode = "failureOngoingWorkout"
    /// There is no such workout to start, or none under way that the intent applies to.
    public static let failureNoMatchingWorkout: ResponseCode = "failureNoMatchingWorkout"
}
