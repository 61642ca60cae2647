import IntentKit
import IntentRuntime
import PipelineTestKit

extension IntentExtension {
    /// Performs one phase of one intent.
    func perform(
        _ phase: Phase, _ intent: any Intent.Type, _ parameters: [ParameterState] = [], isInApp: Bool = false,
        locale: String? = nil
    ) async throws -> PhaseOutcome {
        try await registry().perform(phase, intent.name, parameters, locale: locale, isInApp: isInApp)
    }

    /// The result for one parameter in one round of resolution.
    func resolve(_ name: String, of intent: any Intent.Type, _ parameters: [ParameterState] = []) async throws
        -> ParameterResolution
    {
        try await registry().resolve(name, of: intent.name, parameters).resolution
    }
}
