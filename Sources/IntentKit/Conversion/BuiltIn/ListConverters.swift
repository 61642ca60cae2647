/// A list of one.
public struct ListFromElement<Element: ParameterValue>: InstantConverter {
    public init() {}
    public func convert(from element: Element) -> [Element]? { [element] }
}

/// A set of an array's elements.
public struct SetFromArray<Element: ParameterValue>: InstantConverter {
    public init() {}
    public func convert(from elements: [Element]) -> Set<Element>? { Set(elements) }
}
