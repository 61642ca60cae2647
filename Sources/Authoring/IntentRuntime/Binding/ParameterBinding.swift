import IntentKit

/// One parameter of one intent type, with its name. A parameter can be read, resolved and written without knowledge of
/// its value's type.
protocol ParameterBinding<Subject>: CatalogedParameter, Sendable {
    associatedtype Subject: Intent
    var name: String { get }
    var identity: ObjectIdentifier { get }
    /// `true` if only workers may see the value.
    var isSecret: Bool { get }
    /// The key under which the value is remembered.
    var memoryKey: String? { get }
    /// The scope in which the value is remembered.
    var memoryScope: MemoryScope { get }
    /// The problem of the declaration, as the rest of a sentence after "it"; `nil` if the declaration is valid.
    var declarationProblem: String? { get }
    /// `true` if ``lookUp(_:_:isResolving:_:)`` has something to do.
    var isLookedUp: Bool { get }
    /// `true` if ``violation(in:)`` may reject a value.
    var isRestricted: Bool { get }
    /// Words for "none in particular", folded; empty if a value is required.
    var noneWords: Set<String> { get }
    /// `true` if a rule of a handler can be about this parameter.
    func accepts(_ step: any ResolutionStep<Subject>) -> Bool
    func title(in locale: String?) -> String

    /// Decodes the JSON value into the intent, if the type alone can convert it.
    ///
    /// - Throws: A rejection if this kind of JSON is never a value of the type.
    func decode(_ state: ParameterState, into intent: inout Subject) throws(IntentFailure) -> GivenParameter
    /// Finds the entities that are named by their identifiers. Every phase does this first.
    ///
    /// - Parameter isResolving: `true` if the parameter is resolved next. The person then learns which entities can't
    ///   be found.
    /// - Throws: A failure if an entity that existed when the parameter was resolved no longer exists.
    func lookUp(_ intent: inout Subject, _ given: inout GivenParameter, isResolving: Bool, _ context: Context)
        async throws
    /// Fills in the default. Returns `false` if the parameter is required and still has no value.
    func complete(_ intent: inout Subject, _ context: Context) -> Bool
    /// The rule of the declaration that the value in the intent breaks, as "is …" or "has …"; `nil` if the declaration
    /// allows the value. Rules that only code can check, such as a provider's options, are not included.
    func violation(in intent: Subject) -> String?
    /// Removes the value from an intent that continues without it. A constant default replaces a required value.
    ///
    /// - Returns: `true` if the parameter is complete.
    func omitValue(in intent: inout Subject) -> Bool
    /// The source of a value that was not given.
    func source(of value: JSON, _ context: Context) -> ParameterState.Provenance.Source
    /// Removes the value from the intent.
    func clear(_ intent: inout Subject)
    /// The question for the person; `nil` if the declaration has none.
    func prompt(_ kind: ParameterPrompts.Kind, in locale: String?) -> String?
    /// Resolves a parameter without a ``Resolve``; returns `nil` if the parameter has to wait for its options. An
    /// `await` costs microseconds even if it does not suspend.
    func resolveImmediately(_ intent: inout Subject, given: GivenParameter, context: Context) throws
        -> ParameterResolution?
    /// Resolves the parameter and stores the result in the intent.
    func resolve(
        _ intent: inout Subject, given: GivenParameter, step: (any ResolutionStep<Subject>)?, context: Context
    ) async throws -> BindingResolution

    /// The options to offer after a plain question did not help; empty if there are none.
    ///
    /// - Parameter ofElement: `true` if the question is about one value of a list.
    func alternatives(ofElement: Bool, _ context: Context) async throws -> [ParameterOption]

    func value(in intent: Subject) -> (any ParameterValue)?
    /// The value for other processes; `nil` for a secret.
    func json(in intent: Subject) -> JSON?
    /// The value in words; `nil` if there is no value or it is secret.
    func text(in intent: Subject, locale: String?) -> String?
    /// The values that the parameter may have, for a prompt: the type with a JSON Schema, the range, and the input
    /// options.
    ///
    /// - Parameter ofElement: `true` if the prompt is about one value of a list.
    func declaration(ofElement: Bool, in locale: String?) -> JSON
}

/// A ``ParameterBinding`` with the type of its value: the members that all bindings have in common.
protocol KeyPathBinding<Subject>: ParameterBinding {
    associatedtype Value: ParameterType
    var keyPath: any WritableKeyPath<Subject, Parameter<Value>> & Sendable { get }
    var definition: ParameterSpecification<Value.Base> { get }
}

extension KeyPathBinding {
    typealias Base = Value.Base

    func accepts(_ step: any ResolutionStep<Subject>) -> Bool {
        if step is FulfilmentStep<Subject> { return true }
        guard let step = step as? Resolve<Subject, Value> else { return false }
        if case .each = step.body { return Base.listForm != nil }
        return step.conclusion == nil || Base.listForm != nil
    }

    var identity: ObjectIdentifier { ObjectIdentifier(definition) }
    var isSecret: Bool { definition.isSecret }
    var memoryScope: MemoryScope { definition.memory.owner }

    var declarationProblem: String? {
        if let memoryKey, !(ParameterMemory.keyLength ~= memoryKey.utf8.count) {
            return
                "is remembered by a key of \(memoryKey.utf8.count) bytes; it has to have \(ParameterMemory.keyLength.lowerBound) to "
                + "\(ParameterMemory.keyLength.upperBound)"
        }
        return nil
    }

    var noneWords: Set<String> { Value.isRequired ? [] : definition.noneWords }
    var field: String { "parameters.\(name)" }
    func title(in locale: String?) -> String { definition.title.text(in: locale) }

    func clear(_ intent: inout Subject) { intent[keyPath: keyPath].value = nil }

    func prompt(_ kind: ParameterPrompts.Kind, in locale: String?) -> String? {
        let prompts = definition.prompts
        return switch kind {
        case .value: prompts.value?.text(in: locale)
        case .choice: (prompts.choice ?? prompts.value)?.text(in: locale)
        case .confirmation: prompts.confirmation?.text(in: locale)
        }
    }

    func source(of value: JSON, _ context: Context) -> ParameterState.Provenance.Source {
        var source: ParameterState.Provenance.Source?
        for each in definition.default?.sources ?? [] {
            let (named, found): (JSON?, ParameterState.Provenance.Source) =
                switch each {
                case .constant(let constant): (JSON(constant), .default)
                case .attribute(let name): (context.attributes[name], .attribute)
                case .remembered: (memoryKey.flatMap { context.memory[$0] }, .remembered)
                }
            if named == value { return found }
            // This may be a text that stands for the value. A constant is the value itself.
            if named != nil, found != .default { source = source ?? found }
        }
        return source ?? .resolver
    }

    func value(in intent: Subject) -> (any ParameterValue)? { intent[keyPath: keyPath].value }
    func json(in intent: Subject) -> JSON? { isSecret ? nil : intent[keyPath: keyPath].value.map { JSON($0) } }

    func text(in intent: Subject, locale: String?) -> String? {
        isSecret ? nil : intent[keyPath: keyPath].value?.displayText(in: locale).onOneLine
    }

    /// Checks that a parameter without a value is not required.
    ///
    /// - Throws: A failure if a required parameter was resolved as not required.
    func checkNotRequired(_ intent: Subject) throws(IntentFailure) {
        guard Value.isRequired, intent[keyPath: keyPath].value == nil, definition.default == nil else { return }
        let message =
            "'\(name)' was resolved as not required, but its type is not optional: declare it as \(Base.self)?"
        throw IntentFailure(.failure(.failure), reason: .unexpected, message: message, field: field)
    }

    func omitValue(in intent: inout Subject) -> Bool {
        if Value.isRequired, definition.default?.constant == nil { return false }
        intent[keyPath: keyPath].value = Value.isRequired ? definition.default?.constant : nil
        intent[keyPath: keyPath].isOmitted = !Value.isRequired
        return true
    }

    /// The failure for an entity that no longer exists. It does not name the value, because other processes must not
    /// learn it.
    func entityNotFound() -> IntentFailure {
        let message = "entityNotFound: what \(field) names is no longer there"
        return IntentFailure(.failure(.entityNotFound), reason: .invalid, message: message, field: field)
    }
}

/// Creates the kind of binding that fits its value's type.
struct ParameterBinder<Subject: Intent>: ParameterEntryVisitor {
    let name: String
    /// The intent's name.
    let intent: String
    let prototype: Subject

    func visit<Value: ParameterType>(
        _ keyPath: any WritableKeyPath<Subject, Parameter<Value>> & Sendable
    ) -> any ParameterBinding<Subject> {
        let definition = prototype[keyPath: keyPath].definition
        if let form = Value.Base.listForm { return ListBinding(name, of: intent, keyPath, definition, form) }
        if Value.Base.entityForm(nil) != nil { return EntityBinding(name, of: intent, keyPath, definition) }
        return TypedBinding(name, of: intent, keyPath, definition)
    }
}

/// The state of a parameter before it is resolved, in addition to the value that is decoded into the intent.
struct GivenParameter {
    /// The origin of the value; `nil` if the invocation does not mention the parameter.
    var origin: ParameterState.Origin?
    /// `true` if the person said in words that they want no particular value.
    var isNone = false
    /// The given value; `nil` if it was `null`.
    var json: JSON?
    /// `true` if the intent has the value.
    var isRead = false
    /// The given text, if the type can't convert it.
    var text: String?
    /// The likelihood that the value is what the person means, according to the request.
    var confidence: Double?
    /// The reason why a converter rejects a readable value.
    var refusal: UnsupportedValue?
    /// The given values one by one, for a list or an entity.
    var items: [GivenItem]?
}

/// One given value of a list, or one given entity.
struct GivenItem {
    var json: JSON
    var origin: ParameterState.Origin
    /// The value that the type has converted, or that an entity's query has found.
    var value: (any ParameterValue)?
    /// The given text, if the type can't convert it.
    var text: String?
    /// The reason why a converter rejects a readable value.
    var refusal: UnsupportedValue?
}

/// The result of resolving a parameter.
struct BindingResolution {
    var resolution: ParameterResolution
    var element: ListElement?
    /// The text to read where the dialog is said aloud, if the person is asked.
    var supportingDialog: String?
    /// The interpretation of the person's words, and the likelihood that it is what the person means.
    var reading: (interpreted: JSON, confidence: Double)?

    init(_ resolution: ParameterResolution, _ element: ListElement? = nil, supporting: String? = nil) {
        self.resolution = resolution
        self.element = element
        supportingDialog = supporting
    }
}

/// The options to offer if a plain question does not help.
extension ParameterBinding {
    /// - Parameter rules: The rules of the parameter, or of each value of a list.
    func alternatives<Item>(by rules: ValueRules<Item>, _ context: Context) async throws -> [ParameterOption] {
        let values = try await rules.offered()
        return values.count < 2 ? [] : ParameterOption.list(values, in: context.locale)
    }
}

extension TypedBinding {
    func alternatives(ofElement: Bool, _ context: Context) async throws -> [ParameterOption] {
        try await alternatives(by: rules, context)
    }
}

extension EntityBinding {
    func alternatives(ofElement: Bool, _ context: Context) async throws -> [ParameterOption] {
        try await alternatives(by: rules, context)
    }
}

extension ListBinding {
    /// If the whole list is asked for, each option is a list of one.
    func alternatives(ofElement: Bool, _ context: Context) async throws -> [ParameterOption] {
        let options = try await alternatives(by: rules, context)
        if ofElement { return options }
        return options.map { option in
            var option = option
            option.value = .array([option.value])
            return option
        }
    }
}

extension ParameterResolution {
    /// `true` if nothing is left to ask about.
    var isResolved: Bool {
        switch self {
        case .success, .notRequired: true
        case .needsValue, .disambiguation, .confirmationRequired, .unsupported: false
        }
    }

    /// `true` if the person has to name a value without options.
    var isOpenQuestion: Bool {
        switch self {
        case .needsValue, .unsupported: true
        case .success, .notRequired, .disambiguation, .confirmationRequired: false
        }
    }
}
