public import IntentKit

/// Does what an intent asks for that was declared in a file: over HTTP, or in whatever way a program knows.
///
/// An error that is an ``IntentFailure`` says what becomes of the request; any other one is tried again, as with handlers in Swift.
public protocol IntentFulfilment: Sendable {
    /// Decides about one parameter that its declaration leaves to the fulfilment. What it gets has passed the declaration's own rules.
    ///
    /// - Parameter parameter: Its name.
    func resolve(_ parameter: String, of call: FulfilmentCall) async throws -> ParameterResolution
    /// Can it be done, and with what? Not called for an intent whose declaration has no confirm phase.
    func confirm(_ call: FulfilmentCall) async throws -> IntentResponse
    /// Does it.
    func handle(_ call: FulfilmentCall) async throws -> IntentResponse
}

/// One phase of one intent, for its ``IntentFulfilment``.
public struct FulfilmentCall: Sendable, Hashable {
    public var phase: Phase
    /// The intent's name.
    public var intent: String
    /// The parameters that have a value, in wire form.
    public var parameters: [String: JSON]
    /// The intent in a sentence, in the language of the request.
    public var summary: String?
    /// Where and for whom. Secrets among the parameters are in here too: a fulfilment is a worker.
    public var context: InvocationContext

    public init(phase: Phase, intent: String, parameters: [String: JSON], summary: String? = nil, context: InvocationContext) {
        self.phase = phase
        self.intent = intent
        self.parameters = parameters
        self.summary = summary
        self.context = context
    }
}
