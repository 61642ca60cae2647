import IntentKit
import IntentRuntime
import PipelineTestKit

/// An extension with one intent, whose handler only requires a confirmation, which shows the summary.
struct ConfirmationAsker<Subject: Intent>: IntentExtension, IntentHandling {
    var tables: [LocalizedTable] = []
    var intents: [any Intent.Type] { [Subject.self] }
    var localizations: [LocalizedTable] { tables }
    func handler(for intent: any Intent) -> (any IntentHandler)? { self }
    func confirm(_ intent: Subject, context: Context) async throws -> ConfirmResponse { .userConfirmationRequired() }
    func handle(_ intent: Subject, context: Context) async throws -> HandleResponse { .success }

    /// The intent's summary in the confirmation.
    func summary(_ values: KeyValuePairs<String, any ParameterValue> = [:], locale: String? = nil) async throws
        -> String?
    {
        var states: [ParameterState] = []
        for (name, value) in values { states.append(ParameterState(name: name, value: JSON(value), origin: .resolved)) }
        return try await registry().perform(.confirm, Subject.name, states, locale: locale).confirmation?.summary
    }
}
