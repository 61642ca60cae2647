/// A type that a parameter can have: read from JSON or from what a person said, written to JSON, and shown.
///
/// The pipeline has conformances for `Bool`, `Int`, `Double`, `Decimal`, `String`, `Date`, ``CalendarDate``, ``TimeOfDay``, `Duration`, `URL`,
/// ``Measurement``, ``Place``, ``Person``, ``IntentFile``, ``CurrencyAmount``, ``PaymentMethod``, ``DateRange``, ``RecurrenceRule``, every ``AppEnum``, and arrays and sets of these. Conform
/// a type of your own to it to use it in a `@Parameter`; App Intents calls such a type an entity.
///
/// A JSON string is always text and is read by ``init(text:)``; any other JSON is read by ``init(json:)``. Both must accept what ``encode(to:)``
/// writes, because every phase may run in another process.
public protocol ParameterValue: ParameterType, Hashable where Base == Self {
    /// The kind of JSON, besides strings, that it is read from. Other JSON is rejected before ``init(json:)`` is called.
    static var jsonKind: JSONView.Kind { get }
    /// A description of the type for messages: "a whole number".
    static var typeDescription: String { get }
    /// A JSON Schema (2020-12) of the output of ``encode(to:)``.
    static var jsonSchema: JSON { get }
    /// All values, if they are fixed in code. App Intents: the cases of an `AppEnum`.
    static var knownValues: [Self]? { get }
    /// The conversions into this type that every parameter of it has, in addition to the shipped ones. Defaults to ``FromText``.
    static var defaultConverterSpecification: ConverterSpecification { get }

    /// What a person's words stand for, so that a ``SpokenValueReading`` can read text that ``init(text:)`` does not read. Defaults to `nil`: words are
    /// only read by ``init(text:)``.
    static var spokenKind: SpokenKind? { get }

    /// Reads a value from JSON; `nil` if the JSON is not a value of this type.
    init?(json: JSONView)
    /// Reads a value from text: what a person said, or an identifier; `nil` if the text is not clear.
    init?(text: String)
    /// Writes exactly one JSON value.
    func encode(to writer: inout JSONWriter)

    /// The value as shown to a person, alone or among others.
    var displayRepresentation: DisplayRepresentation { get }
    /// The value in a sentence, in the developer's language.
    var displayText: String { get }
    /// The value in a sentence, for a reader of this language (BCP 47). Defaults to ``displayText``.
    func displayText(in locale: String?) -> String
    /// Distinguishes it from the other options of a prompt.
    var optionID: String { get }

    /// The element type of a list, or the type itself if it is not a list. Defined by arrays and sets; do not implement it.
    associatedtype ListItem: ParameterValue = Self
    /// Splits and joins a list of this type; `nil` if it is not a list. Defined by arrays and sets; do not implement it.
    static var listForm: ListForm<Self>? { get }
    /// The lookup of values by their identifiers; `nil` for values that need none. Defined by every ``AppEntity``; do not implement it.
    ///
    /// - Parameter provider: The options of the parameter, which may be a query of its own.
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
    public static var defaultConverterSpecification: ConverterSpecification { ConverterSpecification { FromText<Self>() } }
    public init?(text: String) { return nil }
    public func displayText(in locale: String?) -> String { displayText }
    public var displayRepresentation: DisplayRepresentation { DisplayRepresentation(title: LocalizedText(displayText)) }
    public var optionID: String { displayText }
}

extension JSON {
    /// A parameter's value in wire form.
    public init(_ value: some ParameterValue) {
        var writer = JSONWriter(reserving: 64)
        value.encode(to: &writer)
        self.init(unchecked: writer.bytes)
    }
}

/// The type of a `@Parameter`: a ``ParameterValue`` (required) or an optional one (optional).
///
/// Conform to ``ParameterValue``; this protocol only lets the wrapper tell the two apart.
public protocol ParameterType: Sendable {
    /// The type of the value.
    associatedtype Base: ParameterValue
    /// Whether a value is required, as in App Intents: a non-optional type is required.
    static var isRequired: Bool { get }
    /// `nil` if the type is required and there is no value.
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

/// Parts of the schemas of parameter types.
extension JSON {
    /// `{"type":"string"}`, `{"type":"string","format":"date-time"}`.
    static func typeSchema(_ type: String, format: String? = nil) -> JSON {
        guard let format else { return .object(["type": .string(type)]) }
        return .object(["type": .string(type), "format": .string(format)])
    }

    /// An object schema with these members, some of them required.
    static func objectSchema(_ properties: KeyValuePairs<String, JSON>, required: [String]) -> JSON {
        .object([
            "type": .string("object"), "properties": .object(properties), "required": .array(required.map { .string($0) }),
        ])
    }
}

extension LocalizedText.StringInterpolation {
    /// Shows a parameter's value in the reader's language: ``ParameterValue/displayText(in:)``.
    public mutating func appendInterpolation(_ value: some ParameterValue) {
        append(value.displayText) { value.displayText(in: $0) }
    }
}
