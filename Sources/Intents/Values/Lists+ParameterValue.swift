extension Array: ParameterType, ParameterValue where Element: ParameterValue {
    public typealias Base = Self
    public static var jsonKind: JSONView.Kind { .array }
    public static var typeDescription: String { "a list, each \(Element.typeDescription)" }
    public static var jsonSchema: JSON { .object(["type": .string("array"), "items": Element.jsonSchema]) }

    public init?(json: JSONView) {
        var items: [Element] = []
        for view in json.elements {
            guard let item = view.kind == .string ? view.string.flatMap(Element.init(text:)) : Element(json: view) else { return nil }
            items.append(item)
        }
        self = items
    }

    public init?(text: String) {
        guard let item = Element(text: text) else { return nil }
        self = [item]
    }

    public func encode(to writer: inout JSONWriter) {
        writer.beginArray()
        for item in self { item.encode(to: &writer) }
        writer.endArray()
    }

    public var displayText: String { map(\.displayText).joined(separator: ", ") }
}

extension Set: ParameterType, ParameterValue where Element: ParameterValue {
    public typealias Base = Self
    public static var jsonKind: JSONView.Kind { .array }
    public static var typeDescription: String { [Element].typeDescription }
    public static var jsonSchema: JSON { [Element].jsonSchema }
    public init?(json: JSONView) {
        guard let items = [Element](json: json) else { return nil }
        self = Set(items)
    }
    public init?(text: String) {
        guard let items = [Element](text: text) else { return nil }
        self = Set(items)
    }
    public func encode(to writer: inout JSONWriter) { (Self.listForm?.items(self) ?? []).encode(to: &writer) }
    public var displayText: String { (Self.listForm?.items(self) ?? []).displayText }
}
