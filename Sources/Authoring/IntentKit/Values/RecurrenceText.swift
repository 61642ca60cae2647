#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Conversions of recurrence rules from and to text: English words and RFC 5545 rules.
enum RecurrenceText {
    private static let maximumBytes = 500

    static func parse(_ text: String) -> RecurrenceRule? {
        guard text.utf8.count <= maximumBytes else { return nil }
        let trimmed = SpokenNumber.trimmed(text)
        return trimmed.contains("=") ? parseRule(trimmed) : parseWords(trimmed)
    }

    // MARK: English

    private static func parseWords(_ text: Substring) -> RecurrenceRule? {
        var end = RecurrenceRule.End.never
        var said = String(text)
        // The date is removed first, because folding would remove its punctuation.
        let parts = words(said)
        if let index = parts.firstIndex(where: { $0.lowercased() == "until" }) {
            guard let moment = Date(text: parts[(index + 1)...].joined(separator: " ")) else { return nil }
            end = .until(moment)
            said = parts[..<index].joined(separator: " ")
        }
        var words = TextFolding.fold(said).split(separator: " ").map(String.init)
        if words.last == "times", words.count >= 3 {
            guard end == .never, let count = Int(text: words[words.count - 2]) else { return nil }
            end = .after(count: count)
            words.removeLast(2)
            if words.last == "for" { words.removeLast() }
        }
        if words.first == "repeat" || words.first == "repeating" { words.removeFirst() }
        guard let first = words.first else { return nil }
        if let frequency = RecurrenceRule.Frequency(rawValue: first), frequency != .minute {
            return rule(1, frequency, Array(words.dropFirst()), end)
        }
        if first == "annually", words.count == 1 { return RecurrenceRule(checking: 1, .yearly, [], end) }
        guard first == "every" || first == "each", words.count > 1 else { return nil }
        words.removeFirst()

        var interval = 1
        if words[0] == "other" {
            interval = 2
            words.removeFirst()
        } else if let number = Int(text: words[0]) {
            interval = number
            words.removeFirst()
        }
        guard let unit = words.first else { return nil }
        if let frequency = units[unit] ?? units[String(unit.dropLast(unit.hasSuffix("s") ? 1 : 0))] {
            return rule(interval, frequency, Array(words.dropFirst()), end)
        }
        return rule(interval, .weekly, ["on"] + words, end)
    }

    /// Creates a rule from the words after its frequency.
    ///
    /// - Parameter rest: The words: none, or "on" with days.
    private static func rule(
        _ interval: Int, _ frequency: RecurrenceRule.Frequency, _ rest: [String], _ end: RecurrenceRule.End
    ) -> RecurrenceRule? {
        if rest.isEmpty { return RecurrenceRule(checking: interval, frequency, [], end) }
        guard frequency == .weekly, rest[0] == "on", rest.count > 1 else { return nil }
        var days: [Weekday] = []
        for word in rest.dropFirst() where word != "and" {
            switch word {
            case "weekday", "weekdays": days += Weekday.allCases.prefix(5)
            case "weekend", "weekends": days += [.saturday, .sunday]
            default:
                guard let day = Weekday(folded: word) else { return nil }
                days.append(day)
            }
        }
        return days.isEmpty ? nil : RecurrenceRule(checking: interval, frequency, days, end)
    }

    private static func words(_ text: String) -> [Substring] { text.split { $0.isWhitespace } }

    private static let units: [String: RecurrenceRule.Frequency] = [
        "minute": .minute, "hour": .hourly, "day": .daily, "week": .weekly, "month": .monthly, "year": .yearly,
    ]

    static func display(_ rule: RecurrenceRule, in locale: String?) -> String {
        let unit = units.first { $0.value == rule.frequency }?.key ?? rule.frequency.rawValue
        var text = BuiltInText.every(rule.interval, unit).text(in: locale)
        if !rule.weekdays.isEmpty {
            let days = rule.weekdays.map { BuiltInText.weekday($0.name).text(in: locale) }
            text = BuiltInText.onDays(text, ListText.join(days, in: locale)).text(in: locale)
        }
        switch rule.end {
        case .never: break
        case .after(let count): text = BuiltInText.times(text, count).text(in: locale)
        case .until(let moment): text += " " + BuiltInText.until(moment.displayText(in: locale)).text(in: locale)
        }
        return text
    }

    // MARK: RFC 5545

    /// Reads an RFC 5545 rule with FREQ, INTERVAL, COUNT, UNTIL (in UTC) and a weekly BYDAY. A rule with other parts is
    /// rejected, because the rule would have another meaning without these parts.
    private static func parseRule(_ text: Substring) -> RecurrenceRule? {
        let body = text.uppercased().hasPrefix("RRULE:") ? text.dropFirst(6) : text
        var frequency: RecurrenceRule.Frequency?
        var interval = 1
        var days: [Weekday] = []
        var end = RecurrenceRule.End.never
        var seen: Set<String> = []
        for part in body.split(separator: ";") {
            let pair = part.uppercased().split(separator: "=", maxSplits: 1).map(String.init)
            guard pair.count == 2, seen.insert(pair[0]).inserted else { return nil }
            switch pair[0] {
            case "FREQ":
                frequency = pair[1] == "MINUTELY" ? .minute : RecurrenceRule.Frequency(rawValue: pair[1].lowercased())
            case "INTERVAL":
                guard let number = Int(pair[1]) else { return nil }
                interval = number
            case "COUNT":
                guard end == .never, let count = Int(pair[1]) else { return nil }
                end = .after(count: count)
            case "UNTIL":
                guard end == .never, let moment = moment(pair[1]) else { return nil }
                end = .until(moment)
            case "BYDAY":
                for code in pair[1].split(separator: ",") {
                    guard let day = Weekday(iCalendar: code) else { return nil }
                    days.append(day)
                }
            default: return nil
            }
        }
        guard let frequency, days.isEmpty || frequency == .weekly else { return nil }
        return RecurrenceRule(checking: interval, frequency, days, end)
    }

    /// Reads a moment: `20261231T235959Z`.
    private static func moment(_ text: String) -> Date? {
        let digits = Array(text.utf8)
        guard digits.count == 16, digits[8] == UInt8(ascii: "T"), digits[15] == UInt8(ascii: "Z") else { return nil }
        func part(_ range: Range<Int>) -> String { String(decoding: digits[range], as: UTF8.self) }
        return Date(
            text: "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T\(part(9..<11)):\(part(11..<13)):\(part(13..<15))Z")
    }
}
