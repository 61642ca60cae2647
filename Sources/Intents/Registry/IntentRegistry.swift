/// The intents that a process serves, and the one place through which each of their phases is performed.
public struct IntentRegistry: Sendable {
    private struct Entry: Sendable {
        let definition: any AnyIntentDefinition
        let server: any IntentExtension
    }

    /// The names of the intents, in the order of the extensions and their lists.
    public let intents: [String]
    private let entries: [String: Entry]
    private let dependencies: DependencyManager

    /// Looks at every intent once, so that mistakes in declarations show when the process starts.
    ///
    /// - Parameter dependencies: Where `@Dependency` looks. What is in there already is not replaced by what the extensions provide.
    /// - Throws: ``IntentRegistryError`` if two extensions serve the same intent, or an intent's `Parameters` are not its `@Parameter`s.
    public init(_ extensions: [any IntentExtension], dependencies: DependencyManager = .shared) throws(IntentRegistryError) {
        var entries: [String: Entry] = [:]
        var intents: [String] = []
        for server in extensions {
            for type in server.intents {
                let definition = try Self.define(type)
                if let other = entries[definition.name] {
                    let both = "\(Swift.type(of: other.server)) and \(Swift.type(of: server))"
                    let message = "'\(definition.name)' is served twice, by \(both)"
                    throw IntentRegistryError(.intentServedTwice, message)
                }
                entries[definition.name] = Entry(definition: definition, server: server)
                intents.append(definition.name)
            }
            server.provideDependencies(to: dependencies)
        }
        self.entries = entries
        self.intents = intents
        self.dependencies = dependencies
    }

    /// What an intent asks of the conversations about it; `nil` if that is nothing, or it is not served here.
    public func policy(of intent: String) -> IntentPolicy? {
        guard let policy = entries[intent]?.definition.policy, policy != IntentPolicy() else { return nil }
        return policy
    }

    /// Performs one phase of one intent, with a new handler.
    ///
    /// Cancelling the task cancels the handler. A handler that lets the `CancellationError` through makes the outcome
    /// `.failed` with the disposition `.failure(.cancelled)`; one that answers all the same is heard.
    ///
    /// - Parameter report: Called for each ``Context/report(fraction:dialog:)``, on whatever thread the handler runs.
    public func perform(
        _ invocation: IntentInvocation, report: @escaping @Sendable (IntentProgress) -> Void = { _ in }
    ) async -> PhaseOutcome {
        guard let entry = entries[invocation.intent] else {
            let served = intents.isEmpty ? "no intents" : intents.joined(separator: ", ")
            let message = "no handler for '\(invocation.intent.prefix(80))'; this worker serves \(served)"
            return .failed(IntentFailure(.reject, reason: .unsupported, message: message, field: "intent"))
        }
        if dependencies === DependencyManager.current {
            return await entry.definition.perform(invocation, by: entry.server, report: report)
        }
        return await dependencies { await entry.definition.perform(invocation, by: entry.server, report: report) }
    }

    private static func define(_ type: any Intent.Type) throws(IntentRegistryError) -> any AnyIntentDefinition {
        func open<Subject: Intent>(_ type: Subject.Type) throws(IntentRegistryError) -> any AnyIntentDefinition {
            try IntentDefinition(type)
        }
        return try open(type)
    }
}
