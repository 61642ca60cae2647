import IntentKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How long the handlers of the sample domains wait before they handle an intent, as if they called a service: the milliseconds in the environment variable
/// `INTENTS_SAMPLE_DELAY`. Trails has no handlers, so its intents don't wait.
enum SampleDelay {
    /// The extensions with handlers that wait; the extensions themselves if the variable has no positive number.
    static func applied(to extensions: [any IntentExtension]) -> [any IntentExtension] {
        guard let text = ProcessInfo.processInfo.environment["INTENTS_SAMPLE_DELAY"], let milliseconds = Int64(text), milliseconds > 0
        else {
            return extensions
        }
        return extensions.map { DelayedExtension(base: $0, delay: .milliseconds(milliseconds)) }
    }
}

/// An extension whose handlers wait before they handle.
struct DelayedExtension: IntentExtension {
    let base: any IntentExtension
    let delay: Duration

    var intents: [any Intent.Type] { base.intents }
    var localizations: [LocalizedTable] { base.localizations }

    func provideDependencies(to manager: AppDependencyManager) { base.provideDependencies(to: manager) }
    func handler(for intent: any Intent) -> (any IntentHandler)? { base.handler(for: intent).map(delayed) }
    func application(handlerFor intent: any Intent) -> (any IntentHandler)? { base.application(handlerFor: intent).map(delayed) }

    private func delayed(_ handler: any IntentHandler) -> any IntentHandler {
        DelayedHandler(handlings: handler.handlings.map { delayed($0) })
    }

    private func delayed<Base: IntentHandling>(_ handling: Base) -> any IntentHandling { DelayedHandling(base: handling, delay: delay) }
}

/// The handler of a ``DelayedExtension``.
struct DelayedHandler: IntentHandler {
    let handlings: [any IntentHandling]
}

/// The handling of one intent that waits first.
struct DelayedHandling<Base: IntentHandling>: IntentHandling {
    let base: Base
    let delay: Duration

    // `return` turns the result builder off.
    var resolution: Base.ResolutionContent { return base.resolution }

    func confirm(_ intent: Base.IntentType, context: Context) async throws -> IntentResponse {
        try await base.confirm(intent, context: context)
    }

    func handle(_ intent: Base.IntentType, context: Context) async throws -> IntentResponse {
        try await ContinuousClock().sleep(for: delay)
        return try await base.handle(intent, context: context)
    }
}

extension DelayedHandling: LiveUpdating where Base: LiveUpdating {
    func sendUpdates(for intent: Base.IntentType, to observer: UpdateObserver, context: Context) async throws {
        try await base.sendUpdates(for: intent, to: observer, context: context)
    }
}
