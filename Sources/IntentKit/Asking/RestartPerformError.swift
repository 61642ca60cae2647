/// Thrown to have the person asked: App Intents' `AppIntentError.restartPerform`.
///
/// `throw $date.needsValueError("When?")` ends the run. The answer becomes the parameter's value, and the phase runs again from the top. Each
/// one thrown is a new question, so throw it only while the value is not good enough; if the person says no the request ends as cancelled.
public struct RestartPerformError: Error, Sendable {
    package let ask: Ask
}
