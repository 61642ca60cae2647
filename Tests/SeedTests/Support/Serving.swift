import IntentKit
import IntentRuntime
import Synchronization

/// Serves one intent by one handler.
struct Serving<Handler: IntentHandling>: IntentExtension {
    let handler: Handler
    var provide: @Sendable (DependencyManager) -> Void = { _ in }

    var intents: [any Intent.Type] { [Handler.IntentType.self] }
    func handler(for intent: any Intent) -> (any IntentHandler)? { handler }
    func provideDependencies(to manager: DependencyManager) { provide(manager) }
}

/// Serves intents that perform themselves.
struct SelfServing: IntentExtension {
    var intents: [any Intent.Type]
    var localizations: [LocalizedTable] = []
    var provide: @Sendable (DependencyManager) -> Void = { _ in }

    init(
        _ intents: any Intent.Type..., localizations: [LocalizedTable] = [],
        provide: @escaping @Sendable (DependencyManager) -> Void = { _ in }
    ) {
        (self.intents, self.localizations, self.provide) = (intents, localizations, provide)
    }
    func provideDependencies(to manager: DependencyManager) { provide(manager) }
}

extension IntentExtension {
    func registry() throws -> IntentRegistry { try IntentRegistry([self], dependencies: DependencyManager()) }

    /// Performs one phase of one intent.
    func perform(
        _ phase: Phase, _ intent: any Intent.Type, _ parameters: [ParameterState] = [], isInApp: Bool = false, locale: String? = nil,
        memory: [String: JSON] = [:]
    ) async throws -> PhaseOutcome {
        let context = InvocationContext(
            session: "s", request: "r", idempotencyKey: "k", locale: locale, isInApp: isInApp, memory: memory)
        return try await registry().perform(
            IntentInvocation(phase: phase, intent: intent.name, parameters: parameters, context: context))
    }

    /// The result for one parameter in one round of resolution.
    func resolve(
        _ name: String, of intent: any Intent.Type, _ parameters: [ParameterState] = [], locale: String? = nil, memory: [String: JSON] = [:]
    ) async throws -> ParameterResolution? {
        guard case .resolved(let all) = try await perform(.resolve, intent, parameters, locale: locale, memory: memory) else { return nil }
        return all.first { $0.name == name }?.resolution
    }
}

extension ParameterState {
    static func said(_ name: String, _ words: String) -> ParameterState { ParameterState(name: name, value: .string(words)) }
    static func said(_ name: String, json: String) -> ParameterState {
        ParameterState(name: name, value: JSON(unchecked: Array(json.utf8)))
    }
}

extension PhaseOutcome {
    var response: IntentResponse? { if case .responded(let response, _) = self { response } else { nil } }
    var failure: IntentFailure? { if case .failed(let failure) = self { failure } else { nil } }
    var summary: String? { if case .responded(_, let confirmation) = self { confirmation?.summary } else { nil } }
}

extension ParameterResolution {
    var reason: String? { if case .unsupported(let reason, _) = self { reason } else { nil } }
    var options: [ParameterOption] { if case .disambiguation(let options, _) = self { options } else { [] } }
    var value: JSON? { if case .success(let value) = self { value } else { nil } }
}

/// Records what handlers do, on any thread.
final class Notebook: Sendable {
    private let entries = Mutex<[String]>([])
    func note(_ entry: String) { entries.withLock { $0.append(entry) } }
    var all: [String] { entries.withLock { $0 } }
    func count(_ prefix: String) -> Int { all.count { $0.hasPrefix(prefix) } }
}
