extension Array: ParameterType where Element: ParameterValue {
    public typealias Base = Self
}

/// Several values of one type, in order.
///
/// In JSON an array of the elements' JSON; an element may be anything that a parameter of its type may be. Text is one element; if it isn't
/// one, it is split at commas, semicolons, line ends, "and" and "&" ("1, 2 and 3"), and all parts have to be elements. So text of a type that
/// takes any text, such as ``Place``, is never split: "Marks and Spencer" is one place.
extension Array: ParameterValue where Element: ParameterValue {
    public static var jsonKind: JSONView.Kind { .array }
    public static var typeDescription: String { "a list, each element \(Element.typeDescription)" }
    public static var jsonSchema: JSON { .object(["type": .string("array"), "items": Element.jsonSchema]) }

    public init?(json: JSONView) {
        guard json.kind == .array else { return nil }
        self.init()
        for element in json.elements {
            guard let value = ParameterConversion<Element>.standard.read(element) else { return nil }
            append(value)
        }
    }

    public init?(text: String) {
        if let only = Element(text: text) {
            self = [only]
            return
        }
        let parts = ListText.split(text)
        guard parts.count > 1 else { return nil }
        self.init()
        for part in parts {
            guard let value = Element(text: part) else { return nil }
            append(value)
        }
    }

    public func encode(to writer: inout JSONWriter) {
        writer.beginArray()
        for element in self { element.encode(to: &writer) }
        writer.endArray()
    }

    /// "a, b and c".
    public var displayText: String { ListText.join(map(\.displayText)) }
    public func displayText(in locale: String?) -> String { ListText.join(map { $0.displayText(in: locale) }) }
    public var optionID: String { map(\.optionID).joined(separator: ",") }

    public static var defaultResolverSpecification: ResolverSpecification {
        ResolverSpecification {
            FromText<Self>()
            ListFromElement<Element>()
            Element.defaultResolverSpecification
        }
    }
}
