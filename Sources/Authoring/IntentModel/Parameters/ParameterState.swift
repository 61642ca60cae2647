/// A parameter as it travels with an intent: its value in wire form, and where the value came from.
public struct ParameterState: Sendable, Hashable {
    public enum Origin: String, Sendable, Hashable, CaseIterable {
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
    @Boxed package var rare: Rare? = nil
    /// Only workers may see the value.
    public var isSecret: Bool = false
    /// The intent has no such parameter, as far as its resolver has said. The value may be a secret under a wrong name, so it is told no one.
    public var isUnknown: Bool = false

    public init(name: String, value: JSON?, origin: Origin = .given) {
        self.name = name
        self.value = value
        self.origin = origin
    }

    /// What few parameters have. Parameters are copied often.
    package struct Rare: Sendable, Hashable {
        var elements: [Origin]?
        @Boxed var provenance: Provenance?
        var hasProvenance: Bool { _provenance.isThere }
    }
}

extension ParameterState {
    /// The origin of each element, if the value is a list that was resolved element by element.
    public var elements: [Origin]? {
        get { rare?.elements }
        set {
            if newValue == nil, !_rare.isThere { return }
            let provenance = rare?.provenance
            rare = newValue == nil && provenance == nil ? nil : Rare(elements: newValue, provenance: provenance)
        }
    }

    /// How the value came about, as far as its origin does not say it.
    public var provenance: Provenance? {
        get { rare?.provenance }
        set {
            if newValue == nil, !_rare.isThere { return }
            let elements = rare?.elements
            rare = elements == nil && newValue == nil ? nil : Rare(elements: elements, provenance: newValue)
        }
    }

    /// Whether there is something to say of how the value came about: cheaper than to copy it.
    package var hasProvenance: Bool { _rare.isThere && rare?.hasProvenance == true }
}
