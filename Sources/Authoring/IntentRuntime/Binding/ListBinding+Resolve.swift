import IntentKit

/// Resolves a list: each value by its own rule, merged in the order of the list, and then the list as a whole.
extension ListBinding {
    func resolve(
        _ intent: inout Subject, given: GivenParameter, step: (any ResolutionStep<Subject>)?, context: Context
    ) async throws -> BindingResolution {
        if given.origin == .notRequired { return BindingResolution(.notRequired) }
        let step = step as? Resolve<Subject, Value>
        var whole = step?.conclusion
        if case .whole(let body) = step?.body { whole = body }
        guard let items = given.items else { return try await withoutValue(&intent, whole, context) }
        if let most = definition.size?.bounds.upperBound, items.count > most {
            intent[keyPath: keyPath].value = nil
            return BindingResolution(
                .unsupported(
                    reason: "tooManyValues",
                    dialog: BuiltInText.atMost(title(in: context.locale), most).text(in: context.locale)))
        }
        var each: Resolve<Subject, Value>.Each?
        if case .each(let body) = step?.body { each = body }
        let merged = try await merge(try await expanded(items, context), each, &intent, context)
        let list = form.list(merged.values)
        intent[keyPath: keyPath].value = list
        if let open = merged.open {
            let element = ListElement(
                index: open.index, list: merged.elements.map(\.json), origins: merged.elements.map(\.origin))
            var resolution = open.resolution
            resolution.element = element
            return resolution
        }
        if let whole {
            if merged.values.isEmpty, step?.conclusion != nil { return try await withoutValue(&intent, whole, context) }
            let said = merged.isUnchanged ? list : nil
            let result = acceptingAgreedValue(try await whole(list, intent, context), said: said, given.origin)
            return try finish(result, &intent, context)
        }
        if merged.values.isEmpty, !items.isEmpty || Value.isRequired {
            return try await withoutValue(&intent, nil, context)
        }
        return try finish(.success(list), &intent, context)
    }

    /// The values that have been resolved so far.
    private struct Merged {
        var values: [Item] = []
        var elements: [(json: JSON, origin: ParameterState.Origin)] = []
        /// The first question, with the index of its value in `elements`.
        var open: (index: Int, resolution: BindingResolution)?
        var isUnchanged = true
    }

    private func merge(
        _ items: [GivenItem], _ each: Resolve<Subject, Value>.Each?, _ intent: inout Subject, _ context: Context
    ) async throws -> Merged {
        let sections = try await rules.provider?.offered()
        var merged = Merged()
        for (index, item) in items.enumerated() {
            let said = item.value as? Item
            var result: ResolutionResult<Item>
            switch try await narrow(item, options: sections?.items, field: "\(field)[\(index)]", context) {
            case .answer(let answer): result = answer
            case .value(let value):
                result = .success(value)
                if let each { result = try await each(value, intent, context) }
            }
            result = rules.acceptingAgreedValue(result, said: said, item.origin)
            switch result.kind {
            case .success(let value):
                if value != said { merged.isUnchanged = false }
                merged.values.append(value)
                let isTheirs = value == said && (item.origin == .chosen || item.origin == .confirmed)
                merged.elements.append((JSON(value), isTheirs ? item.origin : .resolved))
            case .notRequired:
                merged.isUnchanged = false
            case .needsValue, .disambiguation, .confirmationRequired, .unsupported:
                // The other values are resolved as well, so that the next round does not search for them again.
                if merged.open == nil {
                    merged.open = (merged.elements.count, rules.wire(result, sections: sections, context.locale))
                }
                merged.elements.append((item.json, item.origin))
            }
        }
        return merged
    }

    /// Applies all rules except a `Resolve` to one value. The registry's reader may have to read the value.
    private func narrow(_ item: GivenItem, options: [Item]?, field: String, _ context: Context) async throws
        -> ValueRules<Item>.Narrowed
    {
        var item = item
        if context.scope.spokenValues != nil, item.origin == .given, item.refusal == nil,
            item.text != nil || rules.conversion.isImmediate
        {
            switch rules.interpretation(of: item.json, item.value as? Item, options: options, context)?.meaning {
            case .answer(let answer): return .answer(answer)
            case .value(let value): item.value = value
            case nil: break
            }
        }
        return try await rules.narrow(item, options: options, field: field, context.locale)
    }

    /// Replaces each query by the entities that it finds.
    private func expanded(_ items: [GivenItem], _ context: Context) async throws -> [GivenItem] {
        guard let filter = rules.entities?.filter, items.contains(where: { $0.value == nil && $0.text == nil }) else {
            return items
        }
        var expanded: [GivenItem] = []
        for item in items {
            let view = item.json.view
            if item.value == nil, item.text == nil, view["id"] == nil {
                let found = try await filter(view, field)
                expanded += found.map { GivenItem(json: JSON($0), origin: item.origin, value: $0) }
                if found.isEmpty { expanded.append(item) }
            } else {
                expanded.append(item)
            }
        }
        return expanded
    }

    private func withoutValue(
        _ intent: inout Subject, _ whole: Resolve<Subject, Value>.Whole?, _ context: Context
    ) async throws -> BindingResolution {
        intent[keyPath: keyPath].value = nil
        if let whole { return try finish(try await whole(nil, intent, context), &intent, context) }
        guard Value.isRequired else { return try finish(.notRequired(), &intent, context) }
        var sections = try await rules.provider?.offered()
        if sections == nil { sections = try await rules.entities?.suggestions() }
        let isComplete = rules.provider != nil || rules.entities?.isComplete ?? true
        let result = rules.withoutValue(
            isRequired: true, options: sections?.items ?? rules.known ?? [], isComplete: isComplete, context.locale)
        guard case .success(let only) = result.kind else {
            return rules.wire(result, sections: sections, context.locale)
        }
        return try finish(.success(form.list([only])), &intent, context)
    }

    private func acceptingAgreedValue(
        _ result: ResolutionResult<Base>, said: Base?, _ origin: ParameterState.Origin?
    ) -> ResolutionResult<Base> {
        ValueRules<Base>(definition).acceptingAgreedValue(result, said: said, origin)
    }

    /// Stores the result for the whole list in the intent, and returns its wire form.
    private func finish(
        _ result: ResolutionResult<Base>, _ intent: inout Subject, _ context: Context
    ) throws(IntentFailure) -> BindingResolution {
        switch result.kind {
        case .success(let list):
            let count = form.items(list).count
            let title = title(in: context.locale)
            if let size = definition.size?.bounds, !size.contains(count) {
                intent[keyPath: keyPath].value = nil
                if count > size.upperBound {
                    return BindingResolution(
                        .unsupported(
                            reason: "tooManyValues",
                            dialog: BuiltInText.atMost(title, size.upperBound).text(in: context.locale)))
                }
                return BindingResolution(
                    .needsValue(dialog: BuiltInText.atLeast(title, size.lowerBound).text(in: context.locale)))
            }
            intent[keyPath: keyPath].value = list
        case .notRequired: try checkNotRequired(intent)
        case .needsValue, .unsupported: intent[keyPath: keyPath].value = nil
        case .disambiguation(let lists): if lists.isEmpty { intent[keyPath: keyPath].value = nil }
        case .confirmationRequired: break
        }
        return ValueRules<Base>(definition).wire(result, context.locale)
    }
}
