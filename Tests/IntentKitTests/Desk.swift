import IntentKit
import IntentRuntime
import Synchronization

/// Serves one intent by one handler, for tests of declarations and their resolution.
struct Desk<Handler: IntentHandling>: IntentExtension {
    var handler: Handler
    var provide: @Sendable (DependencyManager) -> Void = { _ in }

    var intents: [any Intent.Type] { [Handler.IntentType.self] }
    func handler(for intent: any Intent) -> (any IntentHandler)? { handler }
    func provideDependencies(to manager: DependencyManager) { provide(manager) }

    func perform(
        _ phase: Phase, _ parameters: [ParameterState], attributes: [String: JSON] = [:], memory: [String: JSON] = [:],
        locale: String? = nil
    ) async throws -> PhaseOutcome {
        let registry = try IntentRegistry([self], dependencies: DependencyManager())
        let context = InvocationContext(session: "s", request: "r", locale: locale, attributes: attributes, memory: memory)
        return await registry.perform(
            IntentInvocation(phase: phase, intent: Handler.IntentType.name, parameters: parameters, context: context))
    }

    /// The results for all parameters.
    func resolveAll(
        _ parameters: [ParameterState], attributes: [String: JSON] = [:], memory: [String: JSON] = [:], locale: String? = nil
    ) async throws -> [ResolvedParameter] {
        let outcome = try await perform(.resolve, parameters, attributes: attributes, memory: memory, locale: locale)
        guard case .resolved(let all) = outcome else { throw Unexpected(outcome: outcome) }
        return all
    }

    /// The result for one parameter.
    func resolve(
        _ name: String, _ parameters: [ParameterState], attributes: [String: JSON] = [:], memory: [String: JSON] = [:],
        locale: String? = nil
    ) async throws -> ResolvedParameter {
        let all = try await resolveAll(parameters, attributes: attributes, memory: memory, locale: locale)
        guard let found = all.first(where: { $0.name == name }) else { throw Unexpected(outcome: .resolved(all)) }
        return found
    }

    /// The failure of a phase that must fail.
    func failure(_ phase: Phase, _ parameters: [ParameterState]) async throws -> IntentFailure {
        let outcome = try await perform(phase, parameters)
        guard case .failed(let failure) = outcome else { throw Unexpected(outcome: outcome) }
        return failure
    }
}

struct Unexpected: Error { var outcome: PhaseOutcome }

extension ResolvedParameter {
    /// The dialog of a resolution that has one.
    var dialog: String? {
        switch resolution {
        case .success, .notRequired: nil
        case .needsValue(let dialog), .disambiguation(_, let dialog), .confirmationRequired(_, let dialog), .unsupported(_, let dialog):
            dialog
        }
    }

    var reason: String? { if case .unsupported(let reason, _) = resolution { reason } else { nil } }
    var options: [ParameterOption] { if case .disambiguation(let options, _) = resolution { options } else { [] } }
}

extension JSON {
    init(_ text: String) { self.init(unchecked: Array(text.utf8)) }
}

/// Records entries from any thread.
final class Notebook: Sendable {
    private let entries = Mutex<[String]>([])

    func note(_ entry: String) { entries.withLock { $0.append(entry) } }
    var all: [String] { entries.withLock { $0 } }
    func count(_ prefix: String) -> Int { all.filter { $0.hasPrefix(prefix) }.count }
}
