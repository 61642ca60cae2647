import IntentKit

/// Reads stretches of time in words: "tomorrow from 2 to 4 pm", "von Montag bis Freitag", "until Friday".
struct SpokenRange {
    private static let marks: Set<Mark> = [.from, .to, .until, .between, .and, .lasting]
    /// The confidence of what the person has to confirm, such as "until Friday": with or without the Friday.
    private static let doubtful = 0.65

    private let language: SpokenLanguage
    private let context: SpeechContext
    private let clock: LocalClock
    private let parts: [MarkedWords.Part]

    private init(_ text: String, _ language: SpokenLanguage, _ context: SpeechContext) {
        self.language = language
        self.context = context
        clock = LocalClock(context)
        parts = MarkedWords(text, language, Self.marks).parts
    }

    /// The stretches of time that the words may mean, as ISO 8601 intervals. Days include their last: "Monday to
    /// Friday" ends when Saturday begins.
    static func candidates(_ text: String, _ language: SpokenLanguage, _ context: SpeechContext) -> [SpokenCandidate] {
        if let dates = SpokenRange.dates(text, LocalClock(context)) { return [dates] }
        return SpokenRange(text, language, context).candidates()
    }

    /// Reads an ISO 8601 interval of two dates without times, which are the person's days: `2026-03-02/2026-03-05`.
    private static func dates(_ text: String, _ clock: LocalClock) -> SpokenCandidate? {
        let ends = text.split(separator: "/", maxSplits: 2).map { CivilDay(String($0)) }
        guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last,
            let start = clock.moment(first, seconds: 0),
            let end = clock.moment(CivilDay(number: last.number + 1), seconds: 0)
        else { return nil }
        return SpokenCandidate(text: "\(start)/\(end)", confidence: 0.95)
    }

    private func candidates() -> [SpokenCandidate] {
        if let between = parts.firstIndex(where: { $0.mark == .between }) {
            return firstRange(parts[..<between], from: between + 1, splitAt: [.and])
        }
        if parts.first?.mark == .until, let end = Endpoint(parts[1...], self), !end.isBare {
            return end.moments(self, isEnd: true).map {
                SpokenCandidate(text: "../\($0.text)", confidence: $0.confidence)
            }
        }
        for from in parts.indices where parts[from].mark == .from {
            let found = firstRange(parts[..<from], from: from + 1, splitAt: [.to, .until])
            if !found.isEmpty { return found }
            if let lasting = splits(after: from + 1, [.lasting]).first {
                return span(Array(parts[..<from] + parts[(from + 1)..<lasting]), parts[(lasting + 1)...])
            }
            guard from == 0, !parts.contains(where: { $0.mark == .to || $0.mark == .until }),
                let start = Endpoint(parts[1...], self), !start.isBare
            else { continue }
            return start.moments(self, isEnd: false).map {
                SpokenCandidate(text: "\($0.text)/..", confidence: $0.confidence)
            }
        }
        if let lasting = splits(after: 0, [.lasting]).first {
            return span(Array(parts[..<lasting]), parts[(lasting + 1)...])
        }
        // The words for "to" are also those for "at" in French and Spanish.
        let found = firstRange([], from: 0, splitAt: language.code == "en" ? [.to, .until] : [.until])
        return found.isEmpty ? Endpoint(parts[...], self)?.wholeDays(self) ?? [] : found
    }

    /// The places of these marks that have words before and after them.
    private func splits(after start: Int, _ marks: Set<Mark>) -> [Int] {
        parts.indices.filter { index in
            index > start && index < parts.count - 1 && parts[index].mark.map(marks.contains) == true
        }
    }

    /// The stretches of time of the first split that can be read.
    private func firstRange(_ lead: ArraySlice<MarkedWords.Part>, from start: Int, splitAt marks: Set<Mark>)
        -> [SpokenCandidate]
    {
        for split in splits(after: start, marks) {
            let found = range(lead, parts[start..<split], parts[(split + 1)...])
            if !found.isEmpty { return found }
        }
        return []
    }

    // MARK: Two ends

    /// - Parameter lead: The words before the stretch of time, which may name its day.
    private func range(
        _ lead: ArraySlice<MarkedWords.Part>, _ from: ArraySlice<MarkedWords.Part>, _ to: ArraySlice<MarkedWords.Part>
    ) -> [SpokenCandidate] {
        guard var end = Endpoint(to, self), var start = Endpoint(from, self) else { return [] }
        if start.isBare, end.times == nil {
            // In "du 3 au 5 mars" the month of the first day is that of the second.
            guard let first = Endpoint(from + Self.afterNumber(to, language), self), !first.isBare else { return [] }
            start = first
        }
        if !lead.isEmpty {
            guard let day = Endpoint(lead, self), day.times == nil, !day.days.isEmpty, start.days.isEmpty else {
                return []
            }
            start.days = day.days
        }
        let isSameDay = end.days.isEmpty
        // "March 3 to 5" has no time, and "13 to 15" may be days.
        if isSameDay, start.times == nil { return [] }
        if start.isBare, end.isBare, start.days.isEmpty, end.days.isEmpty { return [] }
        if end.is24Hours, let said = start.said, !start.is24Hours { start.times = [said] }
        if start.days.isEmpty { start.days = end.days.isEmpty || end.times == nil ? nextDays(start) : end.days }
        if end.days.isEmpty { end.days = start.days }

        var found: [(text: String, length: Int, confidence: Double)] = []
        for (day, sureness) in start.days {
            for (last, lastSureness) in end.days where !isSameDay || last == day {
                for from in start.times ?? [(0, false, 1)] {
                    for to in end.times ?? [(86_400, false, 1)] {
                        let first = day.number * 86_400 + from.seconds + (from.isNextDay ? 86_400 : 0)
                        var second = last.number * 86_400 + to.seconds + (to.isNextDay ? 86_400 : 0)
                        if second <= first, isSameDay { second += 86_400 }
                        if second <= first, end.isWeekday, last != day { second += 7 * 86_400 }
                        // "Sunday to Sunday" is no day.
                        if end.isWeekday, last == day, end.times == nil { continue }
                        guard second > first, let start = moment(first), let end = moment(second) else { continue }
                        let confidence = min(sureness, lastSureness) * min(from.confidence, to.confidence)
                        found.append(("\(start)/\(end)", second - first, confidence))
                    }
                }
            }
        }
        // An hour without its half of the day is the one that makes the shorter stretch: "from 11 to 2 pm".
        guard let shortest = found.map(\.length).min() else { return [] }
        let close = found.filter { $0.length == shortest }
        // A stretch without a time at one end may or may not include its last day.
        let isHalfTimed = (start.times == nil) != (end.times == nil)
        let sureness = start.days.map(\.confidence).max() ?? 1
        return close.map {
            let clear = close.count == 1 && start.times != nil ? max($0.confidence, 0.9 * sureness) : $0.confidence
            return SpokenCandidate(text: $0.text, confidence: isHalfTimed ? Self.doubtful : clear)
        }
    }

    /// The parts after the first number.
    private static func afterNumber(_ parts: ArraySlice<MarkedWords.Part>, _ language: SpokenLanguage)
        -> ArraySlice<MarkedWords.Part>
    {
        let number = parts.firstIndex { part in
            WordReader.items(of: part.words, in: language).contains { item in
                switch item {
                case .number, .figure, .ordinal: true
                default: false
                }
            }
        }
        return number.map { parts[($0 + 1)...] } ?? []
    }

    /// Today, if a time without a day is still ahead, else tomorrow, which has to be confirmed.
    private func nextDays(_ start: Endpoint) -> [SpokenDay] {
        guard let today = clock.today, let now = clock.timeOfDay, let times = start.times else { return [] }
        let isAhead = times.contains { $0.seconds > now }
        return [(CivilDay(number: today.number + (isAhead ? 0 : 1)), isAhead ? 0.9 : 0.7)]
    }

    /// Reads "tomorrow at 2 for two hours".
    private func span(_ from: [MarkedWords.Part], _ length: ArraySlice<MarkedWords.Part>) -> [SpokenCandidate] {
        guard let start = Endpoint(from[...], self), start.times != nil else { return [] }
        let text = length.map(\.words).joined(separator: " ")
        var words = Words(items: WordReader.items(of: text, in: language), language: language, context: context)
        let spans = words.durations()
        guard spans.count == 1, let length = Duration(text: spans[0].text), length > .zero,
            length < .seconds(86_400 * 366)
        else { return [] }
        return start.moments(self, isEnd: false).compactMap { from in
            guard let instant = OfferedMoment.instant(from.text),
                let end = clock.moment(at: instant + Int(length.components.seconds))
            else { return nil }
            return SpokenCandidate(text: "\(from.text)/\(end)", confidence: from.confidence)
        }
    }

    /// A moment in seconds on the person's clock.
    private func moment(_ seconds: Int) -> String? {
        let day = Int((Double(seconds) / 86_400).rounded(.down))
        return clock.moment(CivilDay(number: day), seconds: seconds - day * 86_400)
    }

    /// One end of a stretch of time: its days and its times, of which one may be missing.
    private struct Endpoint {
        var days: [SpokenDay]
        var times: [ClockTime.Reading]?
        /// `true` if the day is only named as a weekday.
        let isWeekday: Bool
        /// `true` for a number alone, which may be an hour or a day.
        let isBare: Bool
        /// `true` if the time can only be one of a clock with 24 hours.
        let is24Hours: Bool
        /// The time as it was said, as one of a clock with 24 hours.
        let said: ClockTime.Reading?

        init?(_ parts: ArraySlice<MarkedWords.Part>, _ range: SpokenRange) {
            let text = parts.map(\.words).joined(separator: " ")
            let items = WordReader.items(of: text, in: range.language)
            guard !items.isEmpty, !items.contains(.unknown) else { return nil }
            let words = Words(items: items, language: range.language, context: range.context)
            // "2" is an hour only where a time is expected.
            let clear = SpokenMoment(words, as: .dateTime)
            guard let moment = clear ?? SpokenMoment(words, as: .time), !moment.isRelative else { return nil }
            days = moment.namedDays
            times = moment.clockReadings
            isWeekday = moment.isWeekday
            isBare = clear == nil
            let time = moment.isMorning == nil && moment.part == nil ? moment.time : nil
            is24Hours = time?.isDefinite == true
            said = time.map { ($0.hour % 24 * 3_600 + $0.minute * 60, false, 0.95) }
            if days.isEmpty, times == nil { return nil }
        }

        /// The moments of the only end. The end of a day is the beginning of the next one.
        func moments(_ range: SpokenRange, isEnd: Bool) -> [(text: String, confidence: Double)] {
            let days = days.isEmpty ? range.nextDays(self) : days
            return days.flatMap { day, sureness in
                (times ?? [(isEnd ? 86_400 : 0, false, isEnd ? SpokenRange.doubtful : 1)]).compactMap { time in
                    let seconds = day.number * 86_400 + time.seconds + (time.isNextDay ? 86_400 : 0)
                    return range.moment(seconds).map { ($0, sureness * time.confidence) }
                }
            }
        }

        /// A day as a stretch of time, from its first moment to its last. A week and a month are no days.
        func wholeDays(_ range: SpokenRange) -> [SpokenCandidate] {
            guard times == nil else { return [] }
            return days.compactMap { day, sureness in
                guard sureness > 0.6, let start = range.moment(day.number * 86_400),
                    let end = range.moment((day.number + 1) * 86_400)
                else { return nil }
                return SpokenCandidate(text: "\(start)/\(end)", confidence: min(sureness, 0.8))
            }
        }
    }
}
