/// An intent's parameters in the order in which they are resolved: `Parameters<Self>(\.$pickup, \.$dropOff)`.
///
/// ``IntentRegistry`` checks at start-up that each `@Parameter` of the intent is listed exactly once.
public struct Parameters<Subject: Intent>: Sendable {
    package let declarations: [any ParameterEntry<Subject>]

    public init<each Value: ParameterType>(_ keyPaths: repeat (any WritableKeyPath<Subject, Parameter<each Value>> & Sendable)) {
        var declarations: [any ParameterEntry<Subject>] = []
        repeat declarations.append(TypedEntry(keyPath: each keyPaths))
        self.declarations = declarations
    }
}

/// One entry of ``Parameters``, type-erased.
package protocol ParameterEntry<Subject>: Sendable {
    associatedtype Subject: Intent
    func identity(in prototype: Subject) -> ObjectIdentifier
    /// Calls the visitor with the key path, and so with the value's type.
    func accept<Visitor: ParameterEntryVisitor<Subject>>(_ visitor: Visitor) -> Visitor.Result
}

/// Receives the key path of a ``ParameterEntry`` with the value's type.
package protocol ParameterEntryVisitor<Subject> {
    associatedtype Subject: Intent
    associatedtype Result
    func visit<Value: ParameterType>(_ keyPath: any WritableKeyPath<Subject, Parameter<Value>> & Sendable) -> Result
}

struct TypedEntry<Subject: Intent, Value: ParameterType>: ParameterEntry {
    let keyPath: any WritableKeyPath<Subject, Parameter<Value>> & Sendable

    package func identity(in prototype: Subject) -> ObjectIdentifier { prototype[keyPath: keyPath].identity }

    package func accept<Visitor: ParameterEntryVisitor<Subject>>(_ visitor: Visitor) -> Visitor.Result { visitor.visit(keyPath) }
}
