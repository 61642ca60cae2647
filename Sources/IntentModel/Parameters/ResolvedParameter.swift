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
