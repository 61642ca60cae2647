/// The value of a parameter if none is given.
///
/// ```swift
/// @Parameter(title: "Pickup", default: .first(.attribute("location"), .remembered, .constant(home)), .memory(.session)) var pickup: Place?
/// ```
/// A value from an attribute or from memory counts only if the type can read it and it is inside the parameter's range.
public struct ParameterDefault<Value: ParameterValue>: Sendable {
    package enum Source: Sendable {
        case constant(Value)
        case attribute(String)
        case remembered
    }

    package let sources: [Source]
    /// The first constant, which is known without a request.
    package let constant: Value?

    package init(_ sources: [Source]) {
        self.sources = sources
        constant = sources.lazy.compactMap { if case .constant(let value) = $0 { value } else { nil } }.first
    }

    /// A fixed value.
    public static func constant(_ value: Value) -> Self { Self([.constant(value)]) }

    /// The session's attribute with that name (``Context/attributes``), if the request has one.
    public static func attribute(_ name: String) -> Self { Self([.attribute(name)]) }

    /// The last value that is remembered, by the session or for the person: the parameter's ``ParameterMemory`` says which. Without one, the session
    /// remembers the parameter for its intent.
    public static var remembered: Self { Self([.remembered]) }

    /// The first of these that has a value.
    public static func first(_ defaults: Self...) -> Self { Self(defaults.flatMap(\.sources)) }

    var isRemembered: Bool { sources.contains { if case .remembered = $0 { true } else { false } } }

    /// A default, as a value or as JSON to be read.
    package enum Candidate {
        case value(Value)
        case json(JSON)
    }

    /// The defaults that have a value, in order.
    ///
    /// - Parameter isOptional: Whether the person may want none. If that is what is remembered, no default after it applies.
    package func candidates(_ context: Context, memoryKey: String?, isOptional: Bool) -> [Candidate] {
        var candidates: [Candidate] = []
        for source in sources {
            switch source {
            case .constant(let value): candidates.append(.value(value))
            case .attribute(let name): if let value = context.attributes[name] { candidates.append(.json(value)) }
            case .remembered:
                guard let memoryKey, let value = context.memory[memoryKey] else { continue }
                if value != .null { candidates.append(.json(value)) } else if isOptional { return candidates }
            }
        }
        return candidates
    }
}
