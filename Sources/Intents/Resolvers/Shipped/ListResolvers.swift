/// A list of one.
public struct ListFromElement<Element: ParameterValue>: InstantResolver {
    public init() {}
    public func resolve(from element: Element) -> [Element]? { [element] }
}

/// A set of an array's elements.
public struct SetFromArray<Element: ParameterValue>: InstantResolver {
    public init() {}
    public func resolve(from elements: [Element]) -> Set<Element>? { Set(elements) }
}
