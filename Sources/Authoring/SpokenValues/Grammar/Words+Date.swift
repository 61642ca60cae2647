import IntentKit

/// A day in a person's words, and its likelihood.
typealias SpokenDay = (day: CivilDay, confidence: Double)

extension Words {
    /// Reads "3 March", "March 3, 2028", "3/4", "2028-03-03", "the third".
    mutating func calendarDays(today: CivilDay?, prefersDates: Bool) -> [SpokenDay]? {
        attempt { $0.writtenDate(today, prefersDates) } ?? attempt { $0.namedDate(today) }
            ?? attempt { $0.ordinalDay(today) }
    }

    private mutating func writtenDate(_ today: CivilDay?, _ prefersDates: Bool) -> [SpokenDay]? {
        guard case .figure(let figure)? = current, let parts = figure.parts, let separator = figure.separators.first,
            figure.hasOnly(separator)
        else { return nil }
        place += 1
        if parts.count == 3, figure.groups[0].utf8.count == 4, separator != ":" {
            return CivilDay(year: parts[0], month: parts[1], day: parts[2]).map { [($0, 0.95)] }
        }
        guard figure.groups.prefix(2).allSatisfy({ $0.utf8.count <= 2 }) else { return nil }
        switch separator {
        case "/", "-": break
        // "18.30" is a time, unless a date is asked for or a second point follows.
        case ".": guard parts.count == 3 || figure.endsWithPoint || prefersDates else { return nil }
        default: return nil
        }
        var year: Int?
        if parts.count == 3 {
            guard let given = Self.fullYear(figure.groups[2]) else { return nil }
            year = given
        } else if parts.count == 2 {
            // In "3.4. 2028" the year follows as a figure of its own.
            year = self.year()
        } else {
            return nil
        }
        let dayFirst = (day: parts[0], month: parts[1])
        let monthFirst = (day: parts[1], month: parts[0])
        var orders = [(dayFirst, 0.95)]
        if separator == "/" || separator == "-", language.code == "en" {
            switch region {
            case nil: orders = dayFirst == monthFirst ? [(dayFirst, 0.95)] : [(monthFirst, 0.5), (dayFirst, 0.5)]
            case "US", "PH": orders = [(monthFirst, 0.95), (dayFirst, 0.3)]
            default: orders = [(dayFirst, 0.95)]
            }
        }
        let days = orders.compactMap { order, confidence in
            Self.day(year, order.month, order.day, today).map { ($0, confidence) }
        }
        // The first order that the calendar allows is enough: 3/25 can only be one day.
        if days.count == 2, orders[0].1 > 0.9 { return [days[0]] }
        return days.isEmpty ? nil : days.count == 1 ? [(days[0].0, max(days[0].1, 0.8))] : days
    }

    private mutating func namedDate(_ today: CivilDay?) -> [SpokenDay]? {
        let month: Int
        let day: Int
        if case .month(let named)? = current {
            place += 1
            skipFillers()
            guard let number = dayOfMonth() else { return nil }
            (month, day) = (named, number)
        } else {
            guard let number = dayOfMonth() else { return nil }
            skipFillers()
            guard case .month(let named)? = current else { return nil }
            place += 1
            (month, day) = (named, number)
        }
        return Self.day(year(), month, day, today).map { [($0, 0.95)] }
    }

    /// Reads "the third", "am dritten": the next day with this number.
    private mutating func ordinalDay(_ today: CivilDay?) -> [SpokenDay]? {
        let isOrdinal =
            switch current {
            case .ordinal: true
            case .figure(let figure): figure.isOrdinal || figure.endsWithPoint && !isAtLast
            default: false
            }
        guard isOrdinal, let today, let number = dayOfMonth() else { return nil }
        let (year, month, _) = today.components
        for ahead in 0..<3 {
            let index = year * 12 + month - 1 + ahead
            if let day = CivilDay(year: index / 12, month: index % 12 + 1, day: number), day >= today {
                return [(day, 0.8)]
            }
        }
        return nil
    }

    private var isAtLast: Bool { place + 1 >= items.count }

    private mutating func dayOfMonth() -> Int? {
        let number: Int? =
            switch current {
            case .number(let number), .ordinal(let number): number
            case .figure(let figure): figure.whole
            default: nil
            }
        guard let number, (1...31).contains(number) else { return nil }
        place += 1
        return number
    }

    /// Reads "2028", "de 2028".
    private mutating func year() -> Int? {
        attempt { words in
            words.skipFillers()
            guard case .figure(let figure)? = words.current, figure.groups.count == 1, figure.groups[0].utf8.count == 4,
                let year = figure.whole,
                year > 0
            else { return nil }
            words.place += 1
            return year
        }
    }

    private static func fullYear(_ digits: String) -> Int? {
        guard let year = Int(digits) else { return nil }
        return digits.utf8.count == 2 ? 2_000 + year : digits.utf8.count == 4 && year > 0 ? year : nil
    }

    /// The day in this year or, if it has passed, in the next year that has it.
    private static func day(_ year: Int?, _ month: Int, _ day: Int, _ today: CivilDay?) -> CivilDay? {
        if let year { return CivilDay(year: year, month: month, day: day) }
        guard let today else { return nil }
        // The next leap day may be eight years away.
        for ahead in 0...8 {
            if let found = CivilDay(year: today.components.year + ahead, month: month, day: day), found >= today {
                return found
            }
        }
        return nil
    }
}
