/// A day of the Gregorian calendar as the number of days since 1970-01-01.
struct CivilDay: Hashable, Comparable {
    var number: Int

    init(number: Int) { self.number = number }

    /// Creates a day; `nil` if the calendar does not have it.
    init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        number = era * 146_097 + dayOfEra - 719_468
        guard components == (year, month, day) else { return nil }
    }

    var components: (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        return (yearOfEra + era * 400 + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9, day)
    }

    /// The number of days after Monday.
    var weekday: Int { ((number + 3) % 7 + 7) % 7 }

    /// The same day of another month, or the last day of that month.
    func adding(months: Int) -> CivilDay? {
        let (year, month, day) = components
        let total = year * 12 + month - 1 + months
        for last in stride(from: day, to: day - 4, by: -1) {
            if let found = CivilDay(year: total / 12, month: total % 12 + 1, day: last) { return found }
        }
        return nil
    }

    /// The day as text, such as "2026-03-02"; `nil` outside the years 1 to 9999.
    var text: String? {
        let (year, month, day) = components
        guard (1...9999).contains(year) else { return nil }
        return "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
    }

    static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    static func < (a: CivilDay, b: CivilDay) -> Bool { a.number < b.number }
}
