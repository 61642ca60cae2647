public import IntentKit

/// Carries out an intent that is declared as a value: over HTTP, or in a program's own way.
///
/// An ``IntentFailure`` decides how the request continues. After any other error the phase is retried, as with handlers
/// in Swift.
public protocol IntentFulfilment: Sendable {
    /// Resolves one parameter that its declaration leaves to the fulfilment. The value has already passed the
    /// declaration's own rules.
    ///
    /// - Parameter parameter: The parameter's name.
    func resolve(_ parameter: String, of call: FulfilmentCall) async throws -> ParameterResolution
    /// Decides whether the intent can be carried out, and with which values. Not called if the declaration has no
    /// confirm phase.
    func confirm(_ call: FulfilmentCall) async throws -> IntentResponse
    /// Carries out the intent.
    func handle(_ call: FulfilmentCall) async throws -> IntentResponse
}

/// One phase of one intent, for its ``IntentFulfilment``.
public struct FulfilmentCall: Sendable, Hashable {
    public var phase: Phase
    /// The intent's name.
    public var intent: String
    /// The parameters with a value, in wire form.
    public var parameters: [String: JSON]
    /// The intent in a sentence, in the language of the request.
    public var summary: String?
    /// The context of the call. The parameters may include secrets, because a fulfilment is part of a worker.
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
