import IntentKit

/// How one parameter is resolved, in this order: default, conversion, range, options, the handler's own ``Resolve``; and without one of
/// those, the type's own rule.
extension TypedBinding {
    func resolveAtOnce(_ intent: inout Subject, given: GivenParameter, context: Context) throws -> ParameterResolution? {
        if given.origin == .notRequired { return .notRequired }
        if rules.provider != nil || given.refusal != nil { return nil }
        let said = intent[keyPath: keyPath].value
        if let said, definition.range == nil { return .success(JSON(said)) }
        if said == nil, given.text == nil {
            let result: ResolutionResult<Base> =
                if let value = defaultValue(context)?.value {
                    .success(value)
                } else {
                    rules.withoutValue(isRequired: Value.isRequired, options: rules.known ?? [], context.locale)
                }
            return try conclude(result, &intent, said: nil, nil, context)
        }
        switch rules.narrow(said, given.text, options: nil, context.locale) {
        case .answer(let answer): return try conclude(answer, &intent, said: said, nil, context)
        case .value(let value): return try conclude(.success(value), &intent, said: said, nil, context)
        }
    }

    func resolve(
        _ intent: inout Subject, given: GivenParameter, step: (any ResolutionStep<Subject>)?, context: Context
    ) async throws -> BindingResolution {
        if given.origin == .notRequired { return BindingResolution(.notRequired) }
        let said = intent[keyPath: keyPath].value
        let isSaid = said != nil || given.text != nil
        let step = step as? Resolve<Subject, Value>
        let fallback = isSaid ? nil : defaultValue(context)
        var sections: ItemCollection<Base>?
        if let provider = rules.provider, step == nil || isSaid || fallback != nil { sections = try await provider.offered() }
        let options = sections?.items

        var value: Base?
        if let refusal = given.refusal {
            let answer = ResolutionResult<Base>.unsupported(reason: refusal.reason, dialog: refusal.dialog)
            return BindingResolution(try conclude(answer, &intent, said: said, sections, context))
        } else if isSaid {
            switch rules.narrow(said, given.text, options: options, context.locale) {
            case .answer(let answer):
                return BindingResolution(try conclude(answer, &intent, said: said, sections, context))
            case .value(let narrowed): value = narrowed
            }
        } else if let fallback, fallback.isConstant || options?.contains(where: { $0.optionID == fallback.value.optionID }) != false {
            // What was remembered may no longer be among the options.
            value = fallback.value
        }
        guard let step, case .whole(let body) = step.body else {
            let result: ResolutionResult<Base> =
                value.map { .success($0) }
                ?? rules.withoutValue(isRequired: Value.isRequired, options: options ?? rules.known ?? [], context.locale)
            return BindingResolution(try conclude(result, &intent, said: said, sections, context))
        }
        if value != said { intent[keyPath: keyPath].value = value }
        let result = rules.settle(try await body(value, intent, context), said: said, given.origin)
        return BindingResolution(try conclude(result, &intent, said: value, sections, context))
    }

    /// Puts the result into wire form and the intent into the state that goes with it.
    ///
    /// - Parameter said: What is in the intent now.
    private func conclude(
        _ result: ResolutionResult<Base>, _ intent: inout Subject, said: Base?, _ sections: ItemCollection<Base>?, _ context: Context
    ) throws(IntentFailure) -> ParameterResolution {
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
