/// The meaning of a word, a phrase or a figure in a person's words, in any language.
enum Item: Sendable, Hashable {
    /// A whole number in words.
    case number(Int)
    /// A number in words with a fraction: 1.5.
    case fraction(Double)
    case figure(Figure)
    /// An ordinal such as "third".
    case ordinal(Int)
    case half, quarter, threeQuarters
    case past, to, and, minus, point
    case at, within, ago, fromNow, article, filler
    /// A word that moves a moment: "later", "earlier".
    case later, earlier
    /// A word that changes a length of time: "longer", "shorter".
    case longer, shorter
    /// A word that changes a number, an amount or a length of time: "more", "less".
    case more, less
    case next, last, nextWeek
    /// The current moment: "right now".
    case now
    /// The number of days from today.
    case day(Int)
    case part(DayPart)
    /// The number of days after Monday.
    case weekday(Int)
    case month(Int)
    case unit(TimeUnit)
    /// A word that only names a time on the clock: "Uhr".
    case oclock
    /// A word for both hours and the time on the clock: "uur", "heures".
    case hourOrClock
    case am, pm, noon, midnight
    /// The code of a currency (ISO 4217).
    case currency(String)
    case cents
    case dollarSign
    case unknown

    /// `true` if the item may be skipped.
    var isFiller: Bool {
        switch self {
        case .filler, .article: true
        default: false
        }
    }

    /// The unit of time that the item may name.
    var timeUnit: TimeUnit? {
        switch self {
        case .unit(let unit): unit
        case .hourOrClock: .hour
        default: nil
        }
    }
}

enum DayPart: Sendable, Hashable {
    case morning, afternoon, evening, night

    /// The hour from 0 to 23 of an hour from 1 to 12 in this part of the day, and `true` if it is after midnight.
    func hour(_ hour: Int) -> (hour: Int, isNextDay: Bool) {
        switch self {
        case .morning: (hour == 12 ? 0 : hour, false)
        case .afternoon: (hour == 12 ? 12 : hour + 12, false)
        case .evening: hour == 12 ? (0, true) : (hour + 12, false)
        case .night: hour == 12 ? (0, true) : hour <= 5 ? (hour, true) : (hour + 12, false)
        }
    }

    /// Returns `true` if people call this time of day, in seconds since midnight, a time in this part of the day.
    func contains(_ seconds: Int, isSpanish: Bool) -> Bool {
        let hour = seconds / 3_600
        return switch self {
        case .morning: hour < 12
        case .afternoon: (12..<(isSpanish ? 21 : 19)).contains(hour)
        case .evening: hour >= 17
        case .night: hour >= 20 || hour < 6
        }
    }

    /// The hour to propose if only the part of the day is said.
    var usualHour: Int {
        switch self {
        case .morning: 9
        case .afternoon: 15
        case .evening: 19
        case .night: 22
        }
    }
}

enum TimeUnit: Sendable, Hashable {
    case second, minute, hour, day, week, month, year
}
