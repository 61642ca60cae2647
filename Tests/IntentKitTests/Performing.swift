import IntentKit
import IntentRuntime

/// Performs one phase of one intent of an extension, in a new registry.
func performed(
    _ server: any IntentExtension, _ phase: Phase, _ intent: String, _ parameters: [ParameterState] = [],
    _ context: InvocationContext = InvocationContext(session: "s", request: "r", idempotencyKey: "k"),
    dependencies: DependencyManager = DependencyManager()
) async throws -> PhaseOutcome {
    let registry = try IntentRegistry([server], dependencies: dependencies)
    return await registry.perform(IntentInvocation(phase: phase, intent: intent, parameters: parameters, context: context))
}

/// Serves intents that perform themselves.
struct SelfServing: IntentExtension {
    var intents: [any Intent.Type]
    init(_ intents: any Intent.Type...) { self.intents = intents }
}

extension PhaseOutcome {
    var failure: IntentFailure? { if case .failed(let failure) = self { failure } else { nil } }
    var question: PhaseQuestion? { if case .asked(let question) = self { question } else { nil } }
    var response: IntentResponse? { if case .responded(let response, _) = self { response } else { nil } }
}
