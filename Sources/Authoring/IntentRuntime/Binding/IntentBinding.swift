import IntentKit

/// An intent type as the registry serves it. Reflection and key paths are evaluated once.
final class IntentBinding<Subject: Intent>: AnyIntentBinding {
    let name: String
    let title: LocalizedText
    let description: LocalizedText?
    let prototype: Subject
    let bindings: [any AnyParameterBinding<Subject>]
    /// The names of the bindings, by index. Loops over the names are specialized; loops over the bindings would not be.
    let names: [String]
    /// The facts of each binding, which no value changes.
    let facts: [ParameterFacts]
    let identities: [ObjectIdentifier]
    /// The indices of the bindings whose values are found by a query.
    let lookedUp: [Int]
    /// For each binding, the words for "none in particular"; `nil` if no binding has such words.
    let noneWords: [Set<String>]?
    let confirmation: IntentConfirmationPolicy<Subject>
    let actionName: ConfirmationActionName
    let summary: CompiledSummary<Subject>
    /// The handler if the extension has none for the intent: the intent itself, if it is an ``AppIntent``.
    let performer: (any IntentHandler)?
    let policy: IntentPolicy
    let authenticationPolicy: IntentAuthenticationPolicy
    /// The sign-in for a person whom the intent asks to sign in.
    let signIn: SignIn
    let isUndoable: Bool
    let continueInAppAtConfirm: ContinueInAppAtConfirm

    /// - Parameter localizations: The translations of the intent's extension.
    /// - Throws: An error if the intent's `Parameters` do not match its `@Parameter`s.
    init(_ type: Subject.Type, localizations: LocalizedTable) throws(IntentRegistryError) {
        name = Subject.name
        title = Subject.title
        description = Subject.description
        prototype = Subject()
        actionName = Subject.confirmationActionName
        authenticationPolicy = Subject.authenticationPolicy
        signIn = Subject.signIn
        isUndoable = Subject.self is any UndoableIntent.Type
        continueInAppAtConfirm = Subject.continueInAppAtConfirm
        var policy = Subject.policy
        if Subject.effect == .atMostOnce { policy.effect = .atMostOnce }
        if let problem = policy.problem {
            throw IntentRegistryError(.declarationInvalid, "the policy of \(Subject.name) \(problem)")
        }
        self.policy = policy
        confirmation = Subject.confirmation.asking(for: policy.approval)
        bindings = try Self.bind(Subject.parameters, in: prototype, of: name)
        names = bindings.map(\.name)
        facts = bindings.map(\.facts)
        identities = bindings.map(\.identity)
        lookedUp = bindings.indices.filter { [bindings] in bindings[$0].isLookedUp }
        noneWords = bindings.contains { !$0.noneWords.isEmpty } ? bindings.map(\.noneWords) : nil
        performer = (Subject.self as? any AppIntent.Type).map { Self.performing($0) }
        summary = try CompiledSummary(
            Subject.parameterSummary.content, prototype, bindings, of: name, titled: title, table: localizations)
    }

    init(_ compiled: CompiledDeclaration) where Subject == DeclaredIntent {
        let declaration = compiled.declaration
        name = declaration.name
        title = declaration.title
        description = declaration.description
        prototype = DeclaredIntent()
        bindings = compiled.bindings
        names = bindings.map(\.name)
        facts = bindings.map(\.facts)
        identities = bindings.map(\.identity)
        lookedUp = bindings.indices.filter { [bindings] in bindings[$0].isLookedUp }
        noneWords = bindings.contains { !$0.noneWords.isEmpty } ? bindings.map(\.noneWords) : nil
        confirmation = compiled.confirmation.asking(for: declaration.policy.approval)
        actionName = declaration.confirmationActionName
        summary = compiled.summary
        performer = nil
        policy = declaration.policy
        authenticationPolicy = declaration.authenticationPolicy
        signIn = declaration.signIn
        isUndoable = false
        continueInAppAtConfirm = declaration.continueInAppAtConfirm
    }

    private static func performing<Performed: AppIntent>(_ type: Performed.Type) -> any IntentHandler {
        PerformHandling<Performed>()
    }

    private static func bind(
        _ parameters: Parameters<Subject>, in prototype: Subject, of intent: String
    ) throws(IntentRegistryError) -> [any AnyParameterBinding<Subject>] {
        var names: [(identity: ObjectIdentifier, name: String)] = []
        for child in Mirror(reflecting: prototype).children {
            if let parameter = child.value as? any AnyParameter, let label = child.label {
                names.append((parameter.identity, String(label.drop { $0 == "_" })))
            }
        }
        var bindings: [any AnyParameterBinding<Subject>] = []
        let binder = ParameterBinder(names: names, intent: intent, prototype: prototype)
        for declaration in parameters.declarations {
            guard let binding = declaration.accept(binder) else {
                throw IntentRegistryError(
                    .parameterUnknown, "Parameters of \(intent) name something that is not a @Parameter stored in it")
            }
            if bindings.contains(where: { $0.name == binding.name }) {
                throw IntentRegistryError(.parameterDoubled, "Parameters of \(intent) name '\(binding.name)' twice")
            }
            bindings.append(binding)
        }
        for binding in bindings {
            if let problem = binding.declarationProblem {
                throw IntentRegistryError(.declarationInvalid, "parameter '\(binding.name)' of \(intent) \(problem)")
            }
        }
        let missing = names.map(\.name).filter { name in !bindings.contains { $0.name == name } }
        if !missing.isEmpty {
            let list = missing.map { "'\($0)'" }.joined(separator: ", ")
            throw IntentRegistryError(
                .parameterMissing, "Parameters of \(intent) lack \(list): every @Parameter has to be in there")
        }
        return bindings
    }
}

/// A type-erased ``IntentBinding``.
protocol AnyIntentBinding: Sendable {
    var name: String { get }
    /// Checks the handlers of an extension for the intent.
    ///
    /// - Throws: An error if a handler that the extension returns for the intent does not handle it, or has a
    ///   dependency that is not provided.
    func check(_ server: any IntentExtension, _ dependencies: AppDependencyManager) throws(IntentRegistryError)
    /// `true` if the extension returns a handler for the intent, in a worker or in the app, or if the intent performs
    /// itself.
    func hasHandler(_ server: any IntentExtension, _ dependencies: AppDependencyManager) -> Bool
    func hasHandler(_ server: any IntentExtension, inApp: Bool, _ dependencies: AppDependencyManager) -> Bool
    func describe(in locale: String?) -> IntentCatalogEntry
    /// The intent's timeouts, retries and limits.
    var policy: IntentPolicy { get }
    var authenticationPolicy: IntentAuthenticationPolicy { get }
    func bind(_ parameters: [ParameterState]) throws(IntentFailure) -> any Intent
    func perform(
        _ invocation: IntentInvocation, by server: any IntentExtension, _ spokenValues: (any SpokenValueReading)?,
        report: @escaping @Sendable (IntentProgress) -> Void
    ) async -> PhaseOutcome
    func deferred(_ response: IntentResponse, _ context: Context) throws(IntentFailure) -> PhaseOutcome
}
