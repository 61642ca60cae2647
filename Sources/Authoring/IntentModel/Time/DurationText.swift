/// Reads lengths of time: ISO 8601 (`PT1H30M`), English words ("1 hour 30 minutes") and the compact form of settings
/// (`90s`).
package enum DurationText {
    /// Reads ISO 8601 from weeks to seconds, or English words; `nil` for anything else and beyond 10^12 seconds.
    package static func parse(_ text: String) -> Duration? {
        let trimmed = SpokenNumber.trimmed(text)
        return parseISO(trimmed.utf8) ?? parseWords(trimmed)
    }

    private static func parseISO(_ text: Substring.UTF8View) -> Duration? {
        var rest = text
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest = rest.dropFirst() }
        guard let p = rest.first, p | 0x20 == UInt8(ascii: "p"), rest.count > 2 else { return nil }
        rest = rest.dropFirst()
        var units: [(UInt8, Int64)] = [(UInt8(ascii: "w"), 604_800), (UInt8(ascii: "d"), 86_400)]
        var total = Duration.zero
        while let first = rest.first {
            if first | 0x20 == UInt8(ascii: "t") {
                units = [(UInt8(ascii: "h"), 3600), (UInt8(ascii: "m"), 60), (UInt8(ascii: "s"), 1)]
                rest = rest.dropFirst()
                if rest.isEmpty { return nil }
                continue
            }
            let digits = rest.prefix { $0 &- 0x30 < 10 || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }
            rest = rest.dropFirst(digits.count)
            guard let letter = rest.first, let unit = units.firstIndex(where: { $0.0 == letter | 0x20 }),
                (1...24).contains(digits.count)
            else { return nil }
            rest = rest.dropFirst()
            let number = String(
                decoding: digits.map { $0 == UInt8(ascii: ",") ? UInt8(ascii: ".") : $0 }, as: UTF8.self)
            guard let part = duration(number, of: units[unit].1) else { return nil }
            total += part
            units.removeSubrange(...unit)
        }
        return isNegative ? .zero - total : total
    }

    /// The duration of a decimal number of units; `nil` beyond 10^12 seconds. Only nine digits of the fraction count.
    private static func duration(_ number: String, of unit: Int64) -> Duration? {
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = Int64(parts[0]) else { return nil }
        let (seconds, overflow) = whole.multipliedReportingOverflow(by: unit)
        if overflow || seconds > 1_000_000_000_000 { return nil }
        if parts.count == 1 { return .seconds(seconds) }
        let digits = parts[1].prefix(9)
        guard let billionths = Int64(digits + String(repeating: "0", count: 9 - digits.count)), !digits.isEmpty else {
            return nil
        }
        return .seconds(seconds) + .nanoseconds(billionths * unit)
    }

    private static func parseWords(_ text: Substring) -> Duration? {
        let units: [String: Int64] = [
            "s": 1, "sec": 1, "second": 1, "m": 60, "min": 60, "minute": 60, "h": 3600, "hour": 3600, "day": 86_400,
        ]
        let words = text.lowercased().split { $0 == " " || $0 == "," }.filter { $0 != "and" }.map(String.init)
        guard !words.isEmpty, words.count.isMultiple(of: 2) else { return nil }
        var total = Duration.zero
        for index in stride(from: 0, to: words.count, by: 2) {
            let unit = words[index + 1]
            guard let seconds = units[unit] ?? units[unit.hasSuffix("s") ? String(unit.dropLast()) : unit],
                let number = words[index] == "a" || words[index] == "an" ? 1 : SpokenNumber.parseDouble(words[index]),
                number >= 0,
                number * Double(seconds) <= 1e12
            else { return nil }
            total += .milliseconds(Int64((number * Double(seconds) * 1000).rounded()))
        }
        return total
    }
}

extension Duration {
    /// The duration in whole milliseconds. The duration is at most some years.
    package var wholeMilliseconds: Int {
        Int(components.seconds) * 1_000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }

    /// Reads a whole number and a unit without a space, as in settings: `250ms`, `5s`, `5m`, `2h`, `1d`. The number has
    /// at most 12 digits.
    package init?(compact text: String) {
        let digits = text.utf8.prefix { $0 &- 0x30 < 10 }
        guard 1...12 ~= digits.count, let number = Int64(String(decoding: digits, as: UTF8.self)) else { return nil }
        switch text.dropFirst(digits.count) {
        case "ms": self = .milliseconds(number)
        case "s": self = .seconds(number)
        case "m": self = .seconds(number * 60)
        case "h": self = .seconds(number * 3_600)
        case "d": self = .seconds(number * 86_400)
        default: return nil
        }
    }
}
