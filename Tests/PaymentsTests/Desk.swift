import IntentKit
import IntentRuntime
import Payments
import PipelineTestKit
import SampleData
import Synchronization

/// A directory that counts how often it is searched.
final class CountingDirectory: PayeeDirectory {
    private let list: PayeeList
    private let names = Mutex<[String]>([])

    init(_ list: PayeeList) { self.list = list }

    var searches: [String] { names.withLock { $0 } }

    func payees(named name: String) -> [Payee] {
        names.withLock { $0.append(name) }
        return list.payees(named: name)
    }
    func payee(withIdentifier identifier: String) -> Payee? { list.payee(withIdentifier: identifier) }
}

/// The payments domain with its own payees and bank for each test.
struct Desk {
    let payees: CountingDirectory
    let bank: Bank
    let registry: IntentRegistry

    /// - Parameters:
    ///   - store: The store of another desk, to continue where that one stopped.
    init(_ list: PayeeList = .sample, tariff: Tariff = .standard, store: SampleStore = SampleStore()) throws {
        let (payees, bank) = (CountingDirectory(list), Bank(store, tariff: tariff))
        (self.payees, self.bank) = (payees, bank)
        let dependencies = DependencyManager()
        dependencies.add(payees as any PayeeDirectory)
        dependencies.add(bank)
        registry = try IntentRegistry([PaymentExtension()], dependencies: dependencies)
    }

    func perform(
        _ phase: Phase, _ intent: String, _ parameters: [ParameterState], key: String = "s/r", attributes: [String: JSON] = [:]
    ) async -> PhaseOutcome {
        let context = InvocationContext(session: "s", request: "r", idempotencyKey: key, attributes: attributes)
        return await registry.perform(IntentInvocation(phase: phase, intent: intent, parameters: parameters, context: context))
    }

    /// The result for one parameter.
    func resolve(
        _ name: String, of intent: String = "SendPayment", _ parameters: [ParameterState], attributes: [String: JSON] = [:]
    ) async throws -> ResolvedParameter {
        let outcome = await perform(.resolve, intent, parameters, attributes: attributes)
        guard case .resolved(let all) = outcome, let found = all.first(where: { $0.name == name }) else { throw Unexpected(outcome) }
        return found
    }

    /// The response of confirm or handle.
    func respond(
        _ phase: Phase, _ intent: String, _ parameters: [ParameterState], key: String = "s/r", attributes: [String: JSON] = [:]
    ) async throws -> IntentResponse {
        let outcome = await perform(phase, intent, parameters, key: key, attributes: attributes)
        guard case .responded(let response, _) = outcome else { throw Unexpected(outcome) }
        return response
    }

    /// A whole pipeline that serves the domain.
    func conversation() async throws -> TestConversation {
        let pipeline = try await TestPipeline { [registry] in await registry.perform($0, report: $1) }
        try pipeline.startAll()
        try await pipeline.settle()
        return TestConversation(pipeline)
    }
}

struct Unexpected: Error {
    var outcome: PhaseOutcome
    init(_ outcome: PhaseOutcome) { self.outcome = outcome }
}

extension ParameterState {
    /// A value as a person says it.
    static func said(_ name: String, _ text: String) -> ParameterState { ParameterState(name: name, value: .string(text)) }
}

extension ParameterResolution {
    var reason: String? { if case .unsupported(let reason, _) = self { reason } else { nil } }
    var options: [ParameterOption] { if case .disambiguation(let options, _) = self { options } else { [] } }
}
