public import IntentKit

/// The code behind an intent that is declared as a value: an HTTP service, or a program's own code.
///
/// A thrown ``IntentFailure`` decides how the request continues. After any other error the phase is retried, except for
/// handle of a once-only intent: its outcome is then unknown. Handlers in Swift follow the same rules.
public protocol IntentFulfilment: Sendable {
    /// Resolves one parameter that its declaration leaves to the fulfilment. The value has already passed the
    /// declaration's own rules.
    ///
    /// - Parameter parameter: The parameter's name.
    func resolve(_ parameter: String, of call: FulfilmentCall) async throws -> ParameterResolution
    /// Decides whether the intent can be carried out, and with which values. Called only if the declaration's phases
    /// include confirm.
    func confirm(_ call: FulfilmentCall) async throws -> IntentResponse
    /// Carries out the intent.
    func handle(_ call: FulfilmentCall) async throws -> IntentResponse
}

/// One phase of one intent, for its ``IntentFulfilment``.
public struct FulfilmentCall: Sendable, Hashable {
    public var phase: Phase
    /// The intent's name.
    public var intent: String
    /// The parameters with a value, in wire form. Includes secrets, because a fulfilment is part of a worker.
    public var parameters: [String: JSON]
    /// The intent in a sentence, in the language of the request.
    public var summary: String?
    public var context: InvocationContext

    public init(
        phase: Phase, intent: String, parameters: [String: JSON], summary: String? = nil, context: InvocationContext
    ) {
        self.phase = phase
        self.intent = intent
        self.parameters = parameters
        self.summary = summary
        self.context = context
    }
}
