/// For whom values are remembered.
public enum MemoryScope: String, Sendable, Hashable, CaseIterable {
    /// For the session: it ends with it.
    case session
    /// For the person who owns the session, in all of their sessions, if they are authenticated; else for the session.
    case person
}

/// A parameter with its resolution.
public struct ResolvedParameter: Sendable, Hashable {
    public var name: String
    /// The parameter's name for people.
    public var title: String?
    public var resolution: ParameterResolution
    /// The element of a list that the resolution is about; `nil` if it is about the whole value.
    public var element: ListElement?
    /// Only workers may see the value: it is left out of everything that goes to the person's side.
    public var isSecret: Bool
    /// The key under which the value is remembered once the intent is resolved; `nil` if it is not.
    public var memoryKey: String?
    /// For whom it is remembered.
    public var memoryScope: MemoryScope = .session
    /// With `notRequired`: whether the person said that they want none in particular. It is remembered like a value.
    public var isNone = false
    /// With `needsValue` and `unsupported`: options to offer if a plain question does not help. Best first.
    public var options: [ParameterOption] = []
    /// With `disambiguation`: whether there are more values than the options, which had no room. The person finds those by saying them.
    public var omitsOptions = false
    /// What the person reads, if they are asked, where the resolution's dialog is said aloud.
    public var supportingDialog: String?
    /// What values the parameter may have, if it has to be asked for: an object with its type, a JSON Schema of the value, range and input options. Only the
    /// person's side reads it. `nil` also if it is too early to ask, because another parameter comes first.
    public var declaration: JSON?
    /// How the value, or what the person is asked about, came about; `nil` for a secret.
    @Boxed public var provenance: ParameterState.Provenance? = nil
    package var hasProvenance: Bool { _provenance.isThere }
    /// The value in words, in the language of the request, if the person is asked something; `nil` for a secret.
    public var text: String?

    public init(
        name: String, title: String? = nil, resolution: ParameterResolution, element: ListElement? = nil, isSecret: Bool = false,
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

/// The element of a list that a resolution is about. The person's answer replaces it; the others stay as they are.
public struct ListElement: Sendable, Hashable {
    /// From 0.
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
