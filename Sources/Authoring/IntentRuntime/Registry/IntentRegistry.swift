public import IntentKit

/// The intents that a process serves. The registry performs all phases of the intents.
public struct IntentRegistry: Sendable {
    /// An object, because it is looked up for each phase.
    final class Entry: Sendable {
        let definition: any AnyIntentBinding
        let server: any IntentExtension
        let localizations: LocalizedTable
        /// The origin of the intent, for messages.
        let origin: String
        /// The intent's policy; `nil` if it equals the default policy.
        let policy: IntentPolicy?

        init(
            definition: any AnyIntentBinding, server: any IntentExtension, localizations: LocalizedTable, origin: String
        ) {
            self.definition = definition
            self.server = server
            self.localizations = localizations
            self.origin = origin
            policy = definition.policy == IntentPolicy() ? nil : definition.policy
        }

        func check(_ dependencies: AppDependencyManager) throws(IntentRegistryError) {
            try definition.check(server, dependencies)
        }

        func hasHandler(_ dependencies: AppDependencyManager) -> Bool { definition.hasHandler(server, dependencies) }
    }

    /// The names of the intents, in the order of the extensions and of each extension's list.
    public let intents: [String]
    let entries: [Identifier: Entry]
    let dependencies: AppDependencyManager
    private let spokenValues: (any SpokenValueReading)?

    /// Checks every intent once, so that mistakes in declarations are found when the process starts.
    ///
    /// - Parameters:
    ///   - declared: Intents that are declared as values. They are served together with the intents of the extensions,
    ///     by the same rules.
    ///   - dependencies: The manager in which `@Dependency` looks up its value. Extensions do not replace dependencies
    ///     that it already has.
    ///   - spokenValues: Reads the person's words for parameters whose types do not read them, such as "tomorrow" for a
    ///     date. Without a reader, the person is asked for another value.
    /// - Throws: ``IntentRegistryError`` if an intent is served twice, a declaration is invalid, an intent's
    ///   `Parameters` do not match its `@Parameter`s, a handler does not handle the intent that it is returned for, an
    ///   extension has no handler at all or two for one intent, or a dependency of a handler is not provided.
    public init(
        _ extensions: [any IntentExtension], declared: [IntentDeclaration] = [],
        dependencies: AppDependencyManager = .shared,
        spokenValues: (any SpokenValueReading)? = nil
    ) throws(IntentRegistryError) {
        var entries: [Identifier: Entry] = [:]
        var intents: [String] = []
        func add(_ entry: Entry) throws(IntentRegistryError) {
            let name = entry.definition.name
            if let other = entries[Identifier(name)] {
                throw IntentRegistryError(
                    .intentServedTwice, "'\(name)' is served twice, by \(other.origin) and \(entry.origin)")
            }
            entries[Identifier(name)] = entry
            intents.append(name)
        }
        for server in extensions {
            let localizations = LocalizedTable(merging: server.localizations)
            server.provideDependencies(to: dependencies)
            let listed = try ListedExtension.listing(server, dependencies)
            for type in server.intents {
                let definition = try Self.define(type, localizations)
                let origin = server.typeName
                try add(Entry(definition: definition, server: listed, localizations: localizations, origin: origin))
            }
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
        for name in intents { try entries[Identifier(name)]?.check(dependencies) }
        for server in extensions {
            let served = server.intents.compactMap { entries[Identifier($0.name)] }
            if served.isEmpty || served.contains(where: { $0.hasHandler(dependencies) }) { continue }
            // A single intent may have no handler at present. If no intent has one, the extension's `handlers` or
            // `handler(for:)` most likely doesn't match the protocol's.
            let message = "\(server.typeName) has no handler for any of its intents"
            let advice = """
                list them in 'var handlers: [any IntentHandling]', or write 'func handler(for intent: any Intent) -> (any IntentHandler)?', with exactly \
                these types
                """
            throw IntentRegistryError(.handlerMissing, "\(message): \(advice)")
        }
        self.entries = entries
        self.intents = intents
        self.dependencies = dependencies
        self.spokenValues = spokenValues
    }

    /// The policy of an intent; `nil` if the intent has none, or is not served here.
    public func policy(of intent: String) -> IntentPolicy? { entries[Identifier(intent)]?.policy }

    /// Performs one phase of one intent, with a new handler.
    ///
    /// Cancelling the task cancels the handler. If the handler rethrows the `CancellationError`, the outcome is
    /// `.failed` with the disposition `.failure(.cancelled)`; if the handler returns a response, the response counts.
    ///
    /// - Parameter report: Called for each ``Context/report(fraction:dialog:)``, on the thread of the handler.
    public func perform(
        _ invocation: IntentInvocation, report: @escaping @Sendable (IntentProgress) -> Void = { _ in }
    ) async -> PhaseOutcome {
        // Binding a task-local value has a cost, so the dependencies and the translations are bound only if they are
        // needed.
        if dependencies !== AppDependencyManager.current {
            return await dependencies { await perform(invocation, report: report) }
        }
        let entry: Entry
        do { entry = try self.entry(of: invocation.intent) } catch { return .failed(error) }
        if entry.localizations.isEmpty || invocation.context.locale == nil {
            return await entry.definition.perform(invocation, by: entry.server, spokenValues, report: report)
        }
        return await LocalizedTable.$current.withValue(entry.localizations) {
            await entry.definition.perform(invocation, by: entry.server, spokenValues, report: report)
        }
    }

    /// Creates an intent from its parameters, as every phase does first. Nothing is looked up or resolved.
    ///
    /// - Throws: A rejection if the intent is not served here, has no such parameter, or a value is JSON of a kind that
    ///   its type never has.
    package func bind(_ parameters: [ParameterState], of intent: String) throws(IntentFailure) -> any Intent {
        try entry(of: intent).definition.bind(parameters)
    }

    /// The outcome for a service's reply to handle that arrives after handle has ended with `inProgress`. The reply is
    /// checked as if handle had returned it.
    ///
    /// - Parameter context: The known part of the context of the call of handle.
    /// - Throws: The failure for an invalid reply; a rejection if the intent is not served here.
    package func deferred(
        _ response: IntentResponse, of intent: String, in context: InvocationContext
    ) throws(IntentFailure) -> PhaseOutcome {
        let entry = try entry(of: intent)
        let context = Context(context, phase: .handle)
        let declared = entry.server as? DeclaredExtension
        return try entry.definition.deferred(try declared?.handler.checked(response, context) ?? response, context)
    }

    private func entry(of intent: String) throws(IntentFailure) -> Entry {
        if let entry = entries[Identifier(intent)] { return entry }
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
