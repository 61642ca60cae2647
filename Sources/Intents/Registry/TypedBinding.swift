/// A parameter whose value is complete in itself: no list, no entity.
struct TypedBinding<Subject: Intent, Value: ParameterType>: KeyPathBinding {
    let name: String
    let keyPath: any WritableKeyPath<Subject, Parameter<Value>> & Sendable
    let definition: ParameterDefinition<Value.Base>
    let memoryKey: String?
    let rules: ValueRules<Value.Base>

    init(
        _ name: String, _ keyPath: any WritableKeyPath<Subject, Parameter<Value>> & Sendable, _ definition: ParameterDefinition<Value.Base>
    ) {
        self.name = name
        self.keyPath = keyPath
        self.definition = definition
        memoryKey = definition.memoryKey(intent: Subject.name, parameter: name)
        rules = ValueRules(definition)
    }

    var isLookedUp: Bool { false }
    func lookUp(_ intent: inout Subject, _ given: inout GivenParameter, _ context: Context) async throws {}

    func decode(_ state: ParameterState, into intent: inout Subject) throws(IntentFailure) -> GivenParameter {
        var given = GivenParameter(origin: state.origin)
        guard let json = state.value else { return given }
        let view = json.view
        switch view.kind {
        case .null: return given
        case .string:
            guard let text = view.string else { return given }
            if let value = Base(text: text) { intent[keyPath: keyPath].value = value } else { given.text = text }
        case Base.jsonKind:
            if let value = Base(json: view) { intent[keyPath: keyPath].value = value } else { given.text = json.description }
        case let kind:
            let message = "\(field) has to be \(Base.typeDescription), not JSON of kind \(kind.rawValue)"
            throw IntentFailure(.reject, reason: .invalid, message: message, field: field)
        }
        given.json = json
        return given
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
                if let value = Base(said: json.view), rules.range?.violation(by: value) == nil { return (value, false) }
            }
        }
        return nil
    }
}
