import IntentKit
import IntentRuntime
import PipelineTestKit

/// Phases of the only intent of an extension.
extension SingleHandlerExtension {
    private var intent: String { Handler.IntentType.name }

    func perform(_ phase: Phase, _ parameters: [ParameterState], attributes: [String: JSON] = [:]) async throws
        -> PhaseOutcome
    {
        try await registry().perform(phase, intent, parameters, attributes: attributes)
    }

    /// The results for all parameters.
    func resolve(_ parameters: [ParameterState]) async throws -> [ResolvedParameter] {
        try await registry().resolve(intent, parameters)
    }

    /// The result for one parameter.
    func resolve(
        _ name: String, _ parameters: [ParameterState], attributes: [String: JSON] = [:], memory: [String: JSON] = [:],
        locale: String? = nil
    ) async throws -> ResolvedParameter {
        try await registry().resolve(
            name, of: intent, parameters, locale: locale, attributes: attributes, memory: memory)
    }

    /// The failure of a phase that must fail.
    func failure(_ phase: Phase, _ parameters: [ParameterState]) async throws -> IntentFailure {
        let outcome = try await perform(phase, parameters)
        guard let failure = outcome.failure else { throw UnexpectedOutcome(outcome, of: phase, intent) }
        return failure
    }
}
