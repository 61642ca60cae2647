/// A type of parameters: its values are read from JSON or from what a person said, written to JSON, and shown to
/// people.
///
/// The pipeline has conformances for `Bool`, `Int`, `Double`, `Decimal`, `String`, `Date`, `DateComponents`,
/// ``CalendarDate``, ``TimeOfDay``, `Duration`, `URL`, ``Measurement``, ``Place``, ``Person``, ``IntentFile``,
/// ``CurrencyAmount``, ``PaymentMethod``, ``DateRange``, ``RecurrenceRule``, every ``AppEnum``, and arrays and sets of
/// these types. To use a type of your own in a `@Parameter`, conform the type to this protocol; App Intents calls such
/// a type an entity.
///
/// A JSON string is always text and is read by ``init(text:)``; any other JSON is read by ``init(json:)``. The
/// initializers must accept the output of ``encode(to:)``, because every phase may run in another process.
public protocol ParameterValue: ParameterType, Hashable where Base == Self {
    /// The kind of JSON, besides strings, from which a value is read. Other JSON is rejected before ``init(json:)`` is
    /// called.
    static var jsonKind: JSONView.Kind { get }
    /// A description of the type for messages: "a whole number".
    static var typeDescription: String { get }
    /// A JSON Schema (2020-12) of the output of ``encode(to:)``.
    static var jsonSchema: JSON { get }
    /// All values of the type, if they are fixed in code. App Intents: the cases of an `AppEnum`.
    static var knownValues: [Self]? { get }
    /// The converters into this type that every parameter of the type has, in addition to the built-in converters.
    /// Defaults to ``FromText``.
    static var defaultConverterSpecification: ConverterSpecification { get }

    /// The kind of value that a person's words stand for, with which a ``SpokenValueReading`` reads text that
    /// ``init(text:)`` does not read. Defaults to `nil`: only ``init(text:)`` reads words.
    static var spokenKind: SpokenKind? { get }

    /// Reads a value from JSON; `nil` if the JSON is not a value of this type.
    init?(json: JSONView)
    /// Reads a value from text, which a person said or which is an identifier; `nil` if the text is not clear.
    init?(text: String)
    /// Writes exactly one JSON value.
    func encode(to writer: inout JSONWriter)

    /// The value as shown to a person, alone or among others.
    var displayRepresentation: DisplayRepresentation { get }
    /// The text of the value in a sentence, in the developer's language.
    var displayText: String { get }
    /// Returns the text of the value in a sentence, in this language (BCP 47). Defaults to ``displayText``.
    func displayText(in locale: String?) -> String
    /// An identifier that distinguishes the value from the other options of a prompt.
    var optionID: String { get }

    /// The type of the elements of a list, or the type itself if it is not a list. Defined by arrays and sets; do not
    /// implement this requirement.
    associatedtype ListItem: ParameterValue = Self
    /// The functions that split and join a list of this type; `nil` if the type is not a list. Defined by arrays and
    /// sets; do not implement this requirement.
    static var listForm: ListForm<Self>? { get }
    /// Returns the lookup of values by their identifiers; `nil` for values that need none. Defined by every
    /// ``AppEntity``; do not implement this requirement.
    ///
    /// - Parameter provider: The options provider of the parameter, which may be a query that replaces the default
    ///   query.
    static func entityForm(_ provider: (any DynamicOptionsProvider<Self>)?) -> EntityForm<Self>?
}

extension ParameterValue {
    public static var typeDescription: String { "a value of type \(Self.self)" }
    public static var jsonSchema: JSON {
        switch jsonKind {
        case .bool: .object(["type": .string("boolean")])
        case .null: .object([:])
        default: .object(["type": .string(jsonKind.rawValue)])
        }
    }
    public static var knownValues: [Self]? { nil }
    public static var spokenKind: SpokenKind? { nil }
    public static var listForm: ListForm<Self>? { nil }
    public static func entityForm(_ provider: (any DynamicOptionsProvider<Self>)?) -> EntityForm<Self>? { nil }
    public static var defaultConverterSpecification: ConverterSpecification {
        ConverterSpecification { FromText<Self>() }
    }
    public init?(text: String) { return nil }
    public func displayText(in locale: String?) -> String { displayText }
    public var displayRepresentation: DisplayRepresentation { DisplayRepresentation(title: LocalizedText(displayText)) }
    public var optionID: String { displayText }
}

extension JSON {
    /// Creates the wire form of a parameter's value.
    public init(_ value: some ParameterValue) {
        var writer = JSONWriter(reserving: 64)
        value.encode(to: &writer)
        self.init(unchecked: writer.bytes)
    }
}

/// The type of a `@Parameter`: a ``ParameterValue`` (required) or an optional one (optional).
///
/// Conform your types to ``ParameterValue``; this protocol only lets the wrapper distinguish required and optional
/// types.
public protocol ParameterType: Sendable {
    /// The type of the value.
    associatedtype Base: ParameterValue
    /// `true` if a value is required, as in App Intents: a non-optional type is required.
    static var isRequired: Bool { get }
    /// Creates an instance from a value; returns `nil` if the type is required and there is no value.
    init?(parameterValue: Base?)
    var parameterValue: Base? { get }
}

extension ParameterValue {
    public static var isRequired: Bool { true }

    public init?(parameterValue: Self?) {
        guard let parameterValue else { return nil }
        self = parameterValue
    }

    public var parameterValue: Self? { self }
}

extension Optional: ParameterType where Wrapped: ParameterValue {
    public typealias Base = Wrapped

    public static var isRequired: Bool { false }

    public init?(parameterValue: Wrapped?) { self = parameterValue }

    public var parameterValue: Wrapped? { self }
}

/// Builders of JSON Schemas of parameter types.
extension JSON {
    /// Returns the schema of a type: `{"type":"string"}`, `{"type":"string","format":"date-time"}`.
    static func typeSchema(_ type: String, format: String? = nil) -> JSON {
        guard let format else { return .object(["type": .string(type)]) }
        return .object(["type": .string(type), "format": .string(format)])
    }

    /// Returns the schema of an object with these members, some of which are required.
    static func objectSchema(_ properties: KeyValuePairs<String, JSON>, required: [String]) -> JSON {
        .object([
            "type": .string("object"), "properties": .object(properties),
            "required": .array(required.map { .string($0) }),
        ])
    }
}

extension LocalizedText.StringInterpolation {
    /// Shows a parameter's value in the reader's language: ``ParameterValue/displayText(in:)``.
    public mutating func appendInterpolation(_ value: some ParameterValue) {
        append(value.displayText) { value.displayText(in: $0) }
    }
}

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
    package static func join(_ texts: [String], in locale: String? = nil) -> String {
        guard let last = texts.last, texts.count > 1 else { return texts.first ?? "" }
        return BuiltInText.and(texts.dropLast().joined(separator: ", "), last).text(in: locale)
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
    public func displayText(in locale: String?) -> String {
        ListText.join(map { $0.displayText(in: locale) }, in: locale)
    }
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
