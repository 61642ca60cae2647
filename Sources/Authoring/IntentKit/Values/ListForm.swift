/// The functions that split a list into values, which are resolved one by one, and join the values again.
public struct ListForm<List: ParameterValue>: Sendable {
    /// Returns the values of a list, in an order that is the same for equal lists.
    package let items: @Sendable (List) -> [List.ListItem]
    package let list: @Sendable ([List.ListItem]) -> List

    public init(
        items: @escaping @Sendable (List) -> [List.ListItem], list: @escaping @Sendable ([List.ListItem]) -> List
    ) {
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
    /// The form of a set. A set has no order, so its values are in the order of their wire form.
    public static var listForm: ListForm<Self>? {
        ListForm(items: { $0.ordered }, list: { Set($0) })
    }
}

/// Conversions of lists from and to English text.
package enum ListText {
    /// Joins texts: "a", "a and b", "a, b and c".
    static func join(_ texts: [String]) -> String {
        guard let last = texts.last, texts.count > 1 else { return texts.first ?? "" }
        return texts.dropLast().joined(separator: ", ") + " and " + last
    }

    /// Splits a text at commas, semicolons, line ends and the words "and" and "&".
    package static func split(_ text: String) -> [String] {
        var parts: [String] = []
        for piece in text.split(whereSeparator: { $0 == "," || $0 == ";" || $0.isNewline }) {
            var words: [Substring] = []
            for word in piece.split(whereSeparator: \.isWhitespace) {
                if word.lowercased() == "and" || word == "&" {
                    if !words.isEmpty { parts.append(words.joined(separator: " ")) }
                    words = []
                } else {
                    words.append(word)
                }
            }
            if !words.isEmpty { parts.append(words.joined(separator: " ")) }
        }
        return parts
    }
}

extension Array: ParameterType where Element: ParameterValue {
    public typealias Base = Self
}

/// Several values of one type, in order.
///
/// In JSON a list is an array of the elements' JSON. An element may have any form that a parameter of its type accepts.
///
/// A list parameter splits text at commas, semicolons, line ends, "and" and "&": "Kim, Sam and Lee" is three values,
/// each resolved separately. A text is not split if as a whole it is one of the type's known values, such as the title
/// of an ``AppEnum``'s case. To pass "Marks and Spencer", send `["Marks and Spencer"]`: elements of a JSON array are
/// never split.
///
/// ``init(text:)`` is used where the elements are not resolved (a list within a list, conversions from text). The
/// initializer reads text as one element if possible, which is always the case for a type that reads any text.
/// Otherwise all parts of the text have to be elements.
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

    /// The elements as text: "a, b and c".
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

extension Set: ParameterType where Element: ParameterValue {
    public typealias Base = Self
}

/// Distinct values of one type, without an order.
///
/// A set is read like an array; repeated values count once. A set is written and shown in the order of its elements'
/// JSON, so that equal sets are equal on the wire.
extension Set: ParameterValue where Element: ParameterValue {
    public static var jsonKind: JSONView.Kind { .array }
    public static var typeDescription: String { "a list without repetitions, each element \(Element.typeDescription)" }
    public static var jsonSchema: JSON {
        .object(["type": .string("array"), "items": Element.jsonSchema, "uniqueItems": .bool(true)])
    }

    public init?(json: JSONView) {
        guard let elements = [Element](json: json) else { return nil }
        self.init(elements)
    }

    public init?(text: String) {
        guard let elements = [Element](text: text) else { return nil }
        self.init(elements)
    }

    public func encode(to writer: inout JSONWriter) { ordered.encode(to: &writer) }
    public var displayText: String { ordered.displayText }
    public func displayText(in locale: String?) -> String { ordered.displayText(in: locale) }
    public var optionID: String { ordered.optionID }

    /// The elements in the order of the bytes of their JSON: shorter first, so that small numbers are in numerical
    /// order.
    var ordered: [Element] {
        let encoded = map { (bytes: JSON($0).bytes, value: $0) }
        return encoded.sorted { a, b in
            a.bytes.count == b.bytes.count ? a.bytes.lexicographicallyPrecedes(b.bytes) : a.bytes.count < b.bytes.count
        }.map(\.value)
    }

    public static var defaultConverterSpecification: ConverterSpecification {
        ConverterSpecification {
            FromText<Self>()
            SetFromArray<Element>()
            [Element].defaultConverterSpecification
        }
    }
}
