#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An exact decimal number of up to 38 digits, whose last stands at most 127 places from the point.
///
/// In JSON a string (`"14.50"` is read, `"14.5"` is written), because many readers of JSON make a binary fraction of a number; a JSON number is
/// taken too, digit by digit. A person may say "14.5", "1e3" or "three". Nothing is rounded: what does not fit is not taken.
extension Decimal: ParameterValue {
    public static var jsonKind: JSONView.Kind { .number }
    public static var typeDescription: String { "a decimal number of at most 38 digits" }
    public static var jsonSchema: JSON {
        .object([
            "type": .string("string"), "pattern": .string(#"^-?[0-9]+(\.[0-9]+)?$"#),
            "description": .string("A decimal number; a JSON number is taken too."),
        ])
    }

    public init?(json: JSONView) {
        guard json.kind == .number else { return nil }
        self.init(digits: json.json.description)
    }

    public init?(text: String) {
        if let number = Self(digits: SpokenNumber.trimmed(text)) {
            self = number
        } else if let number = SpokenNumber.parse(text) {
            self.init(number)
        } else {
            return nil
        }
    }

    init?(digits: some StringProtocol) {
        guard let canonical = DecimalText.canonical(digits), let number = Decimal(string: canonical), !number.isNaN else { return nil }
        self = number
    }

    /// A decimal that is not a number, which a program can make but JSON does not have, becomes `null`.
    public func encode(to writer: inout JSONWriter) {
        if isNaN { writer.null() } else { writer.string(description) }
    }

    public var displayText: String { description }
}
