/// How a list is taken apart into values that are resolved one by one, and put together again.
public struct ListForm<List: ParameterValue>: Sendable {
    /// In an order that is the same for equal lists.
    package let items: @Sendable (List) -> [List.ListItem]
    package let list: @Sendable ([List.ListItem]) -> List

    public init(items: @escaping @Sendable (List) -> [List.ListItem], list: @escaping @Sendable ([List.ListItem]) -> List) {
        self.items = items
        self.list = list
    }
}

extension Array where Element: ParameterValue {
    public typealias ListItem = Element
    public static var listForm: ListForm<Self>? { ListForm(items: { $0 }, list: { $0 }) }
}

extension Set where Element: ParameterValue {
    public typealias ListItem = Element
    /// A set has no order of its own: its items come in the order of their wire form.
    public static var listForm: ListForm<Self>? {
        ListForm(items: { $0.ordered }, list: { Set($0) })
    }
}
