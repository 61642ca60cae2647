import IntentKit

/// A parameter whose value is neither a list nor an entity, so that no query has to find it.
struct TypedBinding<Subject: Intent, Value: ParameterType>: KeyPathBinding {
    let name: String
    let keyPath: any WritableKeyPath<Subject, Parameter<Value>> & Sendable
    let definition: ParameterSpecification<Value.Base>
    let memoryKey: String?
    let rules: ValueRules<Value.Base>
    let isLookedUp: Bool

    init(
        _ name: String, of intent: String, _ keyPath: any WritableKeyPath<Subject, Parameter<Value>> & Sendable,
        _ definition: ParameterSpecification<Value.Base>
    ) {
        self.name = name
        self.keyPath = keyPath
        self.definition = definition
        memoryKey = definition.memoryKey(intent: intent, parameter: name)
        rules = ValueRules(definition)
        isLookedUp = !rules.conversion.isImmediate
    }

    func decode(_ state: ParameterState, into intent: inout Subject) throws(IntentFailure) -> GivenParameter {
        var given = GivenParameter(origin: state.origin)
        guard let json = state.value else { return given }
        let view = json.view
        let kind = view.kind
        if kind == .null { return given }
        given.json = json
        // Values for the parameter's own converters are converted later.
        if state.origin == .given, isLookedUp { return given }
        if let value = rules.conversion.read(view) {
            intent[keyPath: keyPath].value = value
            given.isRead = true
        } else if kind == .string || kind == Base.jsonKind {
            given.text = view.string ?? json.description
        } else {
            throw rules.wrongKind(kind, field)
        }
        return given
    }

    func lookUp(_ intent: inout Subject, _ given: inout GivenParameter, isResolving: Bool, _ context: Context)
        async throws
    {
        guard isLookedUp, given.origin == .given, let json = given.json else { return }
        var item = GivenItem(json: json, origin: .given)
        try await rules.convert(&item, field: field, context)
        if let value = item.value as? Base { intent[keyPath: keyPath].value = value }
        given.text = item.text
        given.refusal = item.refusal
    }

    func complete(_ intent: inout Subject, _ context: Context) -> Bool {
        if intent[keyPath: keyPath].value == nil {
            guard let value = defaultValue(context)?.value else { return !Value.isRequired }
            intent[keyPath: keyPath].value = value
        }
        return true
    }

    var isRestricted: Bool { rules.range != nil }

    func violation(in intent: Subject) -> String? {
        guard let range = rules.range, let value = intent[keyPath: keyPath].value else { return nil }
        return range.violation(by: value).map { "is outside of its range (\($0))" }
    }

    /// The first default with a value that the declaration allows.
    func defaultValue(_ context: Context) -> (value: Base, isConstant: Bool)? {
        for candidate in definition.default?.candidates(context, memoryKey: memoryKey, isOptional: !Value.isRequired)
            ?? []
        {
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
}

/// Resolves one parameter in this order: default, conversion, range, options, the handler's own ``Resolve``. Without a
/// value and a `Resolve`, the type's own rule applies.
extension TypedBinding {
    func resolveImmediately(_ intent: inout Subject, given: GivenParameter, context: Context) throws
        -> ParameterResolution?
    {
        if given.origin == .notRequired { return .notRequired }
        if rules.provider != nil || given.refusal != nil { return nil }
        let said = intent[keyPath: keyPath].value
        if context.scope.spokenValues != nil, isSpoken(given), rules.needsReader(for: given.json, said, context) {
            return nil
        }
        let text = given.text
        if let said, definition.range == nil { return .success(JSON(said)) }
        if said == nil, text == nil {
            let result: ResolutionResult<Base> =
                if let value = defaultValue(context)?.value {
                    .success(value)
                } else {
                    rules.withoutValue(isRequired: Value.isRequired, options: rules.known ?? [], context.locale)
                }
            return try finish(result, &intent, said: nil, nil, context).resolution
        }
        switch rules.narrow(said, text, options: nil, context.locale) {
        case .answer(let answer): return try finish(answer, &intent, said: said, nil, context).resolution
        case .value(let value): return try finish(.success(value), &intent, said: said, nil, context).resolution
        }
    }

    func resolve(
        _ intent: inout Subject, given: GivenParameter, step: (any ResolutionStep<Subject>)?, context: Context
    ) async throws -> BindingResolution {
        if given.origin == .notRequired { return BindingResolution(.notRequired) }
        let said = intent[keyPath: keyPath].value
        guard context.scope.spokenValues != nil, isSpoken(given), rules.needsReader(for: given.json, said, context)
        else {
            return try await resolve(&intent, read: given, nil, step, context)
        }
        let sections = try await rules.provider?.offered()
        guard let heard = rules.interpretation(of: given.json, said, options: sections?.items, context) else {
            return try await resolve(&intent, read: given, sections, step, context)
        }
        var result: BindingResolution
        switch heard.meaning {
        case .answer(let answer): result = try finish(answer, &intent, said: said, sections, context)
        case .value(let value):
            var given = given
            given.text = nil
            intent[keyPath: keyPath].value = value
            result = try await resolve(&intent, read: given, sections, step, context)
        }
        result.reading = heard.reading
        return result
    }

    /// Resolves the value that has been read so far.
    ///
    /// - Parameter sections: The options, if they are already known.
    private func resolve(
        _ intent: inout Subject, read given: GivenParameter, _ sections: ItemCollection<Base>?,
        _ step: (any ResolutionStep<Subject>)?,
        _ context: Context
    ) async throws -> BindingResolution {
        let (said, text) = (intent[keyPath: keyPath].value, given.text)
        let isSaid = said != nil || given.text != nil
        let step = step as? Resolve<Subject, Value>
        let fallback = isSaid ? nil : defaultValue(context)
        var sections = sections
        if sections == nil, let provider = rules.provider, step == nil || isSaid || fallback != nil {
            sections = try await provider.offered()
        }
        let options = sections?.items

        var value: Base?
        if let refusal = given.refusal {
            let answer = ResolutionResult<Base>.unsupported(
                reason: refusal.reason, dialog: refusal.dialog.map { LocalizedText($0) })
            return try finish(answer, &intent, said: said, sections, context)
        } else if isSaid {
            switch rules.narrow(said, text, options: options, context.locale) {
            case .answer(let answer):
                return try finish(answer, &intent, said: said, sections, context)
            case .value(let narrowed): value = narrowed
            }
        } else if let fallback,
            fallback.isConstant || options?.contains(where: { $0.optionID == fallback.value.optionID }) != false
        {
            // A remembered value may no longer be among the options.
            value = fallback.value
        }
        guard let step, case .whole(let body) = step.body else {
            let result: ResolutionResult<Base> =
                value.map { .success($0) }
                ?? rules.withoutValue(
                    isRequired: Value.isRequired, options: options ?? rules.known ?? [], context.locale)
            return try finish(result, &intent, said: said, sections, context)
        }
        if value != said { intent[keyPath: keyPath].value = value }
        let result = rules.acceptingAgreedValue(try await body(value, intent, context), said: said, given.origin)
        return try finish(result, &intent, said: value, sections, context)
    }

    /// `true` if the registry's reader may read the value.
    private func isSpoken(_ given: GivenParameter) -> Bool {
        given.origin == .given && given.refusal == nil && (given.text != nil || !isLookedUp)
    }

    /// Stores the result in the intent, and returns its wire form.
    ///
    /// - Parameter said: The current value in the intent.
    private func finish(
        _ result: ResolutionResult<Base>, _ intent: inout Subject, said: Base?, _ sections: ItemCollection<Base>?,
        _ context: Context
    ) throws(IntentFailure) -> BindingResolution {
        switch result.kind {
        case .success(let value): if value != said { intent[keyPath: keyPath].value = value }
        case .notRequired: try checkNotRequired(intent)
        case .needsValue, .unsupported: intent[keyPath: keyPath].value = nil
        case .disambiguation(let values): if values.isEmpty { intent[keyPath: keyPath].value = nil }
        case .confirmationRequired: break
        }
        return rules.wire(result, sections: sections, context.locale)
    }
}
