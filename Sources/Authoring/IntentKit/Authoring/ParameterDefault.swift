/// The default of a parameter: the value if the request gives none.
///
/// ```swift
/// @Parameter(
///     title: "Pickup", default: .first(.attribute("location"), .remembered, .constant(home)), .memory(.session))
/// var pickup: Place?
/// ```
/// A value from an attribute or from memory counts only if the type can read the value and the value is inside the
/// range of the parameter.
public struct ParameterDefault<Value: ParameterValue>: Sendable {
    package enum Source: Sendable {
        case constant(Value)
        case attribute(String)
        case remembered
    }

    package let sources: [Source]
    /// The first constant, which is available without a request.
    package let constant: Value?

    package init(_ sources: [Source]) {
        self.sources = sources
        constant = sources.lazy.compactMap { if case .constant(let value) = $0 { value } else { nil } }.first
    }

    /// Returns a default with a fixed value.
    public static func constant(_ value: Value) -> Self { Self([.constant(value)]) }

    /// Returns a default that is the request's attribute with this name (``Context/attributes``), if the request has
    /// one.
    public static func attribute(_ name: String) -> Self { Self([.attribute(name)]) }

    /// The last remembered value, of the session or of the person, as the parameter's ``ParameterMemory`` defines.
    /// Without a ``ParameterMemory``, the session remembers the value for this parameter of this intent.
    public static var remembered: Self { Self([.remembered]) }

    /// Returns the first of these defaults that has a value.
    public static func first(_ defaults: Self...) -> Self { Self(defaults.flatMap(\.sources)) }

    var isRemembered: Bool { sources.contains { if case .remembered = $0 { true } else { false } } }

    /// A default: a value, or JSON that has to be read.
    package enum Candidate {
        case value(Value)
        case json(JSON)
    }

    /// Returns the defaults that have a value, in order.
    ///
    /// - Parameter isOptional: `true` if the person may have chosen no value. If the memory holds that choice, no
    ///   default after the memory applies.
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
