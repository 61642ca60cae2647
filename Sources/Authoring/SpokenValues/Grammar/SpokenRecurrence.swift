import IntentKit

/// Reads recurrences in words: "every other Monday", "jeden Montag und Donnerstag", "tous les deux jours, dix fois".
struct SpokenRecurrence {
    private static let marks: Set<Mark> = [
        .every, .everyOther, .hourly, .daily, .weekly, .monthly, .yearly, .weekdays, .workdays, .weekend, .on, .and,
        .times, .until, .lasting,
    ]
    /// The confidence of a day alone, which may be one day: "Monday".
    private static let doubtful = 0.65

    private let language: SpokenLanguage
    private let context: SpeechContext
    private let parts: [MarkedWords.Part]
    private var place = 0
    private var confidence = 0.95

    private init(_ text: String, _ language: SpokenLanguage, _ context: SpeechContext) {
        self.language = language
        self.context = context
        parts = MarkedWords(text, language, Self.marks).parts
    }

    /// The recurrences that the words may mean, as RFC 5545 rules.
    static func candidates(_ text: String, _ language: SpokenLanguage, _ context: SpeechContext) -> [SpokenCandidate] {
        var reader = SpokenRecurrence(text, language, context)
        return reader.rule().map { [SpokenCandidate(text: $0, confidence: reader.confidence)] } ?? []
    }

    private mutating func rule() -> String? {
        var interval = 1
        var frequency: String?
        var days: [Int] = []
        switch current?.mark {
        case .every?, .everyOther?:
            let isOther = current?.mark == .everyOther
            let isClear = current.map { TextFolding.fold($0.words) } == "every other"
            place += 1
            if case .ordinal? = item, !isEachUnit { return nil }
            interval = number() ?? (isOther ? 2 : 1)
            frequency = unit()
            days = weekdays()
            if frequency == nil, days.isEmpty { return nil }
            // "Every second Monday" may be that of each month.
            if isOther, !isClear, frequency == nil { confidence = Self.doubtful }
        case let mark? where Self.frequency(mark) != nil:
            frequency = Self.frequency(mark)
            place += 1
            days = weekdays()
        default:
            days = weekdays()
            if days.isEmpty { return nil }
        }
        guard days.isEmpty || frequency == nil || frequency == "WEEKLY" else { return nil }
        var rule = "FREQ=\(frequency ?? "WEEKLY")"
        if interval != 1 { rule += ";INTERVAL=\(interval)" }
        if !days.isEmpty { rule += ";BYDAY=" + Set(days).sorted().map { Self.codes[$0] }.joined(separator: ",") }
        guard let end = end(frequency ?? "WEEKLY"), place == parts.count else { return nil }
        return rule + end
    }

    private static let codes = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

    private static func frequency(_ mark: Mark) -> String? {
        switch mark {
        case .hourly: "HOURLY"
        case .daily: "DAILY"
        case .weekly: "WEEKLY"
        case .monthly: "MONTHLY"
        case .yearly: "YEARLY"
        default: nil
        }
    }

    // MARK: Parts

    private var current: MarkedWords.Part? { place < parts.count ? parts[place] : nil }

    /// The meaning of the current word alone.
    private var item: Item? {
        guard let current, current.mark == nil else { return nil }
        let items = WordReader.items(of: current.words, in: language)
        return items.count == 1 ? items[0] : nil
    }

    private mutating func accept(_ mark: Mark) -> Bool {
        guard current?.mark == mark else { return false }
        place += 1
        return true
    }

    /// `true` if the word after an ordinal is a unit: "every third day". "Every first Monday" is no interval.
    private var isEachUnit: Bool {
        var reader = self
        return reader.number().map { $0 > 1 } == true && reader.unit() != nil
    }

    private mutating func number() -> Int? {
        let number: Int? =
            switch item {
            case .number(let number)?: number
            case .figure(let figure)?: figure.whole
            // "Jeden dritten Tag", "every third day".
            case .ordinal(let number)?: number
            default: nil
            }
        guard let number, (1...1_000).contains(number) else { return nil }
        place += 1
        return number
    }

    private mutating func unit() -> String? {
        let frequency: String? =
            switch item?.timeUnit {
            case .minute?: "MINUTELY"
            case .hour?: "HOURLY"
            case .day?: "DAILY"
            case .week?: "WEEKLY"
            case .month?: "MONTHLY"
            case .year?: "YEARLY"
            case .second?, nil: nil
            }
        if frequency != nil { place += 1 }
        return frequency
    }

    /// Reads "on Monday and Thursday", "montags", "weekdays".
    private mutating func weekdays() -> [Int] {
        var days: [Int] = []
        let (start, isNamed) = (place, place > 0)
        var isPlural = isNamed || current?.mark == .every
        while accept(.on) || accept(.every) {}
        while true {
            let more: [Int]
            if accept(.weekdays) {
                (more, isPlural) = (Array(0..<5), true)
            } else if accept(.workdays) {
                (more, isPlural) = (Array(0..<5), true)
                confidence = Self.doubtful
            } else if accept(.weekend) {
                (more, isPlural) = ([5, 6], true)
            } else if let (day, isManyDays) = weekday() {
                more = [day]
                isPlural = isPlural || isManyDays
                place += 1
            } else {
                break
            }
            days += more
            while accept(.and) || accept(.on) || accept(.every) {}
        }
        if days.isEmpty { place = start } else if !isPlural { confidence = Self.doubtful }
        return days
    }

    /// The weekday that the current word names, and `true` if the word is a plural: "Mondays", "montags", "lundis".
    private func weekday() -> (day: Int, isPlural: Bool)? {
        if case .weekday(let day)? = item { return (day, false) }
        let name = current?.words.trimmingSuffix(while: { !$0.isLetter }) ?? ""
        // A short name with an s is another word: "mars".
        guard name.count > 5, name.last == "s" || name.last == "S" else { return nil }
        guard case .weekday(let day)? = WordReader.items(of: String(name.dropLast()), in: language).first else {
            return nil
        }
        return (day, true)
    }

    /// Reads "for 10 times", "until 31 December"; empty without an end, `nil` if it can't be read.
    private mutating func end(_ frequency: String) -> String? {
        if place == parts.count { return "" }
        if accept(.until) {
            let text = parts[place...].map(\.words).joined(separator: " ")
            place = parts.count
            return until(text)
        }
        let isInAll = accept(.lasting)
        guard let count = number(), accept(.times) else { return nil }
        // "Every day 3 times" is three times a day to most.
        if !isInAll {
            if ["MINUTELY", "HOURLY", "DAILY"].contains(frequency) { return nil }
            confidence = Self.doubtful
        }
        return ";COUNT=\(count)"
    }

    /// The end of a day in words, in UTC. A weekday alone may be the last of several days: "Monday to Friday".
    private mutating func until(_ text: String) -> String? {
        let items = WordReader.items(of: text, in: language)
        guard !items.isEmpty, !items.contains(.unknown),
            let moment = SpokenMoment(Words(items: items, language: language, context: context), as: .date),
            !moment.isWeekday
        else { return nil }
        let days = moment.candidates()
        guard days.count == 1, let date = CivilDay(days[0].text),
            let text = LocalClock(context).moment(date, seconds: 86_399), let instant = OfferedMoment.instant(text),
            let utc = LocalClock(SpeechContext()).moment(at: instant)
        else { return nil }
        confidence = min(confidence, days[0].confidence)
        let digits = utc.prefix(19).filter { $0 != "-" && $0 != ":" }
        return ";UNTIL=\(digits)Z"
    }
}

extension StringProtocol {
    fileprivate func trimmingSuffix(while isDropped: (Character) -> Bool) -> SubSequence {
        var text = self[...]
        while let last = text.last, isDropped(last) { text.removeLast() }
        return text
    }
}
