import IntentKit

/// A parameter whose value is an entity: the request names the entity, and a query finds it.
struct EntityBinding<Subject: Intent, Value: ParameterType>: KeyPathBinding {
    let name: String
    let keyPath: any WritableKeyPath<Subject, Parameter<Value>> & Sendable
    let definition: ParameterSpecification<Value.Base>
    let memoryKey: String?
    let rules: ValueRules<Value.Base>

    init(
        _ name: String, of intent: String, _ keyPath: any WritableKeyPath<Subject, Parameter<Value>> & Sendable,
        _ definition: ParameterSpecification<Value.Base>
    ) {
        self.name = name
        self.keyPath = keyPath
        self.definition = definition
        memoryKey = definition.memoryKey(intent: intent, parameter: name)
        rules = ValueRules(definition)
    }

    var isLookedUp: Bool { true }

    func decode(_ state: ParameterState, into intent: inout Subject) throws(IntentFailure) -> GivenParameter {
        var given = GivenParameter(origin: state.origin)
        guard let json = state.value, let item = try rules.item(json.view, state.origin, field: field) else {
            return given
        }
        given.json = json
        given.items = [item]
        return given
    }

    func lookUp(_ intent: inout Subject, _ given: inout GivenParameter, isResolving: Bool, _ context: Context)
        async throws
    {
        if given.items == nil {
            // A default is treated like a given value.
            for candidate in definition.default?.candidates(
                context, memoryKey: memoryKey, isOptional: !Value.isRequired) ?? []
            {
                var items: [GivenItem]
                switch candidate {
                case .value(let value): items = [GivenItem(json: JSON(value), origin: .given, value: value)]
                case .json(let json):
                    items = (try? rules.item(json.view, .given, field: field)).flatMap { $0 }.map { [$0] } ?? []
                }
                try await rules.lookUp(&items, field: field, context)
                if let value = items.first?.value as? Base {
                    given.items = items
                    intent[keyPath: keyPath].value = value
                    return
                }
            }
            return
        }
        try await rules.lookUp(&given.items!, field: field, context)
        if let value = given.items?.first?.value as? Base {
            intent[keyPath: keyPath].value = value
        } else if !isResolving {
            throw entityNotFound()
        }
    }

    func complete(_ intent: inout Subject, _ context: Context) -> Bool {
        intent[keyPath: keyPath].value != nil || !Value.isRequired
    }

    var isRestricted: Bool { false }

    func violation(in intent: Subject) -> String? { nil }

    func resolveImmediately(_ intent: inout Subject, given: GivenParameter, context: Context) throws
        -> ParameterResolution?
    {
        if given.origin == .notRequired { return .notRequired }
        guard rules.provider == nil, given.items != nil, let value = intent[keyPath: keyPath].value else { return nil }
        return .success(JSON(value))
    }

    func resolve(
        _ intent: inout Subject, given: GivenParameter, step: (any ResolutionStep<Subject>)?, context: Context
    ) async throws -> BindingResolution {
        if given.origin == .notRequired { return BindingResolution(.notRequired) }
        let step = step as? Resolve<Subject, Value>
        var sections: ItemCollection<Base>?
        if let provider = rules.provider, step == nil || given.items != nil { sections = try await provider.offered() }

        var value: Base?
        if let item = given.items?.first {
            switch try await rules.narrow(item, options: sections?.items, field: field, context.locale) {
            case .answer(let answer): return try finish(answer, &intent, sections, context)
            case .value(let found): value = found
            }
        }
        if let step, case .whole(let body) = step.body {
            intent[keyPath: keyPath].value = value
            let said = given.items?.first?.value as? Base
            return try finish(
                rules.acceptingAgreedValue(try await body(value, intent, context), said: said, given.origin), &intent,
                sections, context)
        }
        if let value { return try finish(.success(value), &intent, sections, context) }
        if Value.isRequired, sections == nil { sections = try await rules.entities?.suggestions() }
        let result = rules.withoutValue(
            isRequired: Value.isRequired, options: sections?.items ?? [],
            isComplete: rules.provider != nil || rules.entities?.isComplete == true, context.locale)
        return try finish(result, &intent, sections, context)
    }

    private func finish(
        _ result: ResolutionResult<Base>, _ intent: inout Subject, _ sections: ItemCollection<Base>?, _ context: Context
    ) throws(IntentFailure) -> BindingResolution {
        switch result.kind {
        case .success(let value): intent[keyPath: keyPath].value = value
        case .notRequired: try checkNotRequired(intent)
        case .needsValue, .unsupported: intent[keyPath: keyPath].value = nil
        case .disambiguation(let values): if values.isEmpty { intent[keyPath: keyPath].value = nil }
        case .confirmationRequired: break
        }
        return rules.wire(result, sections: sections, context.locale)
    }
}
