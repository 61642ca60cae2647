/// A time on any day, without a time zone. In JSON a time is text with 24 hours: `18:30`, or `18:30:05` with seconds.
public struct TimeOfDay: ParameterValue, Comparable {
    /// The hour, 0 to 23.
    public let hour: Int
    /// The minute, 0 to 59.
    public let minute: Int
    /// The second, 0 to 59.
    public let second: Int

    /// Creates a time, or returns `nil` if a clock does not show the time.
    public init?(hour: Int, minute: Int, second: Int = 0) {
        guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else { return nil }
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    public static var jsonKind: JSONView.Kind { .string }
    public static var typeDescription: String { "a time of day such as 18:30" }
    /// The JSON Schema of a time: a pattern instead of the format `time`, which requires a time zone.
    public static var jsonSchema: JSON {
        .object(["type": .string("string"), "pattern": .string("^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$")])
    }
    public static var spokenKind: SpokenKind? { .time }

    public init?(json: JSONView) { return nil }

    /// Reads a time from text: "18:30", "18:30:05".
    public init?(text: String) {
        let digits = Array(SpokenNumber.trimmed(text).utf8)
        guard digits.count == 5 || digits.count == 8, digits[2] == UInt8(ascii: ":"),
            digits.count == 5 || digits[5] == UInt8(ascii: ":"),
            let hour = TwoDigits.number(digits[0..<2]), let minute = TwoDigits.number(digits[3..<5]),
            let second = digits.count == 5 ? 0 : TwoDigits.number(digits[6..<8])
        else { return nil }
        self.init(hour: hour, minute: minute, second: second)
    }

    public func encode(to writer: inout JSONWriter) { writer.string(displayText) }

    /// The time as text: "18:30", "18:30:05".
    public var displayText: String {
        "\(TwoDigits.text(hour)):\(TwoDigits.text(minute))" + (second == 0 ? "" : ":\(TwoDigits.text(second))")
    }

    /// The text, and the time for "the earlier one".
    public var displayRepresentation: DisplayRepresentation {
        DisplayRepresentation(
            title: LocalizedText(displayText),
            comparison: OptionComparison(time: Double((hour * 60 + minute) * 60 + second)))
    }

    public static func < (a: TimeOfDay, b: TimeOfDay) -> Bool {
        (a.hour, a.minute, a.second) < (b.hour, b.minute, b.second)
    }
}
