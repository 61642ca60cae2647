/// A parameter as it travels with an intent: its value in wire form, and the value's origin.
public struct ParameterState: Sendable, Hashable {
    public enum Origin: String, Sendable, Hashable, CaseIterable {
        /// The value came with the request, an answer or a correction. It has not been resolved.
        case given
        /// The person chose the value among options that a resolver offered.
        case chosen
        /// The person confirmed the value.
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
    /// The value's provenance, beyond its origin.
    @Boxed public var provenance: Provenance? = nil
    /// `true` if only workers may see the value.
    public var isSecret: Bool = false
    /// `true` if the intent's resolver has not named such a parameter. The value may be a secret under a wrong name, so
    /// it is never disclosed.
    public var isUnknown: Bool = false

    public init(name: String, value: JSON?, origin: Origin = .given) {
        self.name = name
        self.value = value
        self.origin = origin
    }

    /// `true` if the value has a provenance. Cheaper than copying the provenance.
    package var hasProvenance: Bool { $provenance.hasValue }
}
