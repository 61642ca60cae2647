import IntentKit

/// A length of time. Months have no fixed number of days.
struct SpokenSpan: Equatable {
    var seconds = 0.0
    var days = 0
    var months = 0

    mutating func add(_ amount: Double, _ unit: TimeUnit) -> Bool {
        guard amount <= 1_000_000 else { return false }
        switch unit {
        case .second: seconds += amount
        case .minute: seconds += amount * 60
        case .hour: seconds += amount * 3_600
        case .day, .week:
            let days = amount * (unit == .week ? 7 : 1)
            self.days += Int(days)
            seconds += (days - days.rounded(.down)) * 86_400
        case .month, .year:
            let months = amount * (unit == .year ? 12 : 1)
            guard let whole = Int(exactly: months) else { return false }
            self.months += whole
        }
        return true
    }

    /// The span as ISO 8601, such as `PT1H30M`; `nil` if it has no fixed length.
    var isoText: String? {
        guard months == 0 else { return nil }
        let total = seconds + Double(days) * 86_400
        let whole = Int(total)
        var text = "PT"
        if whole >= 3_600 { text += "\(whole / 3_600)H" }
        if whole / 60 % 60 > 0 { text += "\(whole / 60 % 60)M" }
        let rest = total - Double(whole - whole % 60)
        if rest > 0 || text == "PT" { text += "\(Words.text((rest * 1_000).rounded() / 1_000))S" }
        return text
    }
}

extension Words {
    /// Reads all words together as a length of time.
    mutating func durations() -> [SpokenCandidate] {
        while accept(.filler) {}
        guard let spans = spans() else { return [] }
        skipFillers()
        guard isAtEnd else { return [] }
        return spans.compactMap { span, confidence in
            span.isoText.map { SpokenCandidate(text: $0, confidence: confidence) }
        }
    }

    /// Reads "1 hour 30 minutes", "an hour and a half", "half an hour", "1 h 30", "anderthalb Stunden".
    mutating func spans() -> [(SpokenSpan, confidence: Double)]? {
        attempt { words in
            guard var (spans, unit) = words.measured() else { return nil }
            // People say no length of time with more parts.
            for _ in 0..<6 {
                if words.acceptAndAHalf() {
                    guard spans[0].0.add(0.5, unit) else { return nil }
                    spans = [spans[0]]
                    continue
                }
                let more = words.attempt { words -> ([(SpokenSpan, confidence: Double)], TimeUnit)? in
                    _ = words.accept(.and)
                    return words.measured()
                }
                if let (others, next) = more {
                    var span = spans[0].0
                    span.seconds += others[0].0.seconds
                    span.days += others[0].0.days
                    span.months += others[0].0.months
                    (spans, unit) = ([(span, min(spans[0].confidence, others[0].confidence))], next)
                    continue
                }
                // In "1 h 30" the minutes have no unit.
                if unit == .hour, case .figure(let figure)? = words.current, let minutes = figure.whole, minutes < 60,
                    figure.groups[0].utf8.count == 2
                {
                    words.place += 1
                    guard spans[0].0.add(Double(minutes), .minute) else { return nil }
                    spans = [spans[0]]
                }
                return spans
            }
            return nil
        }
    }

    /// Reads "30 minutes", "an hour", "half an hour", "a quarter of an hour".
    private mutating func measured() -> ([(SpokenSpan, confidence: Double)], TimeUnit)? {
        attempt { words in
            if words.current == .article, let unit = words.peek(1)?.timeUnit {
                words.place += 2
                return Self.spans([("1", 0.95)], unit)
            }
            // "Eine Viertelstunde" is one span of fifteen minutes.
            if words.current == .number(1), case .number? = words.peek(1), words.peek(2)?.timeUnit != nil {
                words.place += 1
            }
            // Covers "une demi heure" and "eine halbe Stunde", and also "a quarter of an hour".
            let start = words.place
            guard let amounts = words.amount() else { return nil }
            // "A quarter of an hour", but "four, an hour" are two values.
            let isPart = words.items[start..<words.place].contains { [.half, .quarter, .threeQuarters].contains($0) }
            if words.current == .article, !isPart { return nil }
            while let item = words.current, item.isFiller || (item == .number(1) && words.peek(1)?.timeUnit != nil) {
                words.place += 1
            }
            guard let unit = words.current?.timeUnit else { return nil }
            words.place += 1
            return Self.spans(amounts, unit)
        }
    }

    private static func spans(
        _ amounts: [(text: String, confidence: Double)], _ unit: TimeUnit
    ) -> ([(SpokenSpan, confidence: Double)], TimeUnit)? {
        let spans = amounts.compactMap { text, confidence -> (SpokenSpan, confidence: Double)? in
            var span = SpokenSpan()
            guard let amount = Double(text), span.add(amount, unit) else { return nil }
            return (span, confidence)
        }
        return spans.isEmpty ? nil : (spans, unit)
    }
}
