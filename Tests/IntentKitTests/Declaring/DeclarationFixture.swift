import IntentKit
import IntentRuntime
import PipelineTestKit

/// Performs phases of a declared intent. A phase that fails throws its failure.
struct DeclarationFixture {
    let registry: IntentRegistry
    var intent: String

    init(_ declared: IntentDeclaration...) throws {
        registry = try IntentRegistry([], declared: declared, dependencies: AppDependencyManager())
        intent = declared[0].name
    }

    func perform(_ phase: Phase, _ states: [ParameterState], locale: String? = nil, memory: [String: JSON] = [:]) async
        -> PhaseOutcome
    {
        await registry.perform(phase, intent, states, idempotencyKey: "k", locale: locale, memory: memory)
    }

    /// The outcome for a response that comes after handle has ended with `inProgress`.
    func deferred(
        _ response: IntentResponse, isInApp: Bool = false
    ) throws -> (response: IntentResponse, confirmation: ConfirmationRequest?) {
        let outcome = try registry.deferred(
            response, of: intent, in: InvocationContext(session: "s", request: "r", isInApp: isInApp))
        guard case .responded(let response, let confirmation) = outcome else {
            throw UnexpectedOutcome(outcome, of: .handle, intent)
        }
        return (response, confirmation)
    }

    /// The result for each parameter that is not `notRequired`.
    func resolve(_ parameters: KeyValuePairs<String, JSON>, locale: String? = nil) async throws -> [String:
        ParameterResolution]
    {
        let states = parameters.map { ParameterState(name: $0.key, value: $0.value) }
        return try await resolve(states, locale: locale)
    }

    func resolve(_ states: [ParameterState], locale: String? = nil, memory: [String: JSON] = [:]) async throws
        -> [String:
        ParameterResolution]
    {
        let outcome = await perform(.resolve, states, locale: locale, memory: memory)
        switch outcome {
        case .resolved(let parameters, _, _, _):
            return Dictionary(uniqueKeysWithValues: parameters.map { ($0.name, $0.resolution) }).filter {
                $0.value != .notRequired
            }
        case .failed(let failure): throw failure
        default: throw UnexpectedOutcome(outcome, of: .resolve, intent)
        }
    }

    func respond(_ phase: Phase, _ parameters: KeyValuePairs<String, JSON>, locale: String? = nil) async throws
        -> (response: IntentResponse, confirmation: ConfirmationRequest?)
    {
        let outcome = await perform(phase, .resolved(parameters), locale: locale)
        switch outcome {
        case .responded(let response, let confirmation): return (response, confirmation)
        case .failed(let failure): throw failure
        default: throw UnexpectedOutcome(outcome, of: phase, intent)
        }
    }
}
