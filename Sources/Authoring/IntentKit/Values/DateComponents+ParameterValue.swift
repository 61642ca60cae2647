#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Some parts of a date and a time, as a parameter type of App Intents: a birthday without a year, Fridays at six.
///
/// In JSON the components are an object with at least one of `year` (1 to 9999), `month` (1 to 12), `day` (1 to 31),
/// `weekday` (1 for Sunday to 7 for Saturday), `hour` (0 to 23), `minute` and `second` (0 to 59). As text they are a
/// date, a time of day, or both: `2026-03-02`, `18:30`, `2026-03-02 18:30`. Other components, such as a calendar or a
/// time zone, are not transmitted.
extension DateComponents: ParameterValue {
    public static var jsonKind: JSONView.Kind { .object }
    public static var typeDescription: String {
        "parts of a date and time, as an object with some of 'year', 'month', 'day', 'weekday', 'hour', 'minute'"
    }
    /// The kind of a day, because a person says a day: "next Friday".
    public static var spokenKind: SpokenKind? { .date }

    public static var jsonSchema: JSON {
        .object([
            "type": .string("object"), "minProperties": .number(1),
            "properties": JSON.make { writer in
                writer.beginObject()
                for part in DatePart.allCases {
                    writer.member(
                        named: part.rawValue,
                        .object([
                            "type": .string("integer"), "minimum": .number(part.range.lowerBound),
                            "maximum": .number(part.range.upperBound),
                        ]))
                }
                writer.endObject()
            },
        ])
    }

    public init?(json: JSONView) {
        self.init()
        var isEmpty = true
        for (name, value) in json.members {
            guard !value.isNull, let part = DatePart(rawValue: name) else { continue }
            guard let number = value.int, part.range.contains(number) else { return nil }
            self[keyPath: part.path] = number
            isEmpty = false
        }
        if isEmpty { return nil }
        if let month, let day {
            // The 29th of February exists in some years, so an unknown year is checked as a leap year.
            guard CalendarDate(year: year ?? 2024, month: month, day: day) != nil else { return nil }
        }
    }

    public init?(text: String) {
        let trimmed = SpokenNumber.trimmed(text)
        let parts = trimmed.split(maxSplits: 1) { $0 == " " || $0 == "T" }.map(String.init)
        guard let first = parts.first else { return nil }
        self.init()
        let date = CalendarDate(text: first)
        if let date { (year, month, day) = (date.year, date.month, date.day) }
        guard let rest = date == nil ? (parts.count == 1 ? first : nil) : parts.dropFirst().first else {
            if date == nil { return nil }
            return
        }
        guard let time = TimeOfDay(text: rest) else { return nil }
        (hour, minute, second) = (time.hour, time.minute, time.second == 0 ? nil : time.second)
    }

    public func encode(to writer: inout JSONWriter) {
        writer.beginObject()
        for part in DatePart.allCases {
            if let number = self[keyPath: part.path], part.range.contains(number) {
                writer.member(named: part.rawValue, .number(number))
            }
        }
        writer.endObject()
    }

    /// The components as text: "Friday 2026-03-06 18:30". Unknown parts are omitted.
    public var displayText: String {
        var words: [String] = []
        if let weekday, (1...7).contains(weekday) { words.append(Self.weekdays[weekday - 1]) }
        if let year, let month, let day, let date = CalendarDate(year: year, month: month, day: day) {
            words.append(date.displayText)
        } else {
            let digits = [year.map { "\($0)" }, month.map { TwoDigits.text($0) }, day.map { TwoDigits.text($0) }]
            let known = digits.compactMap(\.self)
            if !known.isEmpty { words.append((year == nil ? "--" : "") + known.joined(separator: "-")) }
        }
        if let time = TimeOfDay(hour: hour ?? -1, minute: minute ?? 0, second: second ?? 0) {
            words.append(time.displayText)
        }
        return words.joined(separator: " ")
    }

    private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
}

/// A part of date components that JSON transmits.
private enum DatePart: String, CaseIterable {
    case year, month, day, weekday, hour, minute, second

    var range: ClosedRange<Int> {
        switch self {
        case .year: 1...9999
        case .month: 1...12
        case .day: 1...31
        case .weekday: 1...7
        case .hour: 0...23
        case .minute, .second: 0...59
        }
    }

    var path: WritableKeyPath<DateComponents, Int?> {
        switch self {
        case .year: \.year
        case .month: \.month
        case .day: \.day
        case .weekday: \.weekday
        case .hour: \.hour
        case .minute: \.minute
        case .second: \.second
        }
    }
}
