#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A rule for a recurrence: SiriKit's `INRecurrenceRule`, with an end.
///
/// In JSON a rule is `{"frequency":"weekly","interval"?:2,"weekdays"?:["monday","thursday"],"count"?:10}`, or with
/// `"until"` and a date instead of `count`. A person may say "daily", "every 2 weeks" or "every Monday and Thursday
/// until 2026-12-31T00:00:00Z"; a program may send an RFC 5545 rule (`FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;COUNT=10`)
/// with these parts. To compute the days, use the person's calendar.
public struct RecurrenceRule: ParameterValue {
    /// The unit of a recurrence: `INRecurrenceFrequency`.
    public enum Frequency: String, Sendable, Hashable, CaseIterable {
        case minute, hourly, daily, weekly, monthly, yearly
    }

    public enum End: Sendable, Hashable {
        case never
        /// The recurrence ends after this number of times.
        case after(count: Int)
        /// The last time is not after this moment.
        case until(Date)
    }

    /// The number of the frequency's units from one time to the next, 1 to 1,000.
    public let interval: Int
    public let frequency: Frequency
    /// The days of a weekly rule, if the rule has days, from Monday on (`INRecurrenceRule.weeklyRecurrenceDays`).
    public let weekdays: [Weekday]
    /// The end of the recurrence. A count is 1 to 100,000.
    public let end: End

    /// Creates a rule. Values outside the bounds are clamped; weekdays of a frequency other than weekly are ignored.
    public init(interval: Int = 1, frequency: Frequency, weekdays: some Sequence<Weekday> = [], end: End = .never) {
        self.interval = min(max(interval, 1), Self.maximumInterval)
        self.frequency = frequency
        self.weekdays = frequency == .weekly ? Set(weekdays).sorted() : []
        if case .after(let count) = end {
            self.end = .after(count: min(max(count, 1), Self.maximumCount))
        } else {
            self.end = end
        }
    }

    static let maximumInterval = 1_000
    static let maximumCount = 100_000

    // MARK: As a parameter

    public static var spokenKind: SpokenKind? { .recurrence }
    public static var jsonKind: JSONView.Kind { .object }
    public static var typeDescription: String { "how it repeats, such as 'daily' or 'every 2 weeks'" }
    public static var jsonSchema: JSON {
        func integer(_ maximum: Int) -> JSON {
            .object(["type": .string("integer"), "minimum": .number(1), "maximum": .number(maximum)])
        }
        let weekday = JSON.object(["enum": .array(Weekday.allCases.map { .string($0.rawValue) })])
        return .objectSchema(
            [
                "frequency": .object(["enum": .array(Frequency.allCases.map { .string($0.rawValue) })]),
                "interval": integer(maximumInterval),
                "weekdays": .object(["type": .string("array"), "items": weekday, "uniqueItems": .bool(true)]),
                "count": integer(maximumCount), "until": Date.jsonSchema,
            ], required: ["frequency"])
    }

    public init?(json: JSONView) {
        guard let frequency = json["frequency"]?.string.flatMap(Frequency.init(rawValue:)) else { return nil }
        var days: [Weekday] = []
        if let member = json["weekdays"], !member.isNull {
            let elements = member.elements
            guard member.kind == .array, elements.count <= 7, frequency == .weekly || elements.isEmpty else {
                return nil
            }
            for element in elements {
                guard let day = element.string.flatMap(Weekday.init(rawValue:)) else { return nil }
                days.append(day)
            }
        }
        var interval = 1
        if let member = json["interval"] {
            guard let given = Int(json: member) else { return nil }
            interval = given
        }
        var end = End.never
        switch (json["count"], json["until"]) {
        case (nil, nil): break
        case (let count?, nil):
            guard let count = Int(json: count) else { return nil }
            end = .after(count: count)
        case (nil, let until?):
            guard let moment = until.string.flatMap({ Date(text: $0) }) else { return nil }
            end = .until(moment)
        case (_?, _?): return nil
        }
        self.init(checking: interval, frequency, days, end)
    }

    /// Creates a rule, or returns `nil` for values outside the bounds.
    init?(checking interval: Int, _ frequency: Frequency, _ weekdays: [Weekday], _ end: End) {
        if case .after(let count) = end, !(1...Self.maximumCount).contains(count) { return nil }
        guard (1...Self.maximumInterval).contains(interval) else { return nil }
        self.init(interval: interval, frequency: frequency, weekdays: weekdays, end: end)
    }

    public init?(text: String) {
        guard let rule = RecurrenceText.parse(text) else { return nil }
        self = rule
    }

    public func encode(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("frequency", frequency.rawValue)
        if interval != 1 { writer.member("interval", interval) }
        if !weekdays.isEmpty { writer.member("weekdays", .array(weekdays.map { .string($0.rawValue) })) }
        switch end {
        case .never: break
        case .after(let count): writer.member("count", count)
        case .until(let moment): writer.member("until", JSON(moment))
        }
        writer.endObject()
    }

    /// The rule in words: "every 2 weeks on Monday and Thursday, 10 times".
    public var displayText: String { displayText(in: nil) }
    public func displayText(in locale: String?) -> String { RecurrenceText.display(self, in: locale) }
}

/// A day of the week, starting with Monday (ISO 8601). In JSON a day is its name in lower case.
public enum Weekday: String, Sendable, Hashable, CaseIterable, Comparable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    /// The number of the day, 1 for Monday to 7 for Sunday.
    public var number: Int {
        switch self {
        case .monday: 1
        case .tuesday: 2
        case .wednesday: 3
        case .thursday: 4
        case .friday: 5
        case .saturday: 6
        case .sunday: 7
        }
    }

    public static func < (a: Weekday, b: Weekday) -> Bool { a.number < b.number }

    /// The name of the day: "Monday".
    public var name: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// Creates a day from a folded word: "monday", "mondays", "mon".
    init?(folded word: some StringProtocol) {
        let matches = Self.allCases.first { day in
            word == day.rawValue || word == day.rawValue + "s"
                || word.count >= 3 && word.count <= 5 && day.rawValue.hasPrefix(String(word))
        }
        guard let matches else { return nil }
        self = matches
    }

    /// Creates a day from its code in RFC 5545: "MO".
    init?(iCalendar code: some StringProtocol) {
        guard let day = Self.allCases.first(where: { $0.iCalendarCode == code }) else { return nil }
        self = day
    }

    var iCalendarCode: String { rawValue.prefix(2).uppercased() }
}
