/// An intent's parameters in the order in which they are resolved: `Parameters<Self>(\.$pickup, \.$dropOff)`.
///
/// ``IntentRegistry`` checks at start-up that each `@Parameter` of the intent stands here exactly once.
public struct Parameters<Subject: Intent>: Sendable {
    let declarations: [any ParameterEntry<Subject>]

    public init<each Value: ParameterType>(_ keyPaths: repeat (any WritableKeyPath<Subject, Parameter<each Value>> & Sendable)) {
        var declarations: [any ParameterEntry<Subject>] = []
        repeat declarations.append(TypedEntry(keyPath: each keyPaths))
        self.declarations = declarations
    }
}

/// One entry of ``Parameters`` with its value's type put away.
protocol ParameterEntry<Subject>: Sendable {
    associatedtype Subject: Intent
    func identity(in prototype: Subject) -> ObjectIdentifier
    /// - Parameter intent: The intent's name.
    func bind(_ name: String, in prototype: Subject, of intent: String) -> any ParameterBinding<Subject>
}

struct TypedEntry<Subject: Intent, Value: ParameterType>: ParameterEntry {
    let keyPath: any WritableKeyPath<Subject, Parameter<Value>> & Sendable

    func identity(in prototype: Subject) -> ObjectIdentifier { prototype[keyPath: keyPath].identity }

    func bind(_ name: String, in prototype: Subject, of intent: String) -> any ParameterBinding<Subject> {
        let definition = prototype[keyPath: keyPath].definition
        if let form = Value.Base.listForm { return ListBinding(name, of: intent, keyPath, definition, form) }
        if Value.Base.entityForm(nil) != nil { return EntityBinding(name, of: intent, keyPath, definition) }
        return TypedBinding(name, of: intent, keyPath, definition)
    }
}
