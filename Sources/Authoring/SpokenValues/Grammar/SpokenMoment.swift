import IntentKit

/// The day and the time that a person's words name.
struct SpokenMoment {
    private var days: [SpokenDay]?
    private var weekday: Int?
    private var weekdayIsOf: Week = .any
    private(set) var time: ClockTime?
    private(set) var isMorning: Bool?
    private(set) var part: DayPart?
    private var span: (SpokenSpan, isAgo: Bool)?
    let clock: LocalClock
    let offered: [OfferedMoment]
    let isSpanish: Bool
    let kind: SpokenKind

    private enum Week { case any, next, last, after }

    /// Reads words; `nil` if a word has no place in a date or a time.
    init?(_ words: Words, as kind: SpokenKind) {
        self.kind = kind
        clock = LocalClock(words.context)
        offered = OfferedMoment.all(words.context, as: kind, clock)
        isSpanish = words.language.code == "es"
        var words = words
        var isHourExpected = kind == .time
        while let item = words.current {
            if read(&words, item, isHourExpected) {
                isHourExpected = kind == .time || hasDay
            } else if item == .at || item == .within {
                isHourExpected = isHourExpected || item == .at
                words.place += 1
            } else if item.isFiller {
                words.place += 1
            } else {
                return nil
            }
        }
    }

    var hasDay: Bool { days != nil || weekday != nil }
    /// `true` if the words name a time from now: "in two weeks".
    var isRelative: Bool { span != nil }
    /// `true` if the day is only named as a weekday.
    var isWeekday: Bool { days == nil && weekday != nil }

    /// The times of day that the words may name; `nil` if they name none.
    var clockReadings: [ClockTime.Reading]? {
        time?.readings(isMorning: isMorning, part: part) ?? part.map { [($0.usualHour * 3_600, false, 0.6)] }
    }

    // MARK: Reading

    private mutating func read(_ words: inout Words, _ item: Item, _ isHourExpected: Bool) -> Bool {
        if span == nil, let found = words.attempt({ Self.relative(&$0) }) {
            span = found
            return true
        }
        switch item {
        case .now where span == nil:
            span = (SpokenSpan(), false)
            words.place += 1
            return true
        case .day(1) where words.language.code == "de" && hasDay:
            part = .morning
            words.place += 1
            return true
        case .day(let offset):
            guard days == nil, let today = clock.today else { return false }
            days = [(CivilDay(number: today.number + offset), 0.95)]
            words.place += 1
            return true
        case .part(let said):
            part = said
            words.place += 1
            return true
        case .am, .pm:
            isMorning = item == .am
            words.place += 1
            return true
        case .next, .last, .nextWeek, .weekday, .unit:
            return readWeek(&words, item)
        default: break
        }
        if days == nil,
            let found = words.calendarDays(
                today: clock.today, prefersDates: kind == .date || (time != nil && kind != .time))
        {
            days = found
            return true
        }
        if time == nil, let found = words.clockTime(isExpected: isHourExpected) {
            time = found
            return true
        }
        return false
    }

    /// Reads words such as "next Friday", "vendredi prochain", "next week", "next month".
    private mutating func readWeek(_ words: inout Words, _ item: Item) -> Bool {
        switch item {
        case .weekday(let said):
            guard weekday == nil else { return false }
            weekday = said
            words.place += 1
            if words.accept(.next) { weekdayIsOf = .next } else if words.accept(.last) { weekdayIsOf = .last }
            return true
        case .nextWeek:
            weekdayIsOf = .after
            words.place += 1
            return true
        case .next, .last:
            if case .weekday(let said)? = words.peek(1), weekday == nil {
                weekday = said
                weekdayIsOf = item == .next ? .next : .last
                words.place += 2
                return true
            }
            guard let unit = words.peek(1)?.timeUnit else { return false }
            return jump(&words, unit, item == .last)
        case .unit(let unit):
            guard words.peek(1) == .next || words.peek(1) == .last else { return false }
            return jump(&words, unit, words.peek(1) == .last)
        default: return false
        }
    }

    /// Moves one week, month or year from today.
    private mutating func jump(_ words: inout Words, _ unit: TimeUnit, _ isBack: Bool) -> Bool {
        guard days == nil, let today = clock.today else { return false }
        let step = isBack ? -1 : 1
        let day: CivilDay? =
            switch unit {
            case .week: CivilDay(number: today.number + 7 * step)
            case .month: today.adding(months: step)
            case .year: today.adding(months: 12 * step)
            case .second, .minute, .hour, .day: nil
            }
        guard let day else { return false }
        days = [(day, 0.6)]
        words.place += 2
        return true
    }

    /// Reads words such as "in 20 minutes", "over een uur", "vor zwei Tagen", "il y a 2 jours", "an hour ago".
    private static func relative(_ words: inout Words) -> (SpokenSpan, isAgo: Bool)? {
        var isAgo = false
        switch words.current {
        case .within, .past: words.place += 1
        case .to, .ago:
            isAgo = true
            words.place += 1
        default:
            guard let (span, _) = words.spans()?.first else { return nil }
            words.skipFillers()
            if words.accept(.ago) { return (span, true) }
            return words.accept(.fromNow) || words.accept(.later) ? (span, false) : nil
        }
        guard let (span, _) = words.spans()?.first else { return nil }
        return (span, isAgo)
    }

    // MARK: Candidates

    /// The values of the requested kind.
    func candidates() -> [SpokenCandidate] {
        if let span { return after(span.0, isAgo: span.isAgo) }
        if let near = candidatesNearOffered() { return near }
        switch kind {
        case .date:
            return namedDays.compactMap { day, confidence in
                day.text.map { SpokenCandidate(text: $0, confidence: confidence) }
            }
        case .time:
            return timesOfDay().map { SpokenCandidate(text: LocalClock.clock($0.seconds), confidence: $0.confidence) }
        default: return moments()
        }
    }

    private func timesOfDay() -> [ClockTime.Reading] {
        let readings = clockReadings ?? []
        return clock.today.map { today in namedDays.contains { $0.day == today } } == true
            ? ahead(readings) ?? readings : readings
    }

    /// The only reading that is still ahead today; `nil` if there is no such reading, or several.
    private func ahead(_ readings: [ClockTime.Reading]) -> [ClockTime.Reading]? {
        guard readings.count > 1, let now = clock.timeOfDay else { return nil }
        let left = readings.filter { $0.seconds > now || $0.isNextDay }
        return left.count == 1 ? [(left[0].seconds, left[0].isNextDay, 0.8)] : nil
    }

    var namedDays: [SpokenDay] {
        if let days {
            guard let weekday else { return days }
            // A weekday next to a date has to be the weekday of the date.
            let fitting = days.filter { $0.day.weekday == weekday }
            return fitting.isEmpty
                ? days.map { ($0.day, $0.confidence * 0.6) } : fitting.map { ($0.day, max($0.confidence, 0.9)) }
        }
        guard let today = clock.today else { return [] }
        guard let weekday else { return weekdayIsOf == .after ? [(CivilDay(number: today.number + 7), 0.6)] : [] }
        let distance = (weekday - today.weekday + 7) % 7
        let ahead = CivilDay(number: today.number + (distance == 0 ? 7 : distance))
        switch weekdayIsOf {
        case .any: return [(ahead, 0.9)]
        case .last: return [(CivilDay(number: today.number - (distance == 0 ? 7 : 7 - distance)), 0.9)]
        case .after: return [(CivilDay(number: today.number - today.weekday + 7 + weekday), 0.95)]
        case .next:
            // On Monday, some people call this week's Friday "next Friday", others the Friday of the following week.
            if weekday <= today.weekday { return [(ahead, 0.9)] }
            return [(CivilDay(number: ahead.number + 7), 0.5), (ahead, 0.45)]
        }
    }

    private func moments() -> [SpokenCandidate] {
        var found: [(day: CivilDay, seconds: Int, confidence: Double)] = []
        let readings = clockReadings
        if !namedDays.isEmpty {
            for (day, confidence) in namedDays {
                guard let readings else {
                    // A day without a time stands for the beginning of the day. The confidence is so low that the
                    // person has to confirm it.
                    found.append((day, 0, min(confidence, 0.6)))
                    continue
                }
                let open = day == clock.today ? ahead(readings) ?? readings : readings
                for reading in open {
                    let isLate = reading.isNextDay || (time?.hour == 24)
                    found.append(
                        (
                            CivilDay(number: day.number + (isLate ? 1 : 0)), reading.seconds,
                            confidence * reading.confidence
                        ))
                }
            }
        } else if let readings, let today = clock.today, let now = clock.timeOfDay {
            let open = ahead(readings) ?? readings
            for reading in open {
                let isToday = reading.seconds > now || reading.isNextDay
                let day = CivilDay(number: today.number + (isToday && !reading.isNextDay ? 0 : 1))
                found.append((day, reading.seconds, min(reading.confidence, isToday ? 0.9 : 0.75)))
            }
        }
        return found.compactMap { day, seconds, confidence in
            clock.moment(day, seconds: seconds).map { SpokenCandidate(text: $0, confidence: confidence) }
        }
    }

    /// The moment this long from now. A span of days may have a time of day too.
    private func after(_ span: SpokenSpan, isAgo: Bool) -> [SpokenCandidate] {
        guard let today = clock.today, let now = clock.timeOfDay, days == nil, weekday == nil else { return [] }
        let sign = isAgo ? -1 : 1
        guard let month = span.months == 0 ? today : today.adding(months: sign * span.months) else { return [] }
        let day = CivilDay(number: month.number + sign * span.days)
        let seconds = Int(span.seconds) * sign
        if span.seconds == 0, span != SpokenSpan() {
            let readings = clockReadings
            switch kind {
            case .date: return day.text.map { [SpokenCandidate(text: $0, confidence: 0.95)] } ?? []
            case .time:
                return (readings ?? []).map {
                    SpokenCandidate(text: LocalClock.clock($0.seconds), confidence: $0.confidence)
                }
            default:
                return (readings ?? [(now, false, 0.8)]).compactMap { reading in
                    let date = CivilDay(number: day.number + (reading.isNextDay ? 1 : 0))
                    return clock.moment(date, seconds: reading.seconds).map {
                        SpokenCandidate(text: $0, confidence: reading.confidence)
                    }
                }
            }
        }
        guard time == nil, span.days == 0, span.months == 0, let text = clock.moment(after: seconds) else { return [] }
        switch kind {
        case .date: return [SpokenCandidate(text: String(text.prefix(10)), confidence: 0.9)]
        case .time: return [SpokenCandidate(text: String(text.dropFirst(11).prefix(5)), confidence: 0.9)]
        default: return [SpokenCandidate(text: text, confidence: 0.95)]
        }
    }
}
