/// A provider of the permitted values of a parameter at run time: App Intents' protocol of the same name.
///
/// ```swift
/// struct CupOptions: DynamicOptionsProvider {
///     @Dependency var cupboard: Cupboard
///     func results() async throws -> [Cup] { cupboard.cups }
/// }
/// ```
/// The provider returns an array, or an ``ItemCollection`` if the values are in sections. The pipeline calls the
/// provider each time the parameter is resolved, so return quickly and in the same order for the same data. For values
/// that never change, use ``StaticOptions``.
public protocol DynamicOptionsProvider<Value>: Sendable {
    associatedtype Value: ParameterValue
    /// The type of the results: an array of values, or an ``ItemCollection``.
    associatedtype Results: ResultsCollection<Value>
    /// Returns the values to choose from, the most likely first.
    func results() async throws -> Results
}

/// A provider of options that never change: `optionsProvider: StaticOptions("window", "aisle")`.
public struct StaticOptions<Value: ParameterValue>: DynamicOptionsProvider {
    private let items: [Value]

    public init(_ items: Value...) { self.items = items }
    public init(_ items: [Value]) { self.items = items }

    public func results() async throws -> [Value] { items }
}

extension DynamicOptionsProvider {
    package func offered() async throws -> ItemCollection<Value> { try await results().collection }
}

/// The results of a ``DynamicOptionsProvider``: an array or an ``ItemCollection``. App Intents' protocol of the same
/// name.
public protocol ResultsCollection<Item>: Sendable {
    associatedtype Item: ParameterValue
    var collection: ItemCollection<Item> { get }
}

extension Array: ResultsCollection where Element: ParameterValue {
    public typealias Item = Element
    public var collection: ItemCollection<Element> { ItemCollection(sections: [IntentItemSection(items: self)]) }
}

/// Values to choose from, in sections: App Intents' type of the same name.
///
/// ```swift
/// ItemCollection(sections: [IntentItemSection("Hagi", items: hagi), IntentItemSection("Raku", items: raku)])
/// ```
/// In a prompt, each option has the title of its section.
public struct ItemCollection<Item: ParameterValue>: ResultsCollection {
    public var sections: [IntentItemSection<Item>]

    public init(sections: [IntentItemSection<Item>]) { self.sections = sections }

    public var collection: Self { self }
    /// The values of all sections, one after the other.
    public var items: [Item] { sections.count == 1 ? sections[0].items : sections.flatMap(\.items) }

    /// Returns the title of the first section that has a title and contains the value.
    package func title(of item: Item) -> LocalizedText? {
        sections.first { $0.title != nil && $0.items.contains(item) }?.title
    }
}

/// Some of the values of an ``ItemCollection``, under a title: App Intents' `IntentItemSection`.
public struct IntentItemSection<Item: ParameterValue>: Sendable {
    public var title: LocalizedText?
    public var items: [Item]

    public init(_ title: LocalizedText? = nil, items: [Item]) {
        self.title = title
        self.items = items
    }
}
