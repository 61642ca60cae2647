/// The parameters of an intent, in the order in which they are resolved: `Parameters<Self>(\.$pickup, \.$dropOff)`.
///
/// At start-up, ``IntentRegistry`` checks that each `@Parameter` of the intent is listed exactly once.
public struct Parameters<Subject: Intent>: Sendable {
    package let declarations: [any ParameterEntry<Subject>]

    public init<each Value: ParameterType>(
        _ keyPaths: repeat (any WritableKeyPath<Subject, Parameter<each Value>> & Sendable)
    ) {
        var declarations: [any ParameterEntry<Subject>] = []
        repeat declarations.append(TypedEntry(keyPath: each keyPaths))
        self.declarations = declarations
    }
}

/// A type-erased entry of ``Parameters``.
package protocol ParameterEntry<Subject>: Sendable {
    associatedtype Subject: Intent
    func identity(in prototype: Subject) -> ObjectIdentifier
    /// Calls the visitor with the key path, which carries the type of the value.
    func accept<Visitor: ParameterEntryVisitor<Subject>>(_ visitor: Visitor) -> Visitor.Result
}

/// A visitor that receives the key path of a ``ParameterEntry``, with the type of the value.
package protocol ParameterEntryVisitor<Subject> {
    associatedtype Subject: Intent
    associatedtype Result
    func visit<Value: ParameterType>(_ keyPath: any WritableKeyPath<Subject, Parameter<Value>> & Sendable) -> Result
}

struct TypedEntry<Subject: Intent, Value: ParameterType>: ParameterEntry {
    let keyPath: any WritableKeyPath<Subject, Parameter<Value>> & Sendable

    package func identity(in prototype: Subject) -> ObjectIdentifier { prototype[keyPath: keyPath].identity }

    package func accept<Visitor: ParameterEntryVisitor<Subject>>(_ visitor: Visitor) -> Visitor.Result {
        visitor.visit(keyPath)
    }
}
