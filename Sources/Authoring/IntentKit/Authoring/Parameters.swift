/// The parameters of an intent, in the order in which they are resolved: `Parameters<Self>(\.$pickup, \.$dropOff)`.
///
/// At start-up, ``IntentRegistry`` checks that each `@Parameter` of the intent is listed exactly once.
public struct Parameters<Subject: Intent>: Sendable {
    /// The way to a parameter of the intent: `\.$pickup`.
    public typealias Path<Value: ParameterType> = any WritableKeyPath<Subject, Parameter<Value>> & Sendable
    @usableFromInline typealias Entry<Value: ParameterType> = TypedEntry<Subject, Value>

    package let declarations: [any ParameterEntry<Subject>]

    @usableFromInline init(entries: [any ParameterEntry<Subject>]) { declarations = entries }

    public init<each Value: ParameterType>(
        _ keyPaths: repeat (any WritableKeyPath<Subject, Parameter<each Value>> & Sendable)
    ) {
        var declarations: [any ParameterEntry<Subject>] = []
        repeat declarations.append(TypedEntry(each keyPaths))
        self.declarations = declarations
    }

    // With up to eight parameters of a structure that is not generic, an optimized build of the author's module resolves
    // the key paths. In other lists, each read or write of a parameter costs thousands of instructions more.

    @inlinable public init<A>(_ a: Path<A>) { self.init(entries: [Entry(a)]) }

    @inlinable public init<A, B>(_ a: Path<A>, _ b: Path<B>) { self.init(entries: [Entry(a), Entry(b)]) }

    @inlinable public init<A, B, C>(_ a: Path<A>, _ b: Path<B>, _ c: Path<C>) {
        self.init(entries: [Entry(a), Entry(b), Entry(c)])
    }

    @inlinable public init<A, B, C, D>(_ a: Path<A>, _ b: Path<B>, _ c: Path<C>, _ d: Path<D>) {
        self.init(entries: [Entry(a), Entry(b), Entry(c), Entry(d)])
    }

    @inlinable public init<A, B, C, D, E>(_ a: Path<A>, _ b: Path<B>, _ c: Path<C>, _ d: Path<D>, _ e: Path<E>) {
        self.init(entries: [Entry(a), Entry(b), Entry(c), Entry(d), Entry(e)])
    }

    @inlinable public init<A, B, C, D, E, F>(
        _ a: Path<A>, _ b: Path<B>, _ c: Path<C>, _ d: Path<D>, _ e: Path<E>, _ f: Path<F>
    ) { self.init(entries: [Entry(a), Entry(b), Entry(c), Entry(d), Entry(e), Entry(f)]) }

    @inlinable public init<A, B, C, D, E, F, G>(
        _ a: Path<A>, _ b: Path<B>, _ c: Path<C>, _ d: Path<D>, _ e: Path<E>, _ f: Path<F>, _ g: Path<G>
    ) { self.init(entries: [Entry(a), Entry(b), Entry(c), Entry(d), Entry(e), Entry(f), Entry(g)]) }

    @inlinable public init<A, B, C, D, E, F, G, H>(
        _ a: Path<A>, _ b: Path<B>, _ c: Path<C>, _ d: Path<D>, _ e: Path<E>, _ f: Path<F>, _ g: Path<G>, _ h: Path<H>
    ) { self.init(entries: [Entry(a), Entry(b), Entry(c), Entry(d), Entry(e), Entry(f), Entry(g), Entry(h)]) }
}

/// A type-erased entry of ``Parameters``.
@usableFromInline package protocol ParameterEntry<Subject>: Sendable {
    associatedtype Subject: Intent
    /// Calls the visitor with the access to the parameter, which carries the type of the value.
    func accept<Visitor: ParameterEntryVisitor<Subject>>(_ visitor: Visitor) -> Visitor.Result
}

/// Calls a function with one parameter of an intent, which the function may change.
@usableFromInline package typealias ParameterAccess<Subject, Wrapper> =
    @Sendable (inout Subject, (inout Wrapper) -> Void) -> Void

/// A visitor that receives the access of a ``ParameterEntry``, with the type of the parameter.
@usableFromInline package protocol ParameterEntryVisitor<Subject> {
    associatedtype Subject: Intent
    associatedtype Result
    func visit<Wrapper: AnyParameter>(_ access: @escaping ParameterAccess<Subject, Wrapper>) -> Result
}

@usableFromInline struct TypedEntry<Subject: Intent, Value: ParameterType>: ParameterEntry {
    @usableFromInline let access: ParameterAccess<Subject, Parameter<Value>>

    // The key path is used nowhere else, or the compiler would not resolve it.
    @inlinable init(_ keyPath: any WritableKeyPath<Subject, Parameter<Value>> & Sendable) {
        access = { intent, body in body(&intent[keyPath: keyPath]) }
    }

    @usableFromInline package func accept<Visitor: ParameterEntryVisitor<Subject>>(_ visitor: Visitor)
        -> Visitor.Result
    { visitor.visit(access) }
}

/// A ``Parameter`` as reflection over an intent finds it, and as a type argument of its own: each type that has to be
/// derived from another at run time costs hundreds of instructions.
@usableFromInline package protocol AnyParameter: Sendable {
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
    @usableFromInline package mutating func read(_ json: JSONView, isWritten: Bool) -> ParameterReading? {
        definition.reader.read(json, isWritten, &value)
    }
}

/// Reads the values of one parameter. Made in the author's module, where the compiler knows the type of the value.
@usableFromInline package final class ValueReader<Value: ParameterValue>: Sendable {
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
