/// A type that a parameter can have: read from JSON or from what a person said, written to JSON, and shown.
///
/// The pipeline brings conformances for `Bool`, `Int`, `Double`, `Decimal`, `String`, `Date`, `Duration`, `URL`, ``Measurement``, ``Place``,
/// ``Person``, ``IntentFile``, ``CurrencyAmount``, ``PaymentMethod``, ``DateRange``, ``RecurrenceRule``, every ``AppEnum``, and arrays and sets of
/// these. Conform a type of your own to it to use it in a `@Parameter`; App Intents calls such a type an entity.
///
/// A JSON string is always text and goes through ``init(text:)``; any other JSON goes through ``init(json:)``. Both must take back what
/// ``encode(to:)`` writes, because every phase may run in another process.
public protocol ParameterValue: ParameterType, Hashable where Base == Self {
    /// What JSON, besides strings, it is read from. Other JSON is refused before ``init(json:)`` is asked.
    static var jsonKind: JSONView.Kind { get }
    /// What it is, for messages: "a whole number".
    static var typeDescription: String { get }
    /// A JSON Schema (2020-12) of what ``encode(to:)`` writes.
    static var jsonSchema: JSON { get }
    /// The values there are, if they are known when the code is written. App Intents: the cases of an `AppEnum`.
    static var knownValues: [Self]? { get }
    /// The conversions into this type that every parameter of it has, beside the shipped ones. Unless you write it, ``FromText``.
    static var defaultConverterSpecification: ConverterSpecification { get }

    /// Reads its JSON; `nil` if that says nothing this type can be.
    init?(json: JSONView)
    /// Makes what it can of text: what a person said, or an identifier; `nil` if it is not sure.
    init?(text: String)
    /// Writes exactly one JSON value.
    func encode(to writer: inout JSONWriter)

    /// How a person is shown it, alone or among others.
    var displayRepresentation: DisplayRepresentation { get }
    /// How it stands in a sentence, in the developer's language.
    var displayText: String { get }
    /// The same for a reader of this language (BCP 47). Unless you write it, ``displayText``.
    func displayText(in locale: String?) -> String
    /// What tells it from the other options of a prompt.
    var optionID: String { get }

    /// What a list of this type consists of, and the type itself if it is no list. Arrays and sets say so; there is nothing to write.
    associatedtype ListItem: ParameterValue = Self
    /// How a list of this type is taken apart; `nil` if it is no list. Arrays and sets say so; there is nothing to write.
    static var listForm: ListForm<Self>? { get }
    /// How the values are looked up by their identifiers; `nil` for values that are complete in themselves. Every ``AppEntity`` says so;
    /// there is nothing to write.
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

/// What a `@Parameter` can be declared as: a ``ParameterValue`` (required) or an optional one (optional).
///
/// Conform to ``ParameterValue``; this protocol only lets the wrapper tell the two apart.
public protocol ParameterType: Sendable {
    /// The type of the value that is there when one is there.
    associatedtype Base: ParameterValue
    /// Whether the intent can't go on without a value, as in App Intents: a non-optional type is required.
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

/// What the schemas of parameter types are made of.
extension JSON {
    /// `{"type":"string"}`, `{"type":"string","format":"date-time"}`.
    static func typeSchema(_ type: String, format: String? = nil) -> JSON {
        guard let format else { return .object(["type": .string(type)]) }
        return .object(["type": .string(type), "format": .string(format)])
    }

    /// An object with these members, of which some have to be there.
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
