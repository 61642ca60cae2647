#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An exact decimal number of up to 38 digits, whose last digit is at most 127 places from the decimal point.
///
/// In JSON a decimal is a string (`"14.50"` is read, `"14.5"` is written), because many JSON parsers read numbers as
/// binary fractions; a JSON number is accepted too, digit by digit. A person may say "14.5", "1e3" or "three". Decimals
/// are never rounded: a number that does not fit is rejected.
extension Decimal: ParameterValue {
    public static var jsonKind: JSONView.Kind { .number }
    public static var typeDescription: String { "a decimal number of at most 38 digits" }
    public static var spokenKind: SpokenKind? { .number }
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
        guard let canonical = DecimalText.canonical(digits), let number = Decimal(string: canonical), !number.isNaN
        else { return nil }
        self = number
    }

    /// Writes the decimal; NaN, which a program can create but JSON does not have, becomes `null`.
    public func encode(to writer: inout JSONWriter) {
        if isNaN { writer.null() } else { writer.string(description) }
    }

    public var displayText: String { description }

    /// The number with the separator of the person's language, if the registry has a ``SpokenValueReading`` that writes
    /// numbers.
    public func displayText(in locale: String?) -> String {
        SpeechContext.text(of: description, as: .number, in: locale) ?? description
    }
}

/// Decimal numbers as text, checked and normalized without arithmetic on the digits, so that no text can cause an
/// overflow.
enum DecimalText {
    /// The number of digits that a `Decimal` always holds exactly.
    static let maximumDigits = 38
    /// The maximum distance of the last digit from the decimal point, in either direction.
    static let maximumExponent = 127

    /// Returns the number as `-12345e-2`, without superfluous zeros. Returns `nil` if the text is not a number with
    /// digits, at most one decimal point and optionally an exponent, within the bounds.
    static func canonical(_ text: some StringProtocol) -> String? {
        var rest = text.utf8[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }

        var digits: [UInt8] = []
        var exponent = 0
        var hasDigits = false
        var hasPoint = false
        while let byte = rest.first {
            if byte &- 0x30 < 10 {
                hasDigits = true
                if hasPoint { exponent -= 1 }
                if byte != 0x30 || !digits.isEmpty { digits.append(byte) }
            } else if byte == UInt8(ascii: "."), !hasPoint, hasDigits {
                hasPoint = true
            } else {
                break
            }
            rest = rest.dropFirst()
        }
        guard hasDigits else { return nil }
        if let letter = rest.first {
            // An exponent within the bounds has at most five characters.
            guard letter | 0x20 == UInt8(ascii: "e"), (2...6).contains(rest.count),
                let given = Int(String(decoding: rest.dropFirst(), as: UTF8.self))
            else { return nil }
            exponent += given
        }
        while digits.last == 0x30 {
            digits.removeLast()
            exponent += 1
        }
        if digits.isEmpty { return "0" }
        guard digits.count <= maximumDigits, abs(exponent) <= maximumExponent else { return nil }
        return (isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self) + (exponent == 0 ? "" : "e\(exponent)")
    }
}
