/// An error that says with which code and words a phase fails: App Intents' `CustomAppIntentErrorConvertible`.
///
/// ```swift
/// struct OutOfTea: Error, CustomIntentErrorConvertible {
///     var intentResponse: IntentResponse { .failure("failureOutOfTea", dialog: "There is no tea left.") }
/// }
/// ```
/// Thrown from a resolution its code has to be a failure. Any other error makes the pipeline try the phase again.
public protocol CustomIntentErrorConvertible: Error {
    var intentResponse: IntentResponse { get }
}
