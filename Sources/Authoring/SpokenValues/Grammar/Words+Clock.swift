extension Words {
    /// Reads a time on the clock.
    ///
    /// - Parameter isExpected: `true` if a number alone is an hour: after "at", or if a time is asked for.
    mutating func clockTime(isExpected: Bool) -> ClockTime? {
        attempt { $0.namedTime() } ?? attempt { $0.writtenTime() } ?? attempt { $0.halfHour() } ?? attempt {
            $0.minutesFromHour()
        }
            ?? attempt { $0.hourAndMinutes(isExpected: isExpected) }
    }

    /// Reads "noon", "midi et demi".
    private mutating func namedTime() -> ClockTime? {
        let hour: Int
        switch current {
        case .noon: hour = 12
        case .midnight: hour = 24
        default: return nil
        }
        place += 1
        if acceptAndAHalf() { return ClockTime(hour: hour % 24, minute: 30, isDefinite: true) }
        return ClockTime(hour: hour, minute: 0, isDefinite: true)
    }

    /// Reads "18:30", "18.30", "6:30:05".
    private mutating func writtenTime() -> ClockTime? {
        guard case .figure(let figure)? = current, let parts = figure.parts, !figure.isOrdinal else { return nil }
        let isClock = figure.hasOnly(":") && (2...3).contains(parts.count)
        let isPointed = figure.hasOnly(".") && parts.count == 2 && figure.groups[0].utf8.count <= 2
        guard isClock || isPointed, parts[0] <= 24, figure.groups[1].utf8.count == 2, parts[1] < 60,
            parts.count < 3 || parts[2] < 60,
            parts[0] < 24 || parts[1] == 0
        else { return nil }
        place += 1
        skipClockWord()
        let isPadded = figure.groups[0].utf8.count == 2 && parts[0] < 10
        return ClockTime(
            hour: parts[0], minute: parts[1], second: parts.count == 3 ? parts[2] : 0, isDefinite: isPadded)
    }

    /// Reads "half past six", "half six", and "halb sieben", which is also half past six.
    private mutating func halfHour() -> ClockTime? {
        if current == .article { place += 1 }
        guard accept(.half) else { return nil }
        if accept(.past) { return hour() }
        guard let hour = fullHour() else { return nil }
        return language.halfNamesNextHour ? ClockTime(hour: hour, minutes: -30) : ClockTime(hour: hour, minutes: 30)

        func hour() -> ClockTime? { fullHour().map { ClockTime(hour: $0, minutes: 30) } }
    }

    /// Reads "quarter past six", "zehn vor sieben", "vijf voor half zeven", "dreiviertel sieben".
    private mutating func minutesFromHour() -> ClockTime? {
        if current == .article { place += 1 }
        guard let minutes = quarterOrMinutes() else { return nil }
        if accept(.past) {
            return target().map { ClockTime(hour: $0, minutes: minutes) }
        }
        if accept(.to) { return target().map { ClockTime(hour: $0, minutes: -minutes) } }
        // "Viertel sieben" is a quarter of the way to seven.
        guard language.code == "de", minutes == 15 || minutes == 45,
            items[place - 1] == .quarter || items[place - 1] == .threeQuarters
        else {
            return nil
        }
        return fullHour().map { ClockTime(hour: $0, minutes: minutes - 60) }
    }

    /// Reads the hour or half hour from which minutes are counted.
    private mutating func target() -> ClockTime? {
        if language.halfNamesNextHour, current == .half { return halfHour() }
        return fullHour()
    }

    /// Reads an hour without minutes.
    private mutating func fullHour() -> ClockTime? {
        skipFillers()
        if let named = attempt({ $0.namedTime() }) {
            return named.hour == 24 ? ClockTime(hour: 0, minute: 0, isDefinite: true) : named
        }
        guard let hour = whole(), (0...24).contains(hour) else { return nil }
        skipClockWord()
        return ClockTime(hour: hour % 24, minute: 0)
    }

    private mutating func quarterOrMinutes() -> Int? {
        switch current {
        case .quarter:
            place += 1
            return 15
        case .threeQuarters:
            place += 1
            return 45
        default:
            // "Een kwartier" is fifteen minutes.
            guard let minutes = whole(), (1..<60).contains(minutes) else { return nil }
            _ = accept(.unit(.minute))
            return minutes
        }
    }

    private mutating func skipClockWord() { if current == .oclock || current == .hourOrClock { place += 1 } }

    /// Reads "18 Uhr 30", "six heures et demie", "siete menos cuarto", "six thirty", "6 pm".
    private mutating func hourAndMinutes(isExpected: Bool) -> ClockTime? {
        let isPadded =
            if case .figure(let figure)? = current {
                figure.groups[0].utf8.count == 2 && figure.groups[0].first == "0"
            } else { false }
        guard let hour = whole(), (0...24).contains(hour) else { return nil }
        let full = ClockTime(hour: hour, minute: 0, isDefinite: isPadded)
        let isNamed = current == .oclock || current == .hourOrClock
        skipClockWord()
        if acceptAndAHalf() { return ClockTime(hour: full, minutes: 30) }
        if let minutes = attempt({ $0.addedMinutes() }) { return ClockTime(hour: full, minutes: minutes) }
        if let minutes = attempt({ $0.plainMinutes() }) { return ClockTime(hour: full, minutes: minutes) }
        if isNamed || current == .am || current == .pm { return full }
        guard isExpected || isPart else { return nil }
        return full
    }

    private var isPart: Bool { if case .part? = current { true } else { false } }

    /// Reads "et quart", "moins le quart", "y diez", "menos veinte".
    private mutating func addedMinutes() -> Int? {
        let isMinus = accept(.minus)
        guard isMinus || accept(.and) else { return nil }
        skipFillers()
        if !isMinus, language.code != "es", current != .quarter { return nil }
        guard let minutes = quarterOrMinutes() else { return nil }
        return isMinus ? -minutes : minutes
    }

    /// Reads "thirty", "oh five".
    private mutating func plainMinutes() -> Int? {
        if current == .number(0), case .number(let minute)? = peek(1), (1...9).contains(minute) {
            place += 2
            return minute
        }
        let isTwoDigits = if case .figure(let figure)? = current { figure.groups[0].utf8.count == 2 } else { true }
        guard isTwoDigits, let minutes = whole(), (1..<60).contains(minutes) else { return nil }
        if accept(.unit(.minute)) { return minutes }
        // "six the third of March" has no minutes.
        switch current {
        case .month, .unit, .hourOrClock, .oclock, .past, .to: return nil
        default: return minutes
        }
    }
}
