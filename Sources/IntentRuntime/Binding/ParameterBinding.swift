import IntentKit

/// One parameter of one intent type with its name, ready to be read, resolved and written without knowing its value's type.
protocol ParameterBinding<Subject>: CatalogedParameter, Sendable {
    associatedtype Subject: Intent
    var name: String { get }
    var identity: ObjectIdentifier { get }
    /// Nobody but workers may see the value.
    var isSecret: Bool { get }
    /// What a session remembers the value as.
    var memoryKey: String? { get }
    /// Whether ``lookUp(_:_:isResolving:_:)`` has something to do.
    var isLookedUp: Bool { get }
    /// Words that say that nothing in particular is wanted, folded; empty if it can't be gone without.
    var noneWords: Set<String> { get }
    /// Whether a rule of a handler can be about this parameter.
    func accepts(_ step: any ResolutionStep<Subject>) -> Bool
    func title(in locale: String?) -> String

    /// Puts the value that the JSON says into the intent, as far as the type alone can tell.
    ///
    /// - Throws: A rejection if this kind of JSON is never a value of the type.
    func decode(_ state: ParameterState, into intent: inout Subject) throws(IntentFailure) -> GivenParameter
    /// Finds the entities that are named by their identifiers, in all phases before anything else.
    ///
    /// - Parameter isResolving: Whether the parameter is resolved next, which tells the person what can't be found.
    /// - Throws: A failure if one is gone that was there when the parameter was resolved.
    func lookUp(_ intent: inout Subject, _ given: inout GivenParameter, isResolving: Bool, _ context: Context) async throws
    /// Fills in the default; `false` if the parameter is required and still has no value.
    func complete(_ intent: inout Subject, _ context: Context) -> Bool
    /// Takes the value out of an intent that goes on without it, whatever was said; what remains is a constant default, if a value is required.
    ///
    /// - Returns: Whether the parameter needs nothing more.
    func goWithout(_ intent: inout Subject) -> Bool
    /// Takes the value out of the intent.
    func clear(_ intent: inout Subject)
    /// What the person is asked about it, as far as the declaration says so.
    func prompt(_ kind: ParameterPrompts.Kind, in locale: String?) -> String?
    /// Resolves a parameter without a ``Resolve``; `nil` if that means to wait for its options. Waiting costs microseconds even if it is short.
    func resolveAtOnce(_ intent: inout Subject, given: GivenParameter, context: Context) throws -> ParameterResolution?
    /// Resolves the parameter and leaves in the intent what came of it.
    func resolve(
        _ intent: inout Subject, given: GivenParameter, step: (any ResolutionStep<Subject>)?, context: Context
    ) async throws -> BindingResolution

    /// What a person may be offered who was asked plainly and did not help; empty if nobody knows.
    ///
    /// - Parameter ofElement: Whether it is about one value of a list.
    func alternatives(ofElement: Bool, _ context: Context) async throws -> [ParameterOption]

    func value(in intent: Subject) -> (any ParameterValue)?
    /// What others may be given; `nil` for a secret.
    func json(in intent: Subject) -> JSON?
    /// How the value stands in a sentence, or the title if there is none, or if it is secret.
    func text(in intent: Subject, locale: String?) -> String
}

/// A ``ParameterBinding`` that knows its value's type: what all of them have in common.
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

    func value(in intent: Subject) -> (any ParameterValue)? { intent[keyPath: keyPath].value }
    func json(in intent: Subject) -> JSON? { isSecret ? nil : intent[keyPath: keyPath].value.map { JSON($0) } }

    func text(in intent: Subject, locale: String?) -> String {
        guard !isSecret, let value = intent[keyPath: keyPath].value else { return title(in: locale) }
        return value.displayText(in: locale)
    }

    /// - Throws: A failure if a parameter without which the intent can't be is to be gone without.
    func checkNotRequired(_ intent: Subject) throws(IntentFailure) {
        guard Value.isRequired, intent[keyPath: keyPath].value == nil, definition.default == nil else { return }
        let message = "'\(name)' was resolved as not required, but its type is not optional: declare it as \(Base.self)?"
        throw IntentFailure(.failure(.failure), reason: .unexpected, message: message, field: field)
    }

    func goWithout(_ intent: inout Subject) -> Bool {
        if Value.isRequired, definition.default?.constant == nil { return false }
        intent[keyPath: keyPath].value = Value.isRequired ? definition.default?.constant : nil
        intent[keyPath: keyPath].isGoneWithout = !Value.isRequired
        return true
    }

    /// What others learn is only that it is gone.
    func gone() -> IntentFailure {
        let message = "entityNotFound: what \(field) names is no longer there"
        return IntentFailure(.failure(.entityNotFound), reason: .invalid, message: message, field: field)
    }
}

/// Makes the binding of a parameter that fits its value's type.
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

/// What is known of a parameter before it is resolved, beside the value that is decoded into the intent.
struct GivenParameter {
    /// `nil` if the invocation does not mention it.
    var origin: ParameterState.Origin?
    /// What came, unless that was `null`.
    var json: JSON?
    /// The text that came, if the type can't make a value of it.
    var text: String?
    /// What a resolver says against it, though it is understood.
    var refusal: UnsupportedValue?
    /// What came, value by value, for lists and for entities.
    var items: [GivenItem]?
}

/// One value of a list as it came, or an entity.
struct GivenItem {
    var json: JSON
    var origin: ParameterState.Origin
    /// What the type makes of it, or what an entity's query has found.
    var value: (any ParameterValue)?
    /// The words, if the type can't make a value of them.
    var text: String?
    /// What a resolver says against it, though it is understood.
    var refusal: UnsupportedValue?
}

/// What became of a parameter.
struct BindingResolution {
    var resolution: ParameterResolution
    var element: ListElement?

    init(_ resolution: ParameterResolution, _ element: ListElement? = nil) {
        self.resolution = resolution
        self.element = element
    }
}

/// What there is to choose from when asking plainly leads nowhere.
extension ParameterBinding {
    /// - Parameter rules: Those of the parameter, or of each value if it is a list.
    func alternatives<Item>(by rules: ValueRules<Item>, _ context: Context) async throws -> [ParameterOption] {
        let values = try await rules.offered().prefix(ValueRules<Item>.fewOptions)
        return values.count < 2 ? [] : ParameterOption.list(Array(values), in: context.locale)
    }
}

extension TypedBinding {
    func alternatives(ofElement: Bool, _ context: Context) async throws -> [ParameterOption] { try await alternatives(by: rules, context) }
}

extension EntityBinding {
    func alternatives(ofElement: Bool, _ context: Context) async throws -> [ParameterOption] { try await alternatives(by: rules, context) }
}

extension ListBinding {
    /// Where the whole list is asked for, each choice is a list of one.
    func alternatives(ofElement: Bool, _ context: Context) async throws -> [ParameterOption] {
        let options = try await alternatives(by: rules, context)
        if ofElement { return options }
        return options.map { ParameterOption(id: $0.id, title: $0.title, subtitle: $0.subtitle, value: .array([$0.value])) }
    }
}

extension ParameterResolution {
    /// The person has to come up with a value.
    var isOpenQuestion: Bool {
        switch self {
        case .needsValue, .unsupported: true
        case .success, .notRequired, .disambiguation, .confirmationRequired: false
        }
    }
}
