public import IntentKit
public import IntentRuntime

/// Performs single phases of intents, for tests that need no conversation.
///
/// ```swift
/// let registry = try IntentRegistry([GreenhouseExtension()], dependencies: AppDependencyManager())
/// let plant = try await registry.resolve("plant", of: "WaterPlant", [.said("plant", "fern")])
/// #expect(plant.resolution.options.map(\.title) == ["Boston fern", "Maidenhair fern"])
/// ```
///
/// The session of every call is "s", and its request is "r". To set the session, the request, the principal, or the
/// person's answers to the questions of a phase, pass an `IntentInvocation` to `IntentRegistry.perform(_:report:)`.
extension IntentRegistry {
    /// Performs one phase of an intent without a pipeline, as a worker would.
    ///
    /// - Parameters:
    ///   - intent: The intent's name.
    ///   - parameters: The parameters that have values.
    ///   - idempotencyKey: The key that the handler gets. Pass the same key again to test a repeated call.
    ///   - locale: The language of the request: a BCP 47 tag such as `en-GB`.
    ///   - isInApp: `true` to call the app's handler instead of the extension's.
    ///   - attributes: The attributes of the request.
    ///   - report: Called for the handler's progress.
    public func perform(
        _ phase: Phase, _ intent: String, _ parameters: [ParameterState] = [], idempotencyKey: Identifier = "s/r",
        locale: String? = nil, isInApp: Bool = false, attributes: [String: JSON] = [:],
        report: @escaping @Sendable (IntentProgress) -> Void = { _ in }
    ) async -> PhaseOutcome {
        let context = InvocationContext(
            session: "s", request: "r", idempotencyKey: idempotencyKey, locale: locale, attributes: attributes,
            isInApp: isInApp)
        return await perform(
            IntentInvocation(phase: phase, intent: intent, parameters: parameters, context: context), report: report)
    }

    /// Performs the resolve phase.
    ///
    /// - Returns: One entry for each parameter of the intent, in the order in which they are declared.
    /// - Throws: ``UnexpectedOutcome`` if the phase has failed.
    public func resolve(
        _ intent: String, _ parameters: [ParameterState] = [], locale: String? = nil, attributes: [String: JSON] = [:],
        memory: [String: JSON] = [:], principal: Principal? = nil
    ) async throws -> [ResolvedParameter] {
        var context = InvocationContext(
            session: "s", request: "r", idempotencyKey: "s/r", locale: locale, attributes: attributes)
        (context.memory, context.principal) = (memory, principal)
        let outcome = await perform(
            IntentInvocation(phase: .resolve, intent: intent, parameters: parameters, context: context)
        ) { _ in }
        guard case .resolved(let all, _, _, _) = outcome else { throw UnexpectedOutcome(outcome, of: .resolve, intent) }
        return all
    }

    /// Performs the resolve phase, for the entry of one parameter.
    ///
    /// - Throws: ``UnexpectedOutcome`` if the phase has failed or the intent has no such parameter.
    public func resolve(
        _ parameter: String, of intent: String, _ parameters: [ParameterState] = [], locale: String? = nil,
        attributes: [String: JSON] = [:], memory: [String: JSON] = [:], principal: Principal? = nil
    ) async throws -> ResolvedParameter {
        let all = try await resolve(
            intent, parameters, locale: locale, attributes: attributes, memory: memory, principal: principal)
        guard let found = all.first(where: { $0.name == parameter }) else {
            throw UnexpectedOutcome(.resolved(all), of: .resolve, intent, missing: parameter)
        }
        return found
    }

    /// Performs the confirm or handle phase, for its response.
    ///
    /// - Throws: ``UnexpectedOutcome`` if the phase has failed or asks the person.
    public func respond(
        _ phase: Phase, _ intent: String, _ parameters: [ParameterState] = [], idempotencyKey: Identifier = "s/r",
        locale: String? = nil, isInApp: Bool = false, attributes: [String: JSON] = [:]
    ) async throws -> IntentResponse {
        let outcome = await perform(
            phase, intent, parameters, idempotencyKey: idempotencyKey, locale: locale, isInApp: isInApp,
            attributes: attributes)
        guard let response = outcome.response else { throw UnexpectedOutcome(outcome, of: phase, intent) }
        return response
    }
}
