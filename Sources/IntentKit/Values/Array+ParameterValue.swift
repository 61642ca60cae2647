extension Array: ParameterType where Element: ParameterValue {
    public typealias Base = Self
}

/// Several values of one type, in order.
///
/// In JSON an array of the elements' JSON; an element may be anything that a parameter of its type may be.
///
/// A parameter that is a list takes text apart at commas, semicolons, line ends, "and" and "&": "Kim, Sam and Lee" are three, each resolved by
/// itself. Only text that is one of the type's known values as a whole, such as the title of an ``AppEnum``'s case, stays in one piece. Whoever
/// means "Marks and Spencer" sends `["Marks and Spencer"]`: elements of a JSON array are never taken apart.
///
/// ``init(text:)`` alone, where nothing resolves the elements (a list within a list, conversions from text), takes text for one element if it
/// can be one, which for a type of any text is always; else all of its parts have to be elements.
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

    public static var defaultConverterSpecification: ConverterSpecification {
        ConverterSpecification {
            FromText<Self>()
            ListFromElement<Element>()
            Element.defaultConverterSpecification
        }
    }
}
