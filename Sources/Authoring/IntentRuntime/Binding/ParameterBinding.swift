import IntentKit

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
    private let access: ParameterAccess<Subject, Wrapper>
    let definition: ParameterSpecification<Base>
    let facts: ParameterFacts
    let isRequired: Bool
    let isLookedUp: Bool
    let shape: ParameterShape<Base>
    /// The rules for the value as a whole.
    let rules: ValueRules<Base>
    /// `true` if the type itself reads the value, unless it comes with a request and there are converters.
    private let isReadByType: Bool

    /// - Parameter intent: The intent's name.
    init(
        _ name: String, of intent: String, _ access: @escaping ParameterAccess<Subject, Wrapper>,
        _ definition: ParameterSpecification<Base>
    ) {
        self.name = name
        self.access = access
        self.definition = definition
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
        facts = ParameterFacts(
            title: definition.title, isSecret: definition.isSecret,
            memoryKey: definition.memoryKey(intent: intent, parameter: name), memoryScope: definition.memory.owner,
            isResolvedByType: isReadByType && rules.provider == nil)
    }

    var identity: ObjectIdentifier { ObjectIdentifier(definition) }
    var noneWords: Set<String> { isRequired ? [] : definition.noneWords }
    var field: String { "parameters.\(name)" }
    var isSecret: Bool { facts.isSecret }
    var memoryKey: String? { facts.memoryKey }

    var declarationProblem: String? {
        guard let memoryKey, !(ParameterMemory.keyLength ~= memoryKey.utf8.count) else { return nil }
        let length = ParameterMemory.keyLength
        return "is remembered by a key of \(memoryKey.utf8.count) bytes; it has to have \(length.lowerBound) to "
            + "\(length.upperBound)"
    }

    func fit(of words: String, _ speech: SpeechContext, _ reader: (any SpokenValueReading)?) -> WordsFit {
        if isSecret { return .none }
        if case .list(_, let each) = shape { return each.fit(of: words, speech, reader) == .none ? .none : .byName }
        return rules.fit(of: words, speech, reader)
    }

    func optionNames(in locale: String?) async -> Set<String> {
        if isSecret { return [] }
        if case .list(_, let each) = shape { return await each.optionNames(in: locale) }
        return await rules.optionNames(in: locale)
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
        if isReadByType, !isLookedUp || state.origin != .given, let json = state.value {
            var reading: ParameterReading?
            access(&intent) { reading = $0.read(json.view, isWritten: isResolving) }
            if let reading { return Given(origin: state.origin, json: json, reading: .stored(reading)) }
        }
        return try decode(state, byRulesInto: &intent, isResolving: isResolving)
    }

    /// Decodes a value that the type alone does not read. Not inlined, because the types that only this needs cost more
    /// than reading most values.
    @inline(never)
    private func decode(
        _ state: ParameterState, byRulesInto intent: inout Subject, isResolving: Bool
    ) throws(IntentFailure) -> Given {
        var given = Given(origin: state.origin)
        guard let json = state.value else { return given }
        if case .list(_, let rules) = shape {
            guard let items = try items(json, state.origin, state.elements, rules) else { return given }
            given.json = json
            given.reading = .items(items)
            return given
        }
        guard var item = try rules.item(json.view, state.origin, field: field) else { return given }
        if case .single = shape, let value = item.value as? Base {
            set(value, in: &intent)
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
            set(value, in: &intent)
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
            set(value, in: &intent)
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
        set(form.list(values), in: &intent)
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
        if case .some = base(in: intent) { return true }
        guard let value = defaultValue(context)?.value else { return !isRequired }
        set(value, in: &intent)
        return true
    }

    func omitValue(in intent: inout Subject) -> Bool {
        if isRequired, definition.default?.constant == nil { return false }
        access(&intent) {
            $0.value = isRequired ? definition.default?.constant : nil
            $0.isOmitted = !isRequired
        }
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

    func base(in intent: Subject) -> Base? {
        var (intent, value) = (intent, Base?.none)
        access(&intent) { value = $0.value }
        return value
    }

    func set(_ value: Base?, in intent: inout Subject) { access(&intent) { $0.value = value } }

    func violation(in intent: Subject) -> String? {
        guard case .list(let form, let rules) = shape else {
            guard case .single = shape, let range = rules.range, let value = base(in: intent) else {
                return nil
            }
            return range.violation(by: value).map { "is outside of its range (\($0))" }
        }
        guard rules.range != nil || definition.size != nil, let list = base(in: intent) else {
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

    func clear(_ intent: inout Subject) { set(nil, in: &intent) }
    func value(in intent: Subject) -> (any ParameterValue)? { base(in: intent) }
    func json(in intent: Subject) -> JSON? { isSecret ? nil : base(in: intent).map { JSON($0) } }

    func text(in intent: Subject, locale: String?) -> String? {
        isSecret ? nil : base(in: intent)?.displayText(in: locale).onOneLine
    }

    func text(in intent: Subject, openAt element: ListElement, locale: String?) -> String? {
        guard case .list(let form, _) = shape, !isSecret else { return nil }
        let resolved = (base(in: intent).map { form.items($0) } ?? []).map { $0.displayText(in: locale).onOneLine }
        let isResolved = zip(element.list.indices, element.origins).map { $0 != element.index && $1 != .given }
        // A value that was chosen and is gone is open too. Which one it is can't be told here.
        guard isResolved.count(where: { $0 }) == resolved.count, isResolved.count == element.list.count else {
            return ListText.join(resolved + ["[\(title(in: locale))]"], in: locale)
        }
        var values = resolved[...]
        let texts = zip(element.list, isResolved).map { json, isResolved in
            if isResolved, let value = values.popFirst() { return value }
            let words = json.view.string ?? json.view["title"]?.string ?? title(in: locale)
            return "[\(words.onOneLine.prefix(60))]"
        }
        return ListText.join(texts, in: locale)
    }
}

/// Creates the binding of a parameter; `nil` if the intent stores no such parameter.
struct ParameterBinder<Subject: Intent>: ParameterEntryVisitor {
    /// The names of the parameters that the intent stores.
    let names: [(identity: ObjectIdentifier, name: String)]
    /// The intent's name.
    let intent: String
    let prototype: Subject

    func visit<Wrapper: AnyParameter>(
        _ access: @escaping ParameterAccess<Subject, Wrapper>
    ) -> (any AnyParameterBinding<Subject>)? {
        var (prototype, definition) = (prototype, ParameterSpecification<Wrapper.Value.Base>?.none)
        access(&prototype) { definition = $0.definition }
        guard let definition,
            let name = names.first(where: { $0.identity == ObjectIdentifier(definition) })?.name
        else { return nil }
        return ParameterBinding(name, of: intent, access, definition)
    }
}
