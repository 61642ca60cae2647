/// A day of the week, which begins with Monday (ISO 8601); in JSON its name in lower case.
public enum Weekday: String, Sendable, Hashable, CaseIterable, Comparable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    /// 1 for Monday to 7 for Sunday.
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

    /// "Monday".
    public var name: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// "monday", "mondays", "mon"; folded.
    init?(folded word: some StringProtocol) {
        let matches = Self.allCases.first { day in
            word == day.rawValue || word == day.rawValue + "s" || word.count >= 3 && word.count <= 5 && day.rawValue.hasPrefix(String(word))
        }
        guard let matches else { return nil }
        self = matches
    }

    /// "MO", as in RFC 5545.
    init?(iCalendar code: some StringProtocol) {
        guard let day = Self.allCases.first(where: { $0.iCalendarCode == code }) else { return nil }
        self = day
    }

    var iCalendarCode: String { rawValue.prefix(2).uppercased() }
}
