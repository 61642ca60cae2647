import IntentKit
import IntentRuntime
import PipelineTestKit
import SampleDomains

/// The calls domain with its own store for each test. The fixture records the names that are searched for.
struct CallsFixture {
    let registry: IntentRegistry
    private let searches = Recorder<String>()

    init(hasMissedCalls: Bool = true, hasService: Bool = true) throws {
        let book = PhoneBook.sample.noting { [searches] in searches.record($0) }
        let calls = CallsExtension(
            book: book, history: CallHistory(store: SampleStore(), hasMissedCalls: hasMissedCalls),
            service: CallingService(isAvailable: hasService))
        registry = try IntentRegistry([calls], dependencies: AppDependencyManager())
    }

    /// The names that were searched for so far.
    var searched: [String] { searches.all }

    /// The result for each parameter of a call.
    func resolve(
        _ states: [ParameterState], attributes: [String: JSON] = [:], principal: Principal? = nil
    ) async throws -> [String: ResolvedParameter] {
        let all = try await registry.resolve("StartCall", states, attributes: attributes, principal: principal)
        return Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    }

    /// The result for one named person.
    func contact(_ said: JSON, for principal: Principal? = nil) async throws -> ParameterResolution? {
        try await resolve([ParameterState(name: "contacts", value: .array([said]))], principal: principal)["contacts"]?
            .resolution
    }

    /// Resolves a call, and confirms or handles the result.
    func respond(
        _ phase: Phase, _ states: [ParameterState], idempotencyKey: String = "s/r", attributes: [String: JSON] = [:]
    ) async throws -> IntentResponse {
        let resolved = try await resolve(states, attributes: attributes)
        let known = resolved.values.compactMap { parameter in
            parameter.resolution.value.map { ParameterState(name: parameter.name, value: $0, origin: .resolved) }
        }
        return try await registry.respond(
            phase, "StartCall", known, idempotencyKey: Identifier(idempotencyKey), attributes: attributes)
    }
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
    /// The numbers of the people in a list.
    var handles: [String]? { value?.view.elements.compactMap { $0["handle"]?.string } }
}
