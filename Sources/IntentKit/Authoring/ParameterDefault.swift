/// What a parameter is when nothing was said about it.
///
/// ```swift
/// @Parameter(title: "Pickup", default: .first(.attribute("location"), .remembered, .constant(home)), memory: .session) var pickup: Place?
/// ```
/// What comes from an attribute or from memory counts only if the type can make a value of it that is inside the parameter's range.
public struct ParameterDefault<Value: ParameterValue>: Sendable {
    package enum Source: Sendable {
        case constant(Value)
        case attribute(String)
        case remembered
    }

    package let sources: [Source]
    /// The first constant, which needs nothing else to be known.
    package let constant: Value?

    package init(_ sources: [Source]) {
        self.sources = sources
        constant = sources.lazy.compactMap { if case .constant(let value) = $0 { value } else { nil } }.first
    }

    /// Always this.
    public static func constant(_ value: Value) -> Self { Self([.constant(value)]) }

    /// The session's attribute of that name, as the request says it (``Context/attributes``), if there is one.
    public static func attribute(_ name: String) -> Self { Self([.attribute(name)]) }

    /// What this session said last, under the parameter's ``ParameterMemory``. Without a `memory:` of its own the parameter is then
    /// remembered for its intent.
    public static var remembered: Self { Self([.remembered]) }

    /// The first of these that there is.
    public static func first(_ defaults: Self...) -> Self { Self(defaults.flatMap(\.sources)) }

    var isRemembered: Bool { sources.contains { if case .remembered = $0 { true } else { false } } }

    /// A default that is there, as a value or as the JSON that may become one.
    package enum Candidate {
        case value(Value)
        case json(JSON)
    }

    /// The defaults that there are, the first first.
    package func candidates(_ context: Context, memoryKey: String?) -> [Candidate] {
        sources.compactMap { source in
            switch source {
            case .constant(let value): .value(value)
            case .attribute(let name): context.attributes[name].map { .json($0) }
            case .remembered: memoryKey.flatMap { context.memory[$0] }.map { .json($0) }
            }
        }
    }
}
