import IntentKit

/// Makes the binding of a parameter that fits its value's type.
struct ParameterBinder<Subject: Intent>: ParameterEntryVisitor {
    let name: String
    /// The intent's name.
    let intent: String
    let prototype: Subject

    func visit<Value: ParameterType>(
        _ keyPath: any WritableKeyPath<Subject, Parameter<Value>> & Sendable
    ) -> any ParameterBinding<Subject> {
        let definition = prototype[keyPath: keyPath].definition
        if let form = Value.Base.listForm { return ListBinding(name, of: intent, keyPath, definition, form) }
        if Value.Base.entityForm(nil) != nil { return EntityBinding(name, of: intent, keyPath, definition) }
        return TypedBinding(name, of: intent, keyPath, definition)
    }
}
