import Foundation
import IntentKit

/// A moment that the person was asked about, on their clock.
struct OfferedMoment {
    /// The value as text, in the form of a candidate.
    let text: String
    /// The day; `nil` for a time of day.
    let day: CivilDay?
    /// The seconds since midnight; `nil` for a day.
    let seconds: Int?

    static func all(_ context: SpeechContext, as kind: SpokenKind, _ clock: LocalClock) -> [OfferedMoment] {
        context.offered.compactMap { text in
            switch kind {
            case .dateTime:
                guard let instant = Self.instant(text) else { return nil }
                let local = clock.local(instant)
                return OfferedMoment(text: text, day: local.day, seconds: local.seconds)
            case .date:
                return CivilDay(text).map { OfferedMoment(text: text, day: $0, seconds: nil) }
            case .time:
                return Self.secondsOfDay(text).map { OfferedMoment(text: text, day: nil, seconds: $0) }
            case .number, .wholeNumber, .yesNo, .currencyAmount, .duration, .measurement, .dateRange, .recurrence:
                return nil
            }
        }
    }

    /// The seconds since 1970 of a moment in RFC 3339; `nil` outside the years 1 to 9999.
    static func instant(_ text: String) -> Int? {
        guard let moment = Date(text: text)?.timeIntervalSince1970,
            (-62_135_596_800...253_402_300_799).contains(moment)
        else { return nil }
        return Int(moment.rounded(.down))
    }

    private static func secondsOfDay(_ text: String) -> Int? {
        let parts = text.split(separator: ":", maxSplits: 3).map { Int($0) ?? -1 }
        guard (2...3).contains(parts.count), 0..<24 ~= parts[0], parts.dropFirst().allSatisfy({ 0..<60 ~= $0 }) else {
            return nil
        }
        return parts[0] * 3_600 + parts[1] * 60 + (parts.count == 3 ? parts[2] : 0)
    }
}

extension CivilDay {
    /// Reads "2026-03-02".
    init?(_ text: String) {
        let parts = text.split(separator: "-", maxSplits: 3).map { Int($0) ?? 0 }
        guard parts.count == 3 else { return nil }
        self.init(year: parts[0], month: parts[1], day: parts[2])
    }
}

// Words that pick among the moments that the person was asked about, or name another time of the same days.
extension SpokenMoment {
    /// The certainty of a moment that was not offered: low enough that the person is asked about it.
    private static var doubtful: Double { 0.65 }

    /// The moments that words without a day, or without a time, stand for; `nil` if the words name both, or nothing was
    /// offered.
    func candidatesNearOffered() -> [SpokenCandidate]? {
        guard !offered.isEmpty, kind != .date else { return nil }
        let readings = time?.readings(isMorning: isMorning, part: part)
        switch (hasDay || !namedDays.isEmpty, readings) {
        case (false, let readings?): return atTimes(readings)
        case (false, nil): return inPartOfDay()
        case (true, nil) where part == nil && isMorning == nil && kind == .dateTime: return onNamedDays()
        default: return nil
        }
    }

    /// "18:30", "half past six": the offered moments at this time, or else this time on the offered days.
    private func atTimes(_ readings: [ClockTime.Reading]) -> [SpokenCandidate]? {
        if let picked = picked({ moment in readings.contains { $0.seconds == moment.seconds } }) { return picked }
        if kind != .dateTime { return nil }
        var found: [SpokenCandidate] = []
        for day in days {
            for reading in readings {
                let date = CivilDay(number: day.number + (reading.isNextDay ? 1 : 0))
                guard let text = clock.moment(date, seconds: reading.seconds) else { continue }
                found.append(SpokenCandidate(text: text, confidence: min(reading.confidence, Self.doubtful)))
            }
        }
        return found
    }

    /// "In the evening", "pm": the offered moments in this part of the day, or else its usual hour on the offered days.
    private func inPartOfDay() -> [SpokenCandidate]? {
        if let part {
            if let picked = picked({ part.contains($0.seconds ?? 0, isSpanish: isSpanish) }) { return picked }
            return kind == .dateTime ? atTimes([(part.usualHour * 3_600, false, 0.6)]) : nil
        }
        guard let isMorning else { return nil }
        return picked { (($0.seconds ?? 0) < 43_200) == isMorning } ?? []
    }

    /// "Friday": the offered moments of this day, or else this day at the offered time.
    private func onNamedDays() -> [SpokenCandidate]? {
        if let picked = picked({ moment in namedDays.contains { $0.day == moment.day } }) { return picked }
        let times = Set(offered.compactMap(\.seconds))
        guard times.count == 1, let time = times.first else { return nil }
        return namedDays.compactMap { day, confidence in
            clock.moment(day, seconds: time).map {
                SpokenCandidate(text: $0, confidence: min(confidence, Self.doubtful))
            }
        }
    }

    private var days: [CivilDay] { Set(offered.compactMap(\.day)).sorted() }

    private func picked(_ isMeant: (OfferedMoment) -> Bool) -> [SpokenCandidate]? {
        let meant = offered.filter(isMeant)
        return meant.isEmpty ? nil : meant.map { SpokenCandidate(text: $0.text, confidence: 0.95) }
    }
}

// Words that move each of the values that the person was asked about: "an hour later", "two more", "5 euros less".
extension Words {
    /// The certainty of a moved value.
    private static var certain: Double { 0.9 }

    /// The moved values; `nil` if nothing was offered, or the words don't move a value.
    func movingOffered(as kind: SpokenKind) -> [SpokenCandidate]? {
        guard !context.offered.isEmpty, let (distance, sign) = distance(as: kind) else { return nil }
        let values = context.offered
        switch kind {
        case .number, .wholeNumber:
            guard let step = distance.onlyNumber else { return nil }
            let moved = values.compactMap { Self.sum($0, step, sign) }
            return kind == .number ? moved : moved.filter { Int($0.text) != nil }
        case .currencyAmount: return distance.moving(values, sign)
        case .duration: return distance.onlySpan.map { span in values.compactMap { Self.duration($0, span, sign) } }
        case .date, .time, .dateTime:
            guard let span = distance.onlySpan else { return nil }
            let clock = LocalClock(context)
            return OfferedMoment.all(context, as: kind, clock).compactMap { Self.moment($0, span, sign, kind, clock) }
        case .yesNo, .measurement, .dateRange, .recurrence: return nil
        }
    }

    /// The words without those that move a value up or down, and the direction of the move.
    private func distance(as kind: SpokenKind) -> (Words, sign: Int)? {
        let signs = items.indices.compactMap { place in sign(at: place, as: kind).map { (place: place, sign: $0) } }
        guard let sign = signs.first?.sign, signs.allSatisfy({ $0.sign == sign }) else { return nil }
        // "Más de cuatro" is a lower bound, and "cuatro más" is not.
        if signs.first?.place == 0, items.count > 1, items[1] == .filler { return nil }
        let rest = items.indices.filter { place in !signs.contains { $0.place == place } }.map { items[$0] }
        return rest.isEmpty ? nil : (Words(items: rest, language: language, context: context), sign)
    }

    private func sign(at place: Int, as kind: SpokenKind) -> Int? {
        let isMoment = kind == .dateTime || kind == .date || kind == .time
        switch items[place] {
        case .later where isMoment, .longer where kind == .duration, .more where !isMoment: return 1
        case .earlier where isMoment, .shorter where kind == .duration, .less where !isMoment: return -1
        case .minus where !isMoment && place == items.count - 1: return -1
        default: return nil
        }
    }

    private var onlyNumber: Decimal? {
        var words = self
        let numbers = words.numbers()
        return numbers.count == 1 ? Decimal(string: numbers[0].text) : nil
    }

    private var onlySpan: SpokenSpan? {
        var words = self
        while words.accept(.filler) {}
        guard let spans = words.spans(), spans.count == 1 else { return nil }
        words.skipFillers()
        return words.isAtEnd ? spans[0].0 : nil
    }

    /// Moves sums of money by a sum of their own currency.
    private func moving(_ values: [String], _ sign: Int) -> [SpokenCandidate]? {
        var words = self
        let sums = words.sums()
        guard sums.count == 1 else { return nil }
        let said = sums[0].text.split(separator: " ")
        return values.compactMap { value in
            let parts = value.split(separator: " ")
            guard parts.count == 2, said.count == 2, said[1] == parts[1], let step = Decimal(string: String(said[0])),
                let moved = Self.sum(String(parts[0]), step, sign)
            else { return nil }
            return SpokenCandidate(text: "\(moved.text) \(parts[1])", confidence: moved.confidence)
        }
    }

    private static func sum(_ value: String, _ step: Decimal, _ sign: Int) -> SpokenCandidate? {
        guard value.utf8.count <= 40, let base = Decimal(string: value), !base.isNaN, !step.isNaN else { return nil }
        let sum = sign < 0 ? base - step : base + step
        return sum.isNaN ? nil : SpokenCandidate(text: "\(sum)", confidence: certain)
    }

    private static func duration(_ value: String, _ span: SpokenSpan, _ sign: Int) -> SpokenCandidate? {
        guard let base = Duration(text: value), let step = span.isoText.flatMap({ Duration(text: $0) }),
            base < .seconds(1_000_000_000)
        else { return nil }
        let moved = sign < 0 ? base - step : base + step
        guard moved > .zero else { return nil }
        return SpokenCandidate(text: JSON(moved).view.string ?? "", confidence: certain)
    }

    private static func moment(
        _ offered: OfferedMoment, _ span: SpokenSpan, _ sign: Int, _ kind: SpokenKind, _ clock: LocalClock
    ) -> SpokenCandidate? {
        let seconds = Int(span.seconds) * sign
        let text: String?
        if kind == .time {
            guard span.days == 0, span.months == 0, let start = offered.seconds, 0..<86_400 ~= start + seconds else {
                return nil
            }
            text = LocalClock.clock(start + seconds)
        } else {
            guard let start = offered.day,
                let month = span.months == 0 ? start : start.adding(months: sign * span.months)
            else { return nil }
            let day = CivilDay(number: month.number + sign * span.days)
            if kind == .date {
                text = seconds == 0 ? day.text : nil
            } else if span.days == 0, span.months == 0 {
                text = OfferedMoment.instant(offered.text).flatMap { clock.moment(at: $0 + seconds) }
            } else {
                text = seconds == 0 ? clock.moment(day, seconds: offered.seconds ?? 0) : nil
            }
        }
        return text.map { SpokenCandidate(text: $0, confidence: certain) }
    }
}
