/// A parameter as it travels with an intent: its value in wire form, and how that came about.
public struct ParameterState: Sendable, Hashable {
    public enum Origin: String, Sendable, Hashable {
        /// The request, an answer or a correction said so; it has yet to be resolved.
        case given
        /// The person chose it among options that a resolver offered.
        case chosen
        /// The person said yes to it.
        case confirmed
        /// A resolver answered `success`.
        case resolved
        /// A resolver answered `notRequired`.
        case notRequired
    }

    public var name: String
    public var value: JSON?
    public var origin: Origin
    /// How each element came about, if the value is a list that was resolved by its elements.
    public var elements: [Origin]?
    /// Nobody but workers may see the value.
    public var isSecret: Bool = false

    public init(name: String, value: JSON?, origin: Origin = .given) {
        self.name = name
        self.value = value
        self.origin = origin
    }
}
