/// An intent's parameters in the order in which they are resolved: `Parameters<Self>(\.$pickup, \.$dropOff)`.
///
/// ``IntentRegistry`` checks at start-up that each `@Parameter` of the intent stands here exactly once.
public struct Parameters<Subject: Intent>: Sendable {
    let declarations: [any ParameterDeclaration<Subject>]

    public init<each Value: ParameterType>(_ keyPaths: repeat (any WritableKeyPath<Subject, Parameter<each Value>> & Sendable)) {
        var declarations: [any ParameterDeclaration<Subject>] = []
        repeat declarations.append(TypedDeclaration(keyPath: each keyPaths))
        self.declarations = declarations
    }
}

/// One entry of ``Parameters`` with its value's type put away.
protocol ParameterDeclaration<Subject>: Sendable {
    associatedtype Subject: Intent
    func identity(in prototype: Subject) -> ObjectIdentifier
    func bind(_ name: String, in prototype: Subject) -> any ParameterBinding<Subject>
}

private struct TypedDeclaration<Subject: Intent, Value: ParameterType>: ParameterDeclaration {
    let keyPath: any WritableKeyPath<Subject, Parameter<Value>> & Sendable

    func identity(in prototype: Subject) -> ObjectIdentifier { prototype[keyPath: keyPath].identity }

    func bind(_ name: String, in prototype: Subject) -> any ParameterBinding<Subject> {
        let definition = prototype[keyPath: keyPath].definition
        if let form = Value.Base.listForm { return ListBinding(name, keyPath, definition, form) }
        if Value.Base.entityForm(nil) != nil { return EntityBinding(name, keyPath, definition) }
        return TypedBinding(name, keyPath, definition)
    }
}
