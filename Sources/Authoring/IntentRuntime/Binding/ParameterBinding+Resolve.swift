import IntentKit

/// Resolves one parameter in this order: default, conversion, range, options, the handler's own ``Resolve``. Without a
/// value and a `Resolve`, the type's own rule applies.
extension ParameterBinding {
    typealias Step = Resolve<Subject, Wrapper.Value>

    func resolveImmediately(_ intent: inout Subject, given: Given, context: Context) throws(IntentFailure)
        -> BindingResolution?
    {
        if given.origin == .notRequired { return BindingResolution(.notRequired) }
        if rules.provider != nil || given.isRefused { return nil }
        switch shape {
        case .list: return nil
        case .entity where rules.range != nil: return nil
        case .entity: return given.value.map { BindingResolution(.success(JSON($0))) }
        case .single: break
        }
        if isInWords(given, context) { return nil }
        if case .stored(let reading) = given.reading, reading.isAllowed, let json = reading.json {
            return BindingResolution(.success(json))
        }
        let said = base(in: intent)
        var result: ResolutionResult<Base>
        if said != nil || given.text != nil {
            switch rules.narrow(said, given.text, options: nil, context.locale) {
            case .answer(let answer): result = answer
            case .value(let value): result = .success(value)
            }
        } else if let value = defaultValue(context)?.value {
            result = .success(value)
        } else {
            result = rules.withoutValue(isRequired: isRequired, options: rules.known ?? [], context.locale)
        }
        return try finish(result, &intent, said: said, nil, context)
    }

    func resolve(
        _ intent: inout Subject, given: Given, step: (any ResolutionStep<Subject>)?, context: Context
    ) async throws -> BindingResolution {
        if step == nil, let resolution = try resolveImmediately(&intent, given: given, context: context) {
            return resolution
        }
        if given.origin == .notRequired { return BindingResolution(.notRequired) }
        let step = step as? Step
        if case .list(let form, let rules) = shape {
            return try await resolve(&intent, given, ListResolution(form: form, rules: rules, step: step), context)
        }
        guard isInWords(given, context) else { return try await resolve(&intent, given, nil, step, context) }
        let sections = try await rules.provider?.offered()
        guard
            let heard = rules.interpretation(
                of: given, base(in: intent), options: sections?.items, context)
        else { return try await resolve(&intent, given, sections, step, context) }
        var result: BindingResolution
        switch heard.meaning {
        case .answer(let answer):
            result = try finish(answer, &intent, said: base(in: intent), sections, context)
        case .value(let value):
            var given = given
            given.reading = .value(value)
            set(value, in: &intent)
            result = try await resolve(&intent, given, sections, step, context)
        }
        result.reading = heard.reading
        return result
    }

    /// Resolves the value that has been read so far.
    ///
    /// - Parameter sections: The options, if they are already known.
    private func resolve(
        _ intent: inout Subject, _ given: Given, _ sections: ItemCollection<Base>?, _ step: Step?, _ context: Context
    ) async throws -> BindingResolution {
        let said = base(in: intent)
        // The intent's own initializer may set a value.
        let isNamed = if case .single = shape { said != nil || given.text != nil } else { given.isNamed }
        let fallback = isNamed ? nil : defaultValue(context)
        var sections = sections
        if sections == nil, let provider = rules.provider, step == nil || isNamed || fallback != nil {
            sections = try await provider.offered()
        }
        let options = sections?.items

        var value: Base?
        if isNamed {
            switch try await rules.narrow(given, said: said, options: options, field: field, context.locale) {
            case .answer(let answer): return try finish(answer, &intent, said: said, sections, context)
            case .value(let narrowed): value = narrowed
            }
        } else if let fallback,
            fallback.isConstant || options?.contains(where: { $0.optionID == fallback.value.optionID }) != false
        {
            // A remembered value may no longer be among the options.
            value = fallback.value
        }
        guard let step, case .whole(let body) = step.body else {
            if let value { return try finish(.success(value), &intent, said: said, sections, context) }
            if isRequired, sections == nil { sections = try await rules.entities?.suggestions() }
            let isComplete = rules.provider != nil || rules.entities?.isComplete ?? true
            let result = rules.withoutValue(
                isRequired: isRequired, options: sections?.items ?? rules.known ?? [], isComplete: isComplete,
                context.locale)
            return try finish(result, &intent, said: said, sections, context)
        }
        store(value, over: said, in: &intent)
        let result = rules.acceptingAgreedValue(try await body(value, intent, context), said: said, given.origin)
        return try finish(result, &intent, said: value, sections, context)
    }

    /// `true` if the registry's reader may read the value.
    private func isInWords(_ given: Given, _ context: Context) -> Bool {
        guard context.scope.spokenValues != nil, case .single = shape, given.origin == .given, !given.isRefused else {
            return false
        }
        switch given.reading {
        case .text: return rules.needsReader(for: given, isRead: false, context)
        case .stored, .value: return !isLookedUp && rules.needsReader(for: given, isRead: true, context)
        case .open, .refused, .items: return false
        }
    }

    /// Stores the result in the intent, and returns its wire form.
    ///
    /// - Parameter said: The current value in the intent.
    private func finish(
        _ result: ResolutionResult<Base>, _ intent: inout Subject, said: Base?, _ sections: ItemCollection<Base>?,
        _ context: Context
    ) throws(IntentFailure) -> BindingResolution {
        switch result.kind {
        case .success(let value): store(value, over: said, in: &intent)
        case .notRequired:
            if isRequired, definition.default == nil, base(in: intent) == nil {
                let message =
                    "'\(name)' was resolved as not required, but its type is not optional: declare it as \(Base.self)?"
                throw IntentFailure(.failure(.failure), reason: .unexpected, message: message, field: field)
            }
        case .needsValue, .unsupported: set(nil, in: &intent)
        case .disambiguation(let values): if values.isEmpty { set(nil, in: &intent) }
        case .confirmationRequired: break
        }
        return rules.wire(result, sections: sections, context.locale)
    }

    /// Stores a value. An entity is stored even if the author's `==` calls it equal, since its properties may differ.
    private func store(_ value: Base?, over said: Base?, in intent: inout Subject) {
        if case .single = shape, value == said { return }
        set(value, in: &intent)
    }

    var isPlace: Bool { Base.self == Place.self }
    var isList: Bool { if case .list = shape { true } else { false } }

    var hasOtherValues: Bool {
        if case .list(_, let each) = shape { each.hasOtherValues } else { rules.hasOtherValues }
    }

    func alternatives(ofElement: Bool, _ context: Context) async throws -> [ParameterOption] {
        guard case .list(_, let each) = shape else { return try await rules.alternatives(in: context.locale) }
        let options = try await each.alternatives(in: context.locale)
        if ofElement { return options }
        // The whole list is asked for, so each option is a list of one.
        return options.map { option in
            var option = option
            option.value = .array([option.value])
            return option
        }
    }
}

// MARK: Lists

/// The parts of a list's resolution: the form of the list, the rules for each of its values, and a handler's rule.
private struct ListResolution<Subject: Intent, Value: ParameterType> {
    typealias Item = Value.Base.ListItem

    let form: ListForm<Value.Base>
    let rules: ValueRules<Item>
    /// The handler's rule for each value.
    var each: Resolve<Subject, Value>.Each?
    /// The handler's rule for the list.
    var whole: Resolve<Subject, Value>.Whole?
    /// `true` if the handler has a rule for the list besides the one for each value.
    let isConcluded: Bool

    init(form: ListForm<Value.Base>, rules: ValueRules<Item>, step: Resolve<Subject, Value>?) {
        self.form = form
        self.rules = rules
        whole = step?.conclusion
        isConcluded = whole != nil
        switch step?.body {
        case .each(let body): each = body
        case .whole(let body): whole = body
        case nil: break
        }
    }
}

/// The values of a list that have been resolved so far.
private struct MergedList<Item: ParameterValue> {
    var values: [Item] = []
    var elements: [(json: JSON, origin: ParameterState.Origin)] = []
    /// The first question, with the index of its value in `elements`.
    var open: (index: Int, resolution: BindingResolution)?
    var isUnchanged = true
}

/// Resolves a list: each value by its own rule, merged in the order of the list, and then the list as a whole.
extension ParameterBinding {
    private typealias List = ListResolution<Subject, Wrapper.Value>

    private func resolve(
        _ intent: inout Subject, _ given: Given, _ list: List, _ context: Context
    ) async throws -> BindingResolution {
        guard case .items(let items) = given.reading else { return try await withoutValues(&intent, list, context) }
        if let most = definition.size?.bounds.upperBound, items.count > most {
            return tooMany(most, &intent, context)
        }
        let merged = try await merge(try await expanded(items, list), list, intent, context)
        let value = list.form.list(merged.values)
        set(value, in: &intent)
        if let open = merged.open {
            var resolution = open.resolution
            resolution.element = ListElement(
                index: open.index, list: merged.elements.map(\.json), origins: merged.elements.map(\.origin))
            return resolution
        }
        if let whole = list.whole {
            if merged.values.isEmpty, list.isConcluded { return try await withoutValues(&intent, list, context) }
            let result = rules.acceptingAgreedValue(
                try await whole(value, intent, context), said: merged.isUnchanged ? value : nil, given.origin)
            return try finish(result, &intent, list, context)
        }
        if merged.values.isEmpty, !items.isEmpty || isRequired {
            return try await withoutValues(&intent, list, context)
        }
        return try finish(.success(value), &intent, list, context)
    }

    private func merge(
        _ items: [Given], _ list: List, _ intent: Subject, _ context: Context
    ) async throws -> MergedList<Base.ListItem> {
        let rules = list.rules
        let sections = try await rules.provider?.offered()
        var merged = MergedList<Base.ListItem>()
        for (index, item) in items.enumerated() {
            let said = item.value as? Base.ListItem
            var result: ResolutionResult<Base.ListItem>
            switch try await narrow(item, said, sections?.items, field: "\(field)[\(index)]", rules, context) {
            case .answer(let answer): result = answer
            case .value(let value): result = try await list.each?(value, intent, context) ?? .success(value)
            }
            result = rules.acceptingAgreedValue(result, said: said, item.origin)
            let origin = item.origin ?? .given
            switch result.kind {
            case .success(let value):
                if value != said { merged.isUnchanged = false }
                merged.values.append(value)
                let isTheirs = value == said && (origin == .chosen || origin == .confirmed)
                merged.elements.append((JSON(value), isTheirs ? origin : .resolved))
            case .notRequired:
                merged.isUnchanged = false
            case .needsValue, .disambiguation, .confirmationRequired, .unsupported:
                // The other values are resolved as well, so that the next round does not search for them again.
                if merged.open == nil {
                    merged.open = (merged.elements.count, rules.wire(result, sections: sections, context.locale))
                }
                merged.elements.append((item.json ?? .null, origin))
            }
        }
        return merged
    }

    /// Applies all rules except a `Resolve` to one value. The registry's reader may have to read the value.
    private func narrow(
        _ item: Given, _ said: Base.ListItem?, _ options: [Base.ListItem]?, field: String,
        _ rules: ValueRules<Base.ListItem>, _ context: Context
    ) async throws -> ValueRules<Base.ListItem>.Narrowed {
        var said = said
        if item.origin == .given, !item.isRefused, item.text != nil || rules.conversion.isImmediate {
            switch rules.interpretation(of: item, said, options: options, context)?.meaning {
            case .answer(let answer): return .answer(answer)
            case .value(let heard): said = heard
            case nil: break
            }
        }
        return try await rules.narrow(item, said: said, options: options, field: field, context.locale)
    }

    /// Replaces each query by the entities that it finds.
    private func expanded(_ items: [Given], _ list: List) async throws -> [Given] {
        guard let filter = list.rules.entities?.filter else { return items }
        var expanded: [Given] = []
        for item in items {
            guard item.value == nil, item.text == nil, let view = item.json?.view, view["id"] == nil else {
                expanded.append(item)
                continue
            }
            let found = try await filter(view, field)
            expanded += found.map { Given(origin: item.origin, json: JSON($0), reading: .value($0)) }
            if found.isEmpty { expanded.append(item) }
        }
        return expanded
    }

    private func withoutValues(
        _ intent: inout Subject, _ list: List, _ context: Context
    ) async throws -> BindingResolution {
        set(nil, in: &intent)
        if let whole = list.whole { return try finish(try await whole(nil, intent, context), &intent, list, context) }
        guard isRequired else { return try finish(.notRequired(), &intent, list, context) }
        let rules = list.rules
        var sections = try await rules.provider?.offered()
        if sections == nil { sections = try await rules.entities?.suggestions() }
        let isComplete = rules.provider != nil || rules.entities?.isComplete ?? true
        let result = rules.withoutValue(
            isRequired: true, options: sections?.items ?? rules.known ?? [], isComplete: isComplete, context.locale)
        guard case .success(let only) = result.kind else {
            return rules.wire(result, sections: sections, context.locale)
        }
        return try finish(.success(list.form.list([only])), &intent, list, context)
    }

    /// Checks the size of the whole list, stores the result in the intent, and returns its wire form.
    private func finish(
        _ result: ResolutionResult<Base>, _ intent: inout Subject, _ list: List, _ context: Context
    ) throws(IntentFailure) -> BindingResolution {
        if case .success(let value) = result.kind, let size = definition.size?.bounds {
            let count = list.form.items(value).count
            if count > size.upperBound { return tooMany(size.upperBound, &intent, context) }
            if count < size.lowerBound {
                set(nil, in: &intent)
                let dialog = BuiltInText.atLeast(title(in: context.locale), size.lowerBound)
                return BindingResolution(.needsValue(dialog: dialog.text(in: context.locale)))
            }
        }
        return try finish(result, &intent, said: nil, nil, context)
    }

    private func tooMany(_ most: Int, _ intent: inout Subject, _ context: Context) -> BindingResolution {
        set(nil, in: &intent)
        let dialog = BuiltInText.atMost(title(in: context.locale), most)
        return BindingResolution(.unsupported(reason: "tooManyValues", dialog: dialog.text(in: context.locale)))
    }
}
