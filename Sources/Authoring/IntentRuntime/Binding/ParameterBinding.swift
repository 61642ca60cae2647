import IntentKit

/// One parameter of one intent type with its name. It can be read, resolved and written without knowing its value's type.
protocol ParameterBinding<Subject>: CatalogedParameter, Sendable {
    associatedtype Subject: Intent
    var name: String { get }
    var identity: ObjectIdentifier { get }
    /// Whether only workers may see the value.
    var isSecret: Bool { get }
    /// The key under which the value is remembered.
    var memoryKey: String? { get }
    /// For whom it is remembered.
    var memoryScope: MemoryScope { get }
    /// What is wrong with the declaration, after "it"; `nil` if nothing is.
    var declarationProblem: String? { get }
    /// Whether ``lookUp(_:_:isResolving:_:)`` has something to do.
    var isLookedUp: Bool { get }
    /// Whether ``violation(in:)`` may have something against a value.
    var isRestricted: Bool { get }
    /// Words for "none in particular", folded; empty if a value is required.
    var noneWords: Set<String> { get }
    /// Whether a rule of a handler can be about this parameter.
    func accepts(_ step: any ResolutionStep<Subject>) -> Bool
    func title(in locale: String?) -> String

    /// Decodes the JSON value into the intent, as far as the type alone can convert it.
    ///
    /// - Throws: A rejection if this kind of JSON is never a value of the type.
    func decode(_ state: ParameterState, into intent: inout Subject) throws(IntentFailure) -> GivenParameter
    /// Finds the entities that are named by their identifiers. Every phase does this first.
    ///
    /// - Parameter isResolving: Whether the parameter is resolved next; the person is then told what can't be found.
    /// - Throws: A failure if an entity no longer exists that existed when the parameter was resolved.
    func lookUp(_ intent: inout Subject, _ given: inout GivenParameter, isResolving: Bool, _ context: Context) async throws
    /// Fills in the default; `false` if the parameter is required and still has no value.
    func complete(_ intent: inout Subject, _ context: Context) -> Bool
    /// What the declaration has against the value in the intent, as "is …" or "has …"; `nil` if it allows it. What only code can tell, such as a
    /// provider's options, is left to that code.
    func violation(in intent: Subject) -> String?
    /// Removes the value from an intent that continues without it. If a value is required, a constant default takes its place.
    ///
    /// - Returns: Whether the parameter is complete.
    func goWithout(_ intent: inout Subject) -> Bool
    /// Where a value comes from that was not given.
    func source(of value: JSON, _ context: Context) -> ParameterState.Provenance.Source
    /// Removes the value from the intent.
    func clear(_ intent: inout Subject)
    /// The question for the person; `nil` if the declaration has none.
    func prompt(_ kind: ParameterPrompts.Kind, in locale: String?) -> String?
    /// Resolves a parameter without a ``Resolve``; `nil` if that has to wait for its options. An `await` costs microseconds even if it does not
    /// suspend.
    func resolveAtOnce(_ intent: inout Subject, given: GivenParameter, context: Context) throws -> ParameterResolution?
    /// Resolves the parameter and stores the result in the intent.
    func resolve(
        _ intent: inout Subject, given: GivenParameter, step: (any ResolutionStep<Subject>)?, context: Context
    ) async throws -> BindingResolution

    /// Options to offer after a plain question did not help; empty if there are none.
    ///
    /// - Parameter ofElement: Whether the question is about one value of a list.
    func alternatives(ofElement: Bool, _ context: Context) async throws -> [ParameterOption]

    func value(in intent: Subject) -> (any ParameterValue)?
    /// The value for other processes; `nil` for a secret.
    func json(in intent: Subject) -> JSON?
    /// The value in words; `nil` if there is no value or it is secret.
    func text(in intent: Subject, locale: String?) -> String?
    /// What a prompt says of the values that the parameter may have: its type with a JSON Schema, range, input options.
    ///
    /// - Parameter ofElement: Whether the prompt is about one value of a list.
    func declaration(ofElement: Bool, in locale: String?) -> JSON
}

/// A ``ParameterBinding`` that knows its value's type. Has what all of them have in common.
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
            return "is remembered by a key of \(memoryKey.utf8.count) bytes; it has to have \(ParameterMemory.keyLength.lowerBound) to "
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
            // A text that stands for the value; a constant is the value itself.
            if named != nil, found != .default { source = source ?? found }
        }
        return source ?? .resolver
    }

    func value(in intent: Subject) -> (any ParameterValue)? { intent[keyPath: keyPath].value }
    func json(in intent: Subject) -> JSON? { isSecret ? nil : intent[keyPath: keyPath].value.map { JSON($0) } }

    func text(in intent: Subject, locale: String?) -> String? {
        isSecret ? nil : intent[keyPath: keyPath].value?.displayText(in: locale).onOneLine
    }

    /// - Throws: A failure if a required parameter was resolved as not required.
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

    /// Does not name the value: other processes only learn that it no longer exists.
    func gone() -> IntentFailure {
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
    /// `nil` if the invocation does not mention it.
    var origin: ParameterState.Origin?
    /// Whether the person said in words that they want none in particular.
    var isNone = false
    /// The given value; `nil` if it was `null`.
    var json: JSON?
    /// Whether the intent has the value.
    var isRead = false
    /// The given text, if the type can't convert it.
    var text: String?
    /// How likely the value is what the person means, as the request says.
    var confidence: Double?
    /// Why a converter rejects the value, although it can be read.
    var refusal: UnsupportedValue?
    /// The given values one by one, for lists and for entities.
    var items: [GivenItem]?
}

/// One given value of a list, or a given entity.
struct GivenItem {
    var json: JSON
    var origin: ParameterState.Origin
    /// The value that the type has converted, or that an entity's query has found.
    var value: (any ParameterValue)?
    /// The given text, if the type can't convert it.
    var text: String?
    /// Why a converter rejects the value, although it can be read.
    var refusal: UnsupportedValue?
}

/// The result of resolving a parameter.
struct BindingResolution {
    var resolution: ParameterResolution
    var element: ListElement?
    /// What the person reads, if they are asked, where the dialog is said aloud.
    var supportingDialog: String?
    /// What words were read as, and how likely that is what they mean.
    var reading: (interpreted: JSON, confidence: Double)?

    init(_ resolution: ParameterResolution, _ element: ListElement? = nil, supporting: String? = nil) {
        self.resolution = resolution
        self.element = element
        supportingDialog = supporting
    }
}

/// The options to offer if a plain question does not help.
extension ParameterBinding {
    /// - Parameter rules: The rules of the parameter, or of each value if it is a list.
    func alternatives<Item>(by rules: ValueRules<Item>, _ context: Context) async throws -> [ParameterOption] {
        let values = try await rules.offered()
        return values.count < 2 ? [] : ParameterOption.list(values, in: context.locale)
    }
}

extension TypedBinding {
    func alternatives(ofElement: Bool, _ context: Context) async throws -> [ParameterOption] { try await alternatives(by: rules, context) }
}

extension EntityBinding {
    func alternatives(ofElement: Bool, _ context: Context) async throws -> [ParameterOption] { try await alternatives(by: rules, context) }
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
    /// Whether nothing is left to ask about.
    var isResolved: Bool {
        switch self {
        case .success, .notRequired: true
        case .needsValue, .disambiguation, .confirmationRequired, .unsupported: false
        }
    }

    /// Whether the person has to name a value without options.
    var isOpenQuestion: Bool {
        switch self {
        case .needsValue, .unsupported: true
        case .success, .notRequired, .disambiguation, .confirmationRequired: false
        }
    }
}
