/// A parameter as it travels with an intent: its value in wire form, and where the value came from.
public struct ParameterState: Sendable, Hashable {
    public enum Origin: String, Sendable, Hashable {
        /// It came with the request, an answer or a correction; it has yet to be resolved.
        case given
        /// The person chose it among options that a resolver offered.
        case chosen
        /// The person confirmed it.
        case confirmed
        /// A resolver reported `success`.
        case resolved
        /// A resolver reported `notRequired`.
        case notRequired
    }

    public var name: String
    public var value: JSON?
    public var origin: Origin
    /// The origin of each element, if the value is a list that was resolved element by element.
    public var elements: [Origin]?
    /// How the value came about, as far as its origin does not say it.
    @Boxed public var provenance: Provenance? = nil
    /// Only workers may see the value.
    public var isSecret: Bool = false
    /// The intent has no such parameter, as far as its resolver has said. The value may be a secret under a wrong name, so it is told no one.
    public var isUnknown: Bool = false

    public init(name: String, value: JSON?, origin: Origin = .given) {
        self.name = name
        self.value = value
        self.origin = origin
    }
}
