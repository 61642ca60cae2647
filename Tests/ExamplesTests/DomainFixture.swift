import IntentKit
import IntentRuntime
import PipelineTestKit

/// A sample domain with its own store for each test.
protocol DomainFixture {
    associatedtype Served: IntentExtension
    var served: Served { get }
    /// The dependencies that the test replaces.
    var dependencies: AppDependencyManager { get }
}

extension DomainFixture {
    var dependencies: AppDependencyManager { AppDependencyManager() }

    func registry() throws -> IntentRegistry { try served.registry(dependencies: dependencies) }

    /// Starts a conversation with a pipeline that serves the domain.
    func conversation(session: Identifier = "s", gates: [Gate] = []) async throws -> TestConversation {
        try await TestConversation(with: [served], dependencies: dependencies, session: session, gates: gates)
    }

    /// Requests an intent, and answers each prompt with the next of these answers.
    func play(_ intent: String, _ said: KeyValuePairs<String, String> = [:], _ answers: String...) async throws
        -> TestConversation
    {
        var talk = try await conversation()
        try await talk.request(intent, said)
        for answer in answers { try await talk.answer(answer) }
        return talk
    }

    /// Returns the result for one parameter in one round of resolution.
    func resolve(
        _ parameter: String, of intent: String, _ states: [ParameterState], attributes: [String: JSON] = [:],
        for principal: Principal? = nil
    ) async throws -> ParameterResolution {
        try await registry().resolve(parameter, of: intent, states, attributes: attributes, principal: principal)
            .resolution
    }

    func respond(
        _ phase: Phase, _ intent: String, _ states: [ParameterState] = [], key: Identifier = "s/r",
        locale: String? = nil, isInApp: Bool = false, attributes: [String: JSON] = [:]
    ) async throws -> IntentResponse {
        try await registry().respond(
            phase, intent, states, idempotencyKey: key, locale: locale, isInApp: isInApp, attributes: attributes)
    }

    func confirm(
        _ intent: String, _ states: [ParameterState] = [], key: Identifier = "s/r", attributes: [String: JSON] = [:]
    ) async throws -> IntentResponse { try await respond(.confirm, intent, states, key: key, attributes: attributes) }

    @discardableResult
    func handle(
        _ intent: String, _ states: [ParameterState] = [], key: Identifier = "s/r", isInApp: Bool = false,
        attributes: [String: JSON] = [:]
    ) async throws -> IntentResponse {
        try await respond(.handle, intent, states, key: key, isInApp: isInApp, attributes: attributes)
    }
}
