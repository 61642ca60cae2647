import Calls
import IntentKit
import IntentRuntime
import SampleData
import Synchronization

/// The domain with its own store. Records the names that are searched for.
struct Telephone {
    let registry: IntentRegistry
    private let searches = Searches()

    init(hasMissedCalls: Bool = true, hasService: Bool = true) throws {
        let dependencies = DependencyManager()
        dependencies.add(CallHistory(store: SampleStore(), hasMissedCalls: hasMissedCalls))
        dependencies.add(CallingService(isAvailable: hasService))
        let book = PhoneBook.sample.noting { [searches] in searches.note($0) }
        dependencies.add(book)
        registry = try IntentRegistry([CallsExtension()], dependencies: dependencies)
    }

    /// The names that were searched for so far.
    var searched: [String] { searches.names }

    func perform(
        _ phase: Phase, _ states: [ParameterState], key: String = "k", attributes: [String: JSON] = [:]
    ) async -> PhaseOutcome {
        let context = InvocationContext(session: "s", request: "r", idempotencyKey: key, attributes: attributes)
        return await registry.perform(IntentInvocation(phase: phase, intent: "StartCall", parameters: states, context: context))
    }

    func resolve(_ states: [ParameterState], attributes: [String: JSON] = [:]) async -> [String: ResolvedParameter] {
        guard case .resolved(let all) = await perform(.resolve, states, attributes: attributes) else { return [:] }
        return Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    }

    /// The result for one named person.
    func contact(_ said: JSON, attributes: [String: JSON] = [:]) async -> ParameterResolution? {
        await resolve([ParameterState(name: "contacts", value: .array([said]))], attributes: attributes)["contacts"]?.resolution
    }

    /// Resolves a call, and confirms or handles the result.
    func respond(
        _ phase: Phase, _ states: [ParameterState], key: String = "k", attributes: [String: JSON] = [:]
    ) async -> IntentResponse? {
        let resolved = await resolve(states, attributes: attributes)
        let known = resolved.values.compactMap { parameter in
            parameter.resolution.value.map { ParameterState(name: parameter.name, value: $0, origin: .resolved) }
        }
        guard case .responded(let response, _) = await perform(phase, known, key: key, attributes: attributes) else { return nil }
        return response
    }
}

private final class Searches: Sendable {
    private let state = Mutex<[String]>([])
    var names: [String] { state.withLock { $0 } }
    func note(_ name: String) { state.withLock { $0.append(name) } }
}

extension [ParameterState] {
    static func to(_ names: String..., kind: String? = nil, with capability: String? = nil) -> [ParameterState] {
        var states: [ParameterState] = []
        if !names.isEmpty { states.append(ParameterState(name: "contacts", value: .array(names.map { .string($0) }))) }
        if let kind { states.append(ParameterState(name: "destinationType", value: .string(kind))) }
        if let capability { states.append(ParameterState(name: "callCapability", value: .string(capability))) }
        return states
    }
}

extension ParameterResolution {
    var value: JSON? { if case .success(let value) = self { value } else { nil } }
    var options: [ParameterOption] { if case .disambiguation(let options, _) = self { options } else { [] } }
    var reason: String? { if case .unsupported(let reason, _) = self { reason } else { nil } }
    /// The numbers of the people in a list.
    var handles: [String]? { value?.view.elements.compactMap { $0["handle"]?.string } }
}
