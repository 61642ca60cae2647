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

    // Spelled out, as in ``ResolvedParameter``: an optional that begins as `nil` makes the initializer copy the state.
    public var name: String
    public var value: Optional<JSON>
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

/// The result of resolving one parameter in one round, with its value in wire form: SiriKit's six resolution results.
///
/// `dialog` is the text for the person. Without it, the coordinator uses a plain text of its own.
public enum ParameterResolution: Sendable, Hashable {
    /// The value to continue with. It may have more detail than the requested value (identifiers, coordinates).
    case success(JSON)
    /// The intent continues without a value.
    case notRequired
    /// A value is required, and none was given.
    case needsValue(dialog: String?)
    /// The person has to choose one of these options. There are at least two.
    case disambiguation([ParameterOption], dialog: String?)
    /// The person is asked whether this value is meant. If not, the value is discarded and the person is asked for
    /// another.
    case confirmationRequired(JSON, dialog: String?)
    /// The value can't be used. The person gets the reason and is asked for another value.
    case unsupported(reason: String, dialog: String?)
}

extension ParameterResolution {
    /// The value to continue with or to ask about.
    package var understood: JSON? {
        switch self {
        case .success(let value), .confirmationRequired(let value, _): value
        case .notRequired, .needsValue, .disambiguation, .unsupported: nil
        }
    }

    /// `true` if the resolver has understood something: a value, or several values to choose from.
    package var isAboutValue: Bool {
        switch self {
        case .success, .confirmationRequired, .disambiguation: true
        case .notRequired, .needsValue, .unsupported: false
        }
    }
}

/// The scope in which values are remembered.
public enum MemoryScope: String, Sendable, Hashable, CaseIterable {
    /// The session. The values end with it.
    case session
    /// The person who owns the session, in all of their sessions, if they are authenticated; otherwise the session.
    case person
}

/// A parameter with its resolution.
public struct ResolvedParameter: Sendable, Hashable {
    // Optionals that the initializer sets are spelled out: one that begins as `nil` makes it copy the whole value.
    public var name: String
    /// The parameter's name for people.
    public var title: Optional<String>
    public var resolution: ParameterResolution
    /// The element of a list that the resolution is about; `nil` if it is about the whole value.
    public var element: Optional<ListElement>
    /// `true` if only workers may see the value. It is left out of everything that goes to the person's side.
    public var isSecret: Bool
    /// The key under which the value is remembered once the intent is resolved; `nil` if the value is not remembered.
    public var memoryKey: Optional<String>
    /// The scope in which the value is remembered.
    public var memoryScope: MemoryScope = .session
    /// With `notRequired`: `true` if the person said that they want no particular value. This choice is remembered like
    /// a value.
    public var isNone = false
    /// With `needsValue` and `unsupported`: options to offer if a plain question does not help, best first.
    public var options: [ParameterOption] = []
    /// With `disambiguation`: `true` if there are more values than there was room for in the options. The person can
    /// still say one of the left-out values.
    public var omitsOptions = false
    /// The text to read where the resolution's dialog is said aloud, if the person is asked.
    public var supportingDialog: String?
    /// The values that the parameter may have, if it has to be asked for: an object with the type, a JSON Schema of the
    /// value, the range and the input options. Only the person's side reads it. Also `nil` if it is too early to ask,
    /// because another parameter comes first.
    public var declaration: JSON?
    /// The provenance of the value, or of the value that the person is asked about; `nil` for a secret.
    @Boxed public var provenance: ParameterState.Provenance? = nil
    package var hasProvenance: Bool { $provenance.hasValue }
    /// The value in words, in the language of the request, if the person is asked something; `nil` for a secret.
    public var text: String?

    public init(
        name: String, title: String? = nil, resolution: ParameterResolution, element: ListElement? = nil,
        isSecret: Bool = false,
        memoryKey: String? = nil
    ) {
        self.name = name
        self.title = title
        self.resolution = resolution
        self.element = element
        self.isSecret = isSecret
        self.memoryKey = memoryKey
    }
}

/// The element of a list that a resolution is about. The person's answer replaces this element and no other.
public struct ListElement: Sendable, Hashable {
    /// The element's index, from 0.
    public var index: Int
    /// The whole list, with the elements resolved so far.
    public var list: [JSON]
    /// The origin of each element of `list`.
    public var origins: [ParameterState.Origin]

    public init(index: Int, list: [JSON], origins: [ParameterState.Origin]) {
        self.index = index
        self.list = list
        self.origins = origins
    }
}
