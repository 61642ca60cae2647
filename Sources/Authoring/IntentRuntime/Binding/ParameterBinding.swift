import IntentKit

/// One parameter of one intent type, with its name. A parameter can be read, resolved and written without knowledge of
/// its value's type.
protocol AnyParameterBinding<Subject>: AnyObject, Sendable {
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
    /// Words for "none in particular", folded; empty if a value is required.
    var noneWords: Set<String> { get }
    /// `true` if a rule of a handler can be about this parameter.
    func accepts(_ step: any ResolutionStep<Subject>) -> Bool
    func title(in locale: String?) -> String

    /// Decodes the JSON value into the intent, if the type alone can convert it.
    ///
    /// - Parameter isResolving: `true` if the parameter is resolved next.
    /// - Throws: A rejection if this kind of JSON is never a value of the type.
    func decode(_ state: ParameterState, into intent: inout Subject, isResolving: Bool) throws(IntentFailure) -> Given
    /// Applies converters, and finds the entities that are named by their identifiers. Every phase does this first.
    ///
    /// - Parameter isResolving: `true` if the parameter is resolved next. The person then learns which entities can't
    ///   be found.
    /// - Throws: A failure if an entity that existed when the parameter was resolved no longer exists.
    func lookUp(_ intent: inout Subject, _ given: inout Given, isResolving: Bool, _ context: Context) async throws
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
    /// Resolves a parameter without a ``Resolve`` by its declaration: the first half of
    /// ``resolve(_:given:step:context:)``.
    ///
    /// - Returns: `nil` if a provider, a query or a reader has to be asked first.
    func resolveImmediately(_ intent: inout Subject, given: Given, context: Context) throws(IntentFailure)
        -> BindingResolution?
    /// Resolves the parameter and stores the result in the intent.
    func resolve(
        _ intent: inout Subject, given: Given, step: (any ResolutionStep<Subject>)?, context: Context
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
    /// The parameter for the catalog.
    func describe(in locale: String?) -> ParameterCatalogEntry
}

/// The way in which a parameter's value is found and resolved.
enum ParameterShape<Value: ParameterValue>: Sendable {
    /// A value that the type reads.
    case single
    /// An entity: the request names the entity, and a query finds it.
    case entity
    /// A list, whose values are read, looked up and resolved one by one.
    case list(ListForm<Value>, each: ValueRules<Value.ListItem>)
}

/// The ``AnyParameterBinding`` of a `@Parameter`.
final class ParameterBinding<Subject: Intent, Wrapper: AnyParameter>: AnyParameterBinding {
    typealias Base = Wrapper.Value.Base

    let name: String
    let keyPath: any WritableKeyPath<Subject, Wrapper> & Sendable
    let definition: ParameterSpecification<Base>
    let isSecret: Bool
    let memoryKey: String?
    let memoryScope: MemoryScope
    let isRequired: Bool
    let isLookedUp: Bool
    let shape: ParameterShape<Base>
    /// The rules for the value as a whole.
    let rules: ValueRules<Base>
    /// `true` if the type itself reads the value, unless it comes with a request and there are converters.
    private let isReadByType: Bool

    /// - Parameter intent: The intent's name.
    init(
        _ name: String, of intent: String, _ keyPath: any WritableKeyPath<Subject, Wrapper> & Sendable,
        _ definition: ParameterSpecification<Base>
    ) {
        self.name = name
        self.keyPath = keyPath
        self.definition = definition
        isSecret = definition.isSecret
        memoryKey = definition.memoryKey(intent: intent, parameter: name)
        memoryScope = definition.memory.owner
        isRequired = Wrapper.Value.isRequired
        rules = ValueRules(definition)
        if let form = Base.listForm {
            shape = .list(form, each: ValueRules(definition))
        } else {
            shape = rules.entities == nil ? .single : .entity
        }
        if case .single = shape {
            isReadByType = definition.form?.read == nil
            isLookedUp = !rules.conversion.isImmediate
        } else {
            isReadByType = false
            isLookedUp = true
        }
    }

    var identity: ObjectIdentifier { ObjectIdentifier(definition) }
    var noneWords: Set<String> { isRequired ? [] : definition.noneWords }
    var field: String { "parameters.\(name)" }
    func title(in locale: String?) -> String { definition.title.text(in: locale) }

    var declarationProblem: String? {
        guard let memoryKey, !(ParameterMemory.keyLength ~= memoryKey.utf8.count) else { return nil }
        let length = ParameterMemory.keyLength
        return "is remembered by a key of \(memoryKey.utf8.count) bytes; it has to have \(length.lowerBound) to "
            + "\(length.upperBound)"
    }

    func accepts(_ step: any ResolutionStep<Subject>) -> Bool {
        if step is FulfilmentStep<Subject> { return true }
        guard let step = step as? Resolve<Subject, Wrapper.Value> else { return false }
        if case .list = shape { return true }
        if case .each = step.body { return false }
        return step.conclusion == nil
    }

    // MARK: Reading

    func decode(_ state: ParameterState, into intent: inout Subject, isResolving: Bool) throws(IntentFailure) -> Given {
        var given = Given(origin: state.origin)
        guard let json = state.value else { return given }
        if isReadByType, !isLookedUp || state.origin != .given,
            let reading = intent[keyPath: keyPath].read(json.view, isWritten: isResolving)
        {
            given.json = json
            given.reading = .stored(reading)
            return given
        }
        if case .list(_, let rules) = shape {
            guard let items = try items(json, state.origin, state.elements, rules) else { return given }
            given.json = json
            given.reading = .items(items)
            return given
        }
        guard var item = try rules.item(json.view, state.origin, field: field) else { return given }
        if case .single = shape, let value = item.value as? Base {
            intent[keyPath: keyPath].value = value
            item.reading = .stored(
                ParameterReading(
                    isAllowed: rules.range?.violation(by: value) == nil, json: isResolving ? JSON(value) : nil))
        }
        return item
    }

    /// Reads a given list. A single value becomes a list of one. A text becomes the values between its commas and
    /// "and"s, unless the whole text is one of the type's known values.
    ///
    /// - Returns: `nil` for `null`.
    private func items(
        _ json: JSON, _ origin: ParameterState.Origin, _ origins: [ParameterState.Origin]?,
        _ rules: ValueRules<Base.ListItem>
    ) throws(IntentFailure) -> [Given]? {
        let view = json.view
        var items: [Given] = []
        switch view.kind {
        case .null: return nil
        case .array:
            let elements = view.elements
            let origins = origins?.count == elements.count ? origins : nil
            items.reserveCapacity(elements.count)
            for (index, element) in elements.enumerated() {
                if let item = try rules.item(element, origins?[index] ?? origin, field: "\(field)[\(index)]") {
                    items.append(item)
                }
            }
        case .string:
            if rules.known != nil, let value = rules.conversion.read(view) {
                return [Given(origin: origin, json: json, reading: .value(value))]
            }
            for piece in ListText.split(view.string ?? "") {
                if let item = try rules.item(JSON.string(piece).view, origin, field: field) { items.append(item) }
            }
        default: return try rules.item(view, origin, field: field).map { [$0] }
        }
        return items
    }

    func lookUp(_ intent: inout Subject, _ given: inout Given, isResolving: Bool, _ context: Context) async throws {
        if case .list(let form, let rules) = shape {
            return try await lookUp(&intent, &given, form, rules, isResolving: isResolving, context)
        }
        guard given.json != nil else {
            if case .entity = shape { try await lookUpDefault(&intent, &given, context) }
            return
        }
        var items = [given]
        try await rules.lookUp(&items, field: field, context)
        given = items[0]
        if let value = given.value as? Base {
            intent[keyPath: keyPath].value = value
        } else if case .entity = shape, !isResolving {
            throw entityNotFound()
        }
    }

    /// Finds the entity of a default, which is then treated like a given entity.
    private func lookUpDefault(_ intent: inout Subject, _ given: inout Given, _ context: Context) async throws {
        for candidate in defaults(context) {
            var items: [Given]
            switch candidate {
            case .value(let value): items = [Given(origin: .given, json: JSON(value), reading: .value(value))]
            case .json(let json):
                items = (try? rules.item(json.view, .given, field: field)).flatMap { $0 }.map { [$0] } ?? []
            }
            try await rules.lookUp(&items, field: field, context)
            guard let value = items.first?.value as? Base else { continue }
            given.reading = .value(value)
            intent[keyPath: keyPath].value = value
            return
        }
    }

    private func lookUp(
        _ intent: inout Subject, _ given: inout Given, _ form: ListForm<Base>, _ rules: ValueRules<Base.ListItem>,
        isResolving: Bool, _ context: Context
    ) async throws {
        if case .items(var items) = given.reading {
            try await rules.lookUp(&items, field: field, context)
            given.reading = .items(items)
        } else {
            // A default is treated like a given value.
            for candidate in defaults(context) {
                var items: [Given]
                switch candidate {
                case .value(let list):
                    items = form.items(list).map { Given(origin: .given, json: JSON($0), reading: .value($0)) }
                case .json(let json): items = (try? self.items(json, .given, nil, rules)).flatMap { $0 } ?? []
                }
                try await rules.lookUp(&items, field: field, context)
                let isReadable = items.allSatisfy { item in
                    (item.value as? Base.ListItem).map { rules.range?.violation(by: $0) == nil } ?? false
                }
                if isReadable {
                    given.reading = .items(items)
                    break
                }
            }
        }
        guard case .items(let items) = given.reading else { return }
        let values = items.compactMap { $0.value as? Base.ListItem }
        intent[keyPath: keyPath].value = form.list(values)
        if values.count < items.count, !isResolving {
            if rules.entities != nil { throw entityNotFound() }
            if let text = items.first(where: { $0.value == nil })?.text { given.reading = .text(text) }
        }
    }

    /// The failure for an entity that no longer exists. It does not name the value, because other processes must not
    /// learn it.
    private func entityNotFound() -> IntentFailure {
        let message = "entityNotFound: what \(field) names is no longer there"
        return IntentFailure(.failure(.entityNotFound), reason: .invalid, message: message, field: field)
    }

    // MARK: Defaults

    private func defaults(_ context: Context) -> [ParameterDefault<Base>.Candidate] {
        definition.default?.candidates(context, memoryKey: memoryKey, isOptional: !isRequired) ?? []
    }

    /// The first default with a value that the declaration allows. An entity's and a list's are looked up instead.
    func defaultValue(_ context: Context) -> (value: Base, isConstant: Bool)? {
        guard case .single = shape else { return nil }
        for candidate in defaults(context) {
            switch candidate {
            case .value(let value): return (value, true)
            case .json(let json):
                if let value = rules.conversion.read(json.view), rules.range?.violation(by: value) == nil {
                    return (value, false)
                }
            }
        }
        return nil
    }

    func complete(_ intent: inout Subject, _ context: Context) -> Bool {
        if case .some = intent[keyPath: keyPath].value { return true }
        guard let value = defaultValue(context)?.value else { return !isRequired }
        intent[keyPath: keyPath].value = value
        return true
    }

    func omitValue(in intent: inout Subject) -> Bool {
        if isRequired, definition.default?.constant == nil { return false }
        intent[keyPath: keyPath].value = isRequired ? definition.default?.constant : nil
        intent[keyPath: keyPath].isOmitted = !isRequired
        return true
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

    func prompt(_ kind: ParameterPrompts.Kind, in locale: String?) -> String? {
        let prompts = definition.prompts
        return switch kind {
        case .value: prompts.value?.text(in: locale)
        case .choice: (prompts.choice ?? prompts.value)?.text(in: locale)
        case .confirmation: prompts.confirmation?.text(in: locale)
        }
    }

    // MARK: The value in an intent

    func violation(in intent: Subject) -> String? {
        guard case .list(let form, let rules) = shape else {
            guard case .single = shape, let range = rules.range, let value = intent[keyPath: keyPath].value else {
                return nil
            }
            return range.violation(by: value).map { "is outside of its range (\($0))" }
        }
        guard rules.range != nil || definition.size != nil, let list = intent[keyPath: keyPath].value else {
            return nil
        }
        let items = form.items(list)
        if let size = definition.size?.bounds, !size.contains(items.count) {
            return items.count < size.lowerBound
                ? "has \(items.count) values and needs \(size.lowerBound)"
                : "has \(items.count) values and may have \(size.upperBound)"
        }
        guard let range = rules.range else { return nil }
        return items.lazy.compactMap { range.violation(by: $0) }.first.map {
            "has a value outside of its range (\($0))"
        }
    }

    func clear(_ intent: inout Subject) { intent[keyPath: keyPath].value = nil }
    func value(in intent: Subject) -> (any ParameterValue)? { intent[keyPath: keyPath].value }
    func json(in intent: Subject) -> JSON? { isSecret ? nil : intent[keyPath: keyPath].json }

    func text(in intent: Subject, locale: String?) -> String? {
        isSecret ? nil : intent[keyPath: keyPath].value?.displayText(in: locale).onOneLine
    }
}

/// Creates the binding of a parameter.
struct ParameterBinder<Subject: Intent>: ParameterEntryVisitor {
    let name: String
    /// The intent's name.
    let intent: String
    let prototype: Subject

    func visit<Wrapper: AnyParameter>(
        _ keyPath: any WritableKeyPath<Subject, Wrapper> & Sendable
    ) -> any AnyParameterBinding<Subject> {
        ParameterBinding(name, of: intent, keyPath, prototype[keyPath: keyPath].definition)
    }
}
