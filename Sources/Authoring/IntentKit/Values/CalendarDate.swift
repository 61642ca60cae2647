/// A day without a time and a time zone. In JSON a day is ISO 8601 text: `2026-03-02`.
public struct CalendarDate: ParameterValue, Comparable {
    /// The year of the Gregorian calendar, 1 to 9999.
    public let year: Int
    /// The month, 1 to 12.
    public let month: Int
    /// The day of the month, 1 to 31.
    public let day: Int

    /// Creates a day, or returns `nil` if the calendar does not have the day.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    public static var jsonKind: JSONView.Kind { .string }
    public static var typeDescription: String { "a date such as 2026-03-02" }
    public static var jsonSchema: JSON { .typeSchema("string", format: "date") }
    public static var spokenKind: SpokenKind? { .date }

    public init?(json: JSONView) { return nil }

    /// Reads a day from text: "2026-03-02".
    public init?(text: String) {
        let digits = Array(SpokenNumber.trimmed(text).utf8)
        guard digits.count == 10, digits[4] == UInt8(ascii: "-"), digits[7] == UInt8(ascii: "-"),
            let year = TwoDigits.number(digits[0..<4]), let month = TwoDigits.number(digits[5..<7]),
            let day = TwoDigits.number(digits[8..<10])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    public func encode(to writer: inout JSONWriter) { writer.string(displayText) }

    /// The day in the person's language, as for a `Date`, if the registry has a ``SpokenValueReading`` that writes days.
    public func displayText(in locale: String?) -> String {
        SpeechContext.text(of: displayText, as: .date, in: locale) ?? displayText
    }

    /// The day as text: "2026-03-02".
    public var displayText: String {
        String(repeating: "0", count: 4 - String(year).count)
            + "\(year)-\(TwoDigits.text(month))-\(TwoDigits.text(day))"
    }

    /// The text, and the day for "the earlier one".
    public var displayRepresentation: DisplayRepresentation {
        DisplayRepresentation(
            title: LocalizedText(displayText),
            comparison: OptionComparison(time: Double((year * 12 + month) * 31 + day)))
    }

    public static func < (a: CalendarDate, b: CalendarDate) -> Bool {
        (a.year, a.month, a.day) < (b.year, b.month, b.day)
    }
}

/// Conversions of the parts of dates and times from and to text.
enum TwoDigits {
    /// Returns a number with at least two digits: "07".
    static func text(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// Returns the number that these ASCII digits represent; `nil` if there is anything but digits.
    static func number(_ digits: some Sequence<UInt8>) -> Int? {
        var number = 0
        for digit in digits {
            guard digit &- 0x30 < 10 else { return nil }
            number = number * 10 + Int(digit - 0x30)
        }
        return number
    }
}
