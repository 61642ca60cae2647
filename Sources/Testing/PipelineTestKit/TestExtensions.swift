package import IntentKit
package import IntentRuntime

/// An extension that serves one intent with one handler.
package struct SingleHandlerExtension<Handler: IntentHandling>: IntentExtension {
    package var handler: Handler
    private let provide: @Sendable (AppDependencyManager) -> Void

    package init(handler: Handler, provide: @escaping @Sendable (AppDependencyManager) -> Void = { _ in }) {
        (self.handler, self.provide) = (handler, provide)
    }

    package var intents: [any Intent.Type] { [Handler.IntentType.self] }
    package func handler(for intent: any Intent) -> (any IntentHandler)? { handler }
    package func provideDependencies(to manager: AppDependencyManager) { provide(manager) }
}

/// An extension whose intents perform themselves.
package struct SelfPerformingExtension: IntentExtension {
    package let intents: [any Intent.Type]
    package let localizations: [LocalizedTable]
    private let provide: @Sendable (AppDependencyManager) -> Void

    package init(
        _ intents: any Intent.Type..., localizations: [LocalizedTable] = [],
        provide: @escaping @Sendable (AppDependencyManager) -> Void = { _ in }
    ) {
        (self.intents, self.localizations, self.provide) = (intents, localizations, provide)
    }

    package func provideDependencies(to manager: AppDependencyManager) { provide(manager) }
}

extension IntentExtension {
    /// Returns a registry that serves only this extension.
    package func registry(dependencies: AppDependencyManager = AppDependencyManager()) throws -> IntentRegistry {
        try IntentRegistry([self], dependencies: dependencies)
    }
}

extension TestConversation {
    /// Starts a conversation in which the person requests the intent of a handler.
    package init<Handler: IntentHandling>(
        about handler: Handler, _ said: KeyValuePairs<String, String> = [:], by principal: Principal? = nil,
        gates: [Gate] = []
    ) async throws {
        try await self.init(with: [SingleHandlerExtension(handler: handler)], gates: gates)
        self.principal = principal
        try await request(Handler.IntentType.self, said)
    }

    /// Starts a conversation in which the person requests an intent that performs itself.
    package init(
        performing intent: any Intent.Type, _ said: KeyValuePairs<String, String> = [:],
        attributes: [String: JSON] = [:], provide: @escaping @Sendable (AppDependencyManager) -> Void = { _ in }
    ) async throws {
        try await self.init(with: [SelfPerformingExtension(intent, provide: provide)])
        try await request(intent, said, attributes: attributes)
    }
}
