extension Bool: ParameterValue {
    public static var jsonKind: JSONView.Kind { .bool }
    public static var typeDescription: String { "yes or no" }
    public static var spokenKind: SpokenKind? { .yesNo }

    public init?(json: JSONView) {
        guard let bool = json.bool else { return nil }
        self = bool
    }

    public init?(text: String) {
        switch TextFolding.fold(text) {
        case "true", "yes", "y", "yeah", "yep", "on", "ok", "okay", "sure", "1": self = true
        case "false", "no", "n", "nope", "off", "0": self = false
        default: return nil
        }
    }

    public func encode(to writer: inout JSONWriter) { writer.bool(self) }
    public var displayText: String { self ? "yes" : "no" }
    public func displayText(in locale: String?) -> String {
        (self ? BuiltInText.yes : BuiltInText.no).text(in: locale ?? Context.current?.locale)
    }
}

extension Int: ParameterValue {
    public static var jsonKind: JSONView.Kind { .number }
    public static var typeDescription: String { "a whole number" }
    public static var spokenKind: SpokenKind? { .wholeNumber }
    public static var jsonSchema: JSON { .typeSchema("integer") }

    /// Reads a whole number from JSON: `2` and `2.0`, but not `2.5`.
    public init?(json: JSONView) {
        guard let number = json.wholeNumber ?? json.double.flatMap({ Int(exactly: $0) }) else { return nil }
        self = number
    }

    /// Reads a whole number from text: "3" and "three".
    public init?(text: String) {
        guard let number = Int(SpokenNumber.trimmed(text)) ?? SpokenNumber.parse(text) else { return nil }
        self = number
    }

    public func encode(to writer: inout JSONWriter) { writer.number(self) }
    public var displayText: String { String(self) }
}

extension Double: ParameterValue {
    public static var jsonKind: JSONView.Kind { .number }
    public static var typeDescription: String { "a number" }
    public static var spokenKind: SpokenKind? { .number }

    public init?(json: JSONView) {
        guard let number = json.double, number.isFinite else { return nil }
        self = number
    }

    /// Reads a number from text: "3.5", "1e3" and "three", but not "nan", "0x10" or "3,5".
    public init?(text: String) {
        guard let number = SpokenNumber.parseDouble(text) else { return nil }
        self = number
    }

    public func encode(to writer: inout JSONWriter) { writer.number(self) }
    public var displayText: String { Int(exactly: self).map(String.init) ?? "\(self)" }

    /// The number with the separator of the person's language, if the registry has a ``SpokenValueReading`` that writes
    /// numbers.
    public func displayText(in locale: String?) -> String {
        Int(exactly: self) == nil
            ? SpeechContext.text(of: "\(self)", as: .number, in: locale) ?? displayText : displayText
    }
}

extension String: ParameterValue {
    public static var jsonKind: JSONView.Kind { .string }
    public static var typeDescription: String { "text" }

    public init?(json: JSONView) { return nil }
    public init?(text: String) { self = text }

    public func encode(to writer: inout JSONWriter) { writer.string(self) }
    public var displayText: String { self }
}
