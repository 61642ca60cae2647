/// What became of one parameter in one round of resolution, with its value in wire form: SiriKit's six resolution results.
///
/// `dialog` is what the person is told or asked; where it is absent the coordinator words a plain one.
public enum ParameterResolution: Sendable, Hashable {
    /// The value to go on with, which may say more than the one that came (identifiers, coordinates).
    case success(JSON)
    /// The intent goes on without it.
    case notRequired
    /// There is no value and there has to be one.
    case needsValue(dialog: String?)
    /// One of these must be meant. At least two.
    case disambiguation([ParameterOption], dialog: String?)
    /// Is this what is meant? No: the value is forgotten and asked for.
    case confirmationRequired(JSON, dialog: String?)
    /// The value can't be used: the person is told why and asked for another.
    case unsupported(reason: String, dialog: String?)
}

/// Something to choose from.
public struct ParameterOption: Sendable, Hashable {
    /// What an answer names; unique among the options of one prompt.
    public var id: String
    public var title: String
    public var subtitle: String?
    /// What the parameter becomes when this one is chosen.
    public var value: JSON

    public init(id: String, title: String, subtitle: String? = nil, value: JSON) {
        self.id = id
        self.title = title
        self.subtitle = subtitle
        self.value = value
    }
}

/// A parameter with what became of it.
public struct ResolvedParameter: Sendable, Hashable {
    public var name: String
    /// How a person is told of it.
    public var title: String?
    public var resolution: ParameterResolution
    /// If the resolution is about one element of a list.
    public var element: ListElement?
    /// Nobody but workers may see the value: it is left out of everything that goes to the person's side.
    public var isSecret: Bool
    /// What the session remembers the value as once the intent is resolved; `nil` if it doesn't.
    public var memoryKey: String?
    /// With `needsValue` and `unsupported`: what the person may be offered if asking plainly leads nowhere. Best first, about five at most.
    public var options: [ParameterOption] = []

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

/// The element of a list that a resolution is about: the person's answer takes its place, the others stay as they are.
public struct ListElement: Sendable, Hashable {
    /// From 0.
    public var index: Int
    /// The whole list, with what has been resolved of the other elements.
    public var list: [JSON]
    /// How each element of `list` came about.
    public var origins: [ParameterState.Origin]

    public init(index: Int, list: [JSON], origins: [ParameterState.Origin]) {
        self.index = index
        self.list = list
        self.origins = origins
    }
}
