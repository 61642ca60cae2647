import IntentKit
import IntentRuntime
import Messaging
import PipelineTestKit
import SampleData
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A directory that counts how often it is searched.
final class CountingDirectory: ContactDirectory {
    private let book: AddressBook
    private let names = Mutex<[String]>([])

    init(_ book: AddressBook) { self.book = book }

    var searches: [String] { names.withLock { $0 } }

    func contacts(named name: String) -> [Contact] {
        names.withLock { $0.append(name) }
        return book.contacts(named: name)
    }
    func contact(withIdentifier identifier: String) -> Contact? { book.contact(withIdentifier: identifier) }
    func groups() -> [MessageGroup] { book.groups() }
}

/// The messages domain with its own address book and mailbox for each test.
struct Desk {
    let contacts: CountingDirectory
    let mailbox: Mailbox
    let dependencies = DependencyManager()
    let registry: IntentRegistry

    /// - Parameter now: When messages are sent; defaults to 2026-01-06T09:00:00Z.
    init(_ book: AddressBook = .sample, now: Date = Date(timeIntervalSince1970: 1_767_690_000)) throws {
        let (contacts, mailbox) = (CountingDirectory(book), Mailbox(SampleStore()) { now })
        (self.contacts, self.mailbox) = (contacts, mailbox)
        dependencies.add(contacts as any ContactDirectory)
        dependencies.add(mailbox)
        registry = try IntentRegistry([MessageExtension()], dependencies: dependencies)
    }

    func perform(
        _ phase: Phase, _ intent: String, _ parameters: [ParameterState], key: String = "s/r", attributes: [String: JSON] = [:]
    ) async -> PhaseOutcome {
        let context = InvocationContext(session: "s", request: "r", idempotencyKey: key, attributes: attributes)
        return await registry.perform(IntentInvocation(phase: phase, intent: intent, parameters: parameters, context: context))
    }

    /// The result for one parameter.
    func resolve(
        _ name: String, of intent: String = "SendMessage", _ parameters: [ParameterState], attributes: [String: JSON] = [:]
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
