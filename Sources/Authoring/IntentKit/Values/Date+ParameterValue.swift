#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A moment, to the millisecond. In JSON a moment is RFC 3339 text with an offset (`2026-03-02T18:30:00Z`).
///
/// The type does not read "tomorrow", which requires a clock and a calendar: a ``SpokenValueReading`` reads such words.
extension Date: ParameterValue {
    public static var jsonKind: JSONView.Kind { .string }
    public static var typeDescription: String { "a date and time such as 2026-03-02T18:30:00Z" }
    public static var spokenKind: SpokenKind? { .dateTime }
    public static var jsonSchema: JSON { .typeSchema("string", format: "date-time") }

    public init?(json: JSONView) { return nil }

    public init?(text: String) {
        guard let milliseconds = Timestamp.parse(text) ?? Self.parseAsWritten(text), milliseconds >= Self.yearOne else {
            return nil
        }
        self.init(milliseconds: milliseconds)
    }

    /// Parses a timestamp with a space instead of RFC 3339's T, as people write.
    private static func parseAsWritten(_ text: String) -> Int64? {
        var characters = Array(SpokenNumber.trimmed(text).utf8)
        if characters.count > 10, characters[10] == UInt8(ascii: " ") { characters[10] = UInt8(ascii: "T") }
        return Timestamp.parse(String(decoding: characters, as: UTF8.self))
    }

    public func encode(to writer: inout JSONWriter) {
        let text = Timestamp.format(milliseconds)
        writer.string(milliseconds % 1_000 == 0 ? String(Substring(text.utf8.dropLast(5))) + "Z" : text)
    }

    /// The moment to the minute. If a handler or a resolver runs for a person whose time zone is known, and the
    /// registry has a ``SpokenValueReading`` that writes moments, the text is in the person's time zone and language.
    /// Otherwise it is in UTC: `2026-03-02 18:30 UTC`.
    public var displayText: String { displayText(in: nil) }

    public func displayText(in locale: String?) -> String {
        let text = Timestamp.format(milliseconds)
        return SpeechContext.text(of: text, as: .dateTime, in: locale)
            ?? "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
    }

    /// The text, and the moment for "the earlier one".
    public var displayRepresentation: DisplayRepresentation {
        DisplayRepresentation(
            title: LocalizedText(displayText), comparison: OptionComparison(time: timeIntervalSince1970))
    }

    /// The moment in UTC, which is the same in each time zone.
    public var optionID: String { Timestamp.format(milliseconds) }

    private static let yearOne: Int64 = -62_135_596_800_000

    /// Creates a moment.
    ///
    /// - Parameter milliseconds: The milliseconds since 1970.
    package init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1_000) }

    /// The milliseconds since 1970, clamped to the years 1 to 9999.
    package var milliseconds: Int64 {
        let exact = (timeIntervalSince1970 * 1000).rounded()
        return exact.isNaN ? 0 : Int64(min(max(exact, Double(Self.yearOne)), 253_402_300_799_999))
    }
}
