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

/// A visitor that receives the key path of a ``ParameterEntry``, with the type of the parameter.
package protocol ParameterEntryVisitor<Subject> {
    associatedtype Subject: Intent
    associatedtype Result
    func visit<Wrapper: AnyParameter>(_ keyPath: any WritableKeyPath<Subject, Wrapper> & Sendable) -> Result
}

struct TypedEntry<Subject: Intent, Wrapper: AnyParameter>: ParameterEntry {
    let keyPath: any WritableKeyPath<Subject, Wrapper> & Sendable

    package func identity(in prototype: Subject) -> ObjectIdentifier { prototype[keyPath: keyPath].identity }

    package func accept<Visitor: ParameterEntryVisitor<Subject>>(_ visitor: Visitor) -> Visitor.Result {
        visitor.visit(keyPath)
    }
}

/// A ``Parameter`` as reflection over an intent finds it, and as a type argument of its own: each type that has to be
/// derived from another at run time costs hundreds of instructions.
package protocol AnyParameter: Sendable {
    associatedtype Value: ParameterType
    var definition: ParameterSpecification<Value.Base> { get }
    var value: Value.Base? { get set }
    /// `true` if the intent continues without a value, in which case the default does not apply either.
    var isOmitted: Bool { get set }
    /// Reads a value by its type alone.
    ///
    /// - Parameter isWritten: `true` if the reading needs the wire form of the value.
    /// - Returns: `nil` if the type alone does not read this JSON. The parameter is then unchanged.
    mutating func read(_ json: JSONView, isWritten: Bool) -> ParameterReading?
}

extension AnyParameter {
    /// The identity of the declaration, which all copies share.
    package var identity: ObjectIdentifier { ObjectIdentifier(definition) }
    /// The given value, without the default.
    package var json: JSON? { value.map { JSON($0) } }
    package var optionsProvider: (any Sendable)? { definition.options }
}

extension Parameter: AnyParameter {
    package mutating func read(_ json: JSONView, isWritten: Bool) -> ParameterReading? {
        definition.access.read(json, isWritten, &value)
    }
}

/// Reads the values of one parameter. Made in the author's module, where the compiler knows the type of the value.
@usableFromInline package final class ParameterAccess<Value: ParameterValue>: Sendable {
    @usableFromInline let read: @Sendable (JSONView, _ isWritten: Bool, inout Value?) -> ParameterReading?

    @inlinable package init(range: ParameterRange<Value.ListItem>?) {
        let range = range as? ParameterRange<Value>
        read = { json, isWritten, value in
            let kind = json.kind
            var read: Value?
            if kind == .string {
                read = json.string.flatMap { Value(text: $0) }
            } else if kind == Value.jsonKind {
                read = Value(json: json)
            }
            guard let read else { return nil }
            value = read
            return ParameterReading(
                isAllowed: range?.violation(by: read) == nil, json: isWritten ? JSON(read) : nil)
        }
    }
}

/// A value that a parameter's type has read.
@usableFromInline package struct ParameterReading: Sendable {
    /// `true` if the value is in the parameter's range.
    package let isAllowed: Bool
    /// The wire form of the value, if the reader needs it.
    package let json: JSON?

    @usableFromInline package init(isAllowed: Bool, json: JSON?) {
        self.isAllowed = isAllowed
        self.json = json
    }
}
