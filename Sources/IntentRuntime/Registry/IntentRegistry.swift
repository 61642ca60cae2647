public import IntentKit

/// The intents that a process serves, and the one place through which each of their phases is performed.
public struct IntentRegistry: Sendable {
    struct Entry: Sendable {
        let definition: any AnyIntentBinding
        let server: any IntentExtension
        let localizations: LocalizedTable
        /// Where it comes from, for messages.
        let origin: String

        func check(_ dependencies: DependencyManager) throws(IntentRegistryError) { try definition.check(server, dependencies) }

        func hasHandler(_ dependencies: DependencyManager) -> Bool { definition.hasHandler(server, dependencies) }
    }

    /// The names of the intents, in the order of the extensions and their lists.
    public let intents: [String]
    let entries: [String: Entry]
    private let dependencies: DependencyManager

    /// Looks at every intent once, so that mistakes in declarations show when the process starts.
    ///
    /// - Parameters:
    ///   - declared: Intents that are declared as values. They are served beside those of the extensions, by the same rules.
    ///   - dependencies: Where `@Dependency` looks. What is in there already is not replaced by what the extensions provide.
    /// - Throws: ``IntentRegistryError`` if the same intent is served twice, a declaration makes no sense, an intent's `Parameters` are not its `@Parameter`s, a handler is
    ///   not one of the intent that it is returned for, an extension returns none at all, or something that handlers need is provided by nobody.
    public init(
        _ extensions: [any IntentExtension], declared: [IntentDeclaration] = [], dependencies: DependencyManager = .shared
    ) throws(IntentRegistryError) {
        var entries: [String: Entry] = [:]
        var intents: [String] = []
        func add(_ entry: Entry) throws(IntentRegistryError) {
            let name = entry.definition.name
            if let other = entries[name] {
                throw IntentRegistryError(.intentServedTwice, "'\(name)' is served twice, by \(other.origin) and \(entry.origin)")
            }
            entries[name] = entry
            intents.append(name)
        }
        for server in extensions {
            let localizations = LocalizedTable(merging: server.localizations)
            for type in server.intents {
                let definition = try Self.define(type, localizations)
                let origin = "\(Swift.type(of: server))"
                try add(Entry(definition: definition, server: server, localizations: localizations, origin: origin))
            }
            server.provideDependencies(to: dependencies)
        }
        var problems: [String] = []
        for declaration in declared {
            var own: [DeclarationProblem] = []
            if let compiled = CompiledDeclaration(declaration, problems: &own) {
                try add(
                    Entry(
                        definition: IntentBinding(compiled), server: DeclaredExtension(handler: compiled.handler),
                        localizations: LocalizedTable(merging: []), origin: declaration.source ?? "a declaration"))
            }
            let place = declaration.source.map { "\($0): " } ?? ""
            problems += own.map { "\(place)\(declaration.name)\($0.path.isEmpty ? ": " : ".")\($0)" }
        }
        if !problems.isEmpty { throw IntentRegistryError(.declarationInvalid, problems.joined(separator: "\n")) }
        for name in intents { try entries[name]?.check(dependencies) }
        for server in extensions {
            let served = server.intents.compactMap { entries[$0.name] }
            if served.isEmpty || served.contains(where: { $0.hasHandler(dependencies) }) { continue }
            // One intent may be without a handler at present. Without any, `handler(for:)` was most likely not found by its signature.
            let message = "\(Swift.type(of: server)) returns no handler for any of its intents"
            let advice = "write 'func handler(for intent: any Intent) -> (any IntentHandler)?', with exactly these types"
            throw IntentRegistryError(.handlerMissing, "\(message): \(advice)")
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
        let entry: Entry
        do { entry = try self.entry(of: invocation.intent) } catch { return .failed(error) }
        // Each of the two costs something, so only who needs it pays.
        if dependencies !== DependencyManager.current {
            return await dependencies { await perform(invocation, report: report) }
        }
        if entry.localizations.isEmpty || invocation.context.locale == nil {
            return await entry.definition.perform(invocation, by: entry.server, report: report)
        }
        return await LocalizedTable.$current.withValue(entry.localizations) {
            await entry.definition.perform(invocation, by: entry.server, report: report)
        }
    }

    /// Makes an intent of what is known of its parameters, as every phase begins. Nothing is looked up or resolved.
    ///
    /// - Throws: A rejection if the intent is not served here, has no such parameter, or a value is JSON of a kind that its type never has.
    package func bind(_ parameters: [ParameterState], of intent: String) throws(IntentFailure) -> any Intent {
        try entry(of: intent).definition.bind(parameters)
    }

    private func entry(of intent: String) throws(IntentFailure) -> Entry {
        if let entry = entries[intent] { return entry }
        let served = intents.isEmpty ? "no intents" : intents.joined(separator: ", ")
        let message = "no handler for '\(intent.prefix(80))'; this worker serves \(served)"
        throw IntentFailure(.reject, reason: .unsupported, message: message, field: "intent")
    }

    private static func define(
        _ type: any Intent.Type, _ localizations: LocalizedTable
    ) throws(IntentRegistryError) -> any AnyIntentBinding {
        func open<Subject: Intent>(_ type: Subject.Type) throws(IntentRegistryError) -> any AnyIntentBinding {
            try IntentBinding(type, localizations: localizations)
        }
        return try open(type)
    }
}
