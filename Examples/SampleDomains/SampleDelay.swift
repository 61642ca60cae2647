import IntentKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The time that the handlers of the sample domains wait before they handle an intent, as if they called a service: the
/// milliseconds in the environment variable `INTENTS_SAMPLE_DELAY`.
enum SampleDelay {
    /// The extensions with handlers that wait. Without a positive number in the variable, the extensions themselves.
    static func applied(to extensions: [any IntentExtension]) -> [any IntentExtension] {
        guard let text = ProcessInfo.processInfo.environment["INTENTS_SAMPLE_DELAY"], let milliseconds = Int64(text),
            milliseconds > 0
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

    // `return` turns the result builder off.
    var handlers: [any IntentHandling] { return base.handlers.map { delayed($0) } }
    var appHandlers: [any IntentHandling] { return base.appHandlers.map { delayed($0) } }
    var intents: [any Intent.Type] { base.intents }
    var localizations: [LocalizedTable] { base.localizations }

    func provideDependencies(to manager: AppDependencyManager) { base.provideDependencies(to: manager) }
    private func delayed<Base: IntentHandling>(_ handling: Base) -> any IntentHandling {
        DelayedHandling(base: handling, delay: delay)
    }
}

/// Handles one intent after a wait.
struct DelayedHandling<Base: IntentHandling>: IntentHandling {
    let base: Base
    let delay: Duration

    // `return` turns the result builder off.
    var resolution: Base.ResolutionContent { return base.resolution }

    func confirm(_ intent: Base.IntentType, context: Context) async throws -> ConfirmResponse {
        try await base.confirm(intent, context: context)
    }

    func handle(_ intent: Base.IntentType, context: Context) async throws -> HandleResponse {
        try await ContinuousClock().sleep(for: delay)
        return try await base.handle(intent, context: context)
    }
}

extension DelayedHandling: LiveUpdating where Base: LiveUpdating {
    func sendUpdates(for intent: Base.IntentType, to observer: UpdateObserver, context: Context) async throws {
        try await base.sendUpdates(for: intent, to: observer, context: context)
    }
}
