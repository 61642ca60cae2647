/// What a word, a phrase or a figure of a person's words means to the grammar, in any language.
enum Item: Sendable, Hashable {
    /// A whole number in words.
    case number(Int)
    /// A number in words that is not whole: 1.5.
    case fraction(Double)
    case figure(Figure)
    /// "third".
    case ordinal(Int)
    case half, quarter, threeQuarters
    case past, to, and, minus, point
    case at, within, ago, fromNow, article, filler
    case next, last, nextWeek
    /// "Right now".
    case now
    /// Days from today.
    case day(Int)
    case part(DayPart)
    /// Days after Monday.
    case weekday(Int)
    case month(Int)
    case unit(TimeUnit)
    /// A word that names a time on the clock only: "Uhr".
    case oclock
    /// A word that is both hours and the time on the clock: "uur", "heures".
    case hourOrClock
    case am, pm, noon, midnight
    /// ISO 4217.
    case currency(String)
    case cents
    case dollarSign
    case unknown

    /// Whether it may be passed over.
    var isFiller: Bool {
        switch self {
        case .filler, .article: true
        default: false
        }
    }

    /// The unit of time that it may be.
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

    /// The hour of 24 that this hour of twelve is at this part of the day, and whether that is after midnight.
    func hour(_ hour: Int) -> (hour: Int, isNextDay: Bool) {
        switch self {
        case .morning: (hour == 12 ? 0 : hour, false)
        case .afternoon: (hour == 12 ? 12 : hour + 12, false)
        case .evening: hour == 12 ? (0, true) : (hour + 12, false)
        case .night: hour == 12 ? (0, true) : hour <= 5 ? (hour, true) : (hour + 12, false)
        }
    }

    /// The hour that is proposed if only the part of the day is said.
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
