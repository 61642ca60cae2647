import IntentKit

/// A parameter whose value is complete in itself: no list, no entity.
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
        // What has yet to go through the parameter's own converters waits for them.
        if state.origin == .given, isLookedUp { return given }
        if let value = rules.conversion.read(view) {
            intent[keyPath: keyPath].value = value
        } else if kind == .string || kind == Base.jsonKind {
            given.text = view.string ?? json.description
        } else {
            throw rules.wrongKind(kind, field)
        }
        return given
    }

    func lookUp(_ intent: inout Subject, _ given: inout GivenParameter, isResolving: Bool, _ context: Context) async throws {
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

    /// The first default that there is and that the declaration allows.
    func defaultValue(_ context: Context) -> (value: Base, isConstant: Bool)? {
        for candidate in definition.default?.candidates(context, memoryKey: memoryKey) ?? [] {
            switch candidate {
            case .value(let value): return (value, true)
            case .json(let json):
                if let value = rules.conversion.read(json.view), rules.range?.violation(by: value) == nil { return (value, false) }
            }
        }
        return nil
    }
}
