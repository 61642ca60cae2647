/// A span of time, in JSON as ISO 8601 text of weeks to seconds (`PT1H30M`), to the nanosecond; years and months have no fixed length and are not taken.
///
/// A person may also say "90 minutes" or "1 hour 30 minutes".
extension Duration: ParameterValue {
    public static var jsonKind: JSONView.Kind { .string }
    public static var typeDescription: String { "a length of time such as PT30M or '30 minutes'" }
    public static var jsonSchema: JSON { .typeSchema("string", format: "duration") }

    public init?(json: JSONView) { return nil }

    public init?(text: String) {
        let trimmed = SpokenNumber.trimmed(text)
        guard let duration = Self.parseISO(trimmed.utf8) ?? Self.parseWords(trimmed) else { return nil }
        self = duration
    }

    public func encode(to writer: inout JSONWriter) { writer.string(isoText) }

    /// `PT1H30M`, `PT0.25S`, `PT0S`. A negative duration gets a leading minus sign, which ISO 8601-2 has and ``init(text:)`` takes.
    private var isoText: String {
        let (seconds, attoseconds) = components
        let isNegative = self < .zero
        let whole = seconds.magnitude
        var text = isNegative ? "-PT" : "PT"
        if whole >= 3600 { text += "\(whole / 3600)H" }
        if whole / 60 % 60 > 0 { text += "\(whole / 60 % 60)M" }
        let nanoseconds = attoseconds.magnitude / 1_000_000_000
        if nanoseconds != 0 {
            let digits = String(nanoseconds)
            var fraction = String(repeating: "0", count: 9 - digits.count) + digits
            while fraction.last == "0" { fraction.removeLast() }
            text += "\(whole % 60).\(fraction)S"
        } else if whole % 60 > 0 || whole == 0 {
            text += "\(whole % 60)S"
        }
        return text
    }

    /// "1 hour 30 minutes"; below a minute "12.5 seconds".
    public var displayText: String {
        let seconds = components.seconds.magnitude
        if seconds < 60 {
            let exact = Double(components.seconds) + Double(components.attoseconds) / 1e18
            return exact == 1 ? "1 second" : "\(exact.displayText) seconds"
        }
        var words: [String] = []
        for (count, unit) in [(seconds / 3600, "hour"), (seconds / 60 % 60, "minute"), (seconds % 60, "second")] where count > 0 {
            words.append("\(count) \(unit)\(count == 1 ? "" : "s")")
        }
        return (self < .zero ? "minus " : "") + words.joined(separator: " ")
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
            guard let letter = rest.first, let unit = units.firstIndex(where: { $0.0 == letter | 0x20 }), (1...24).contains(digits.count)
            else { return nil }
            rest = rest.dropFirst()
            let number = String(decoding: digits.map { $0 == UInt8(ascii: ",") ? UInt8(ascii: ".") : $0 }, as: UTF8.self)
            guard let part = duration(number, of: units[unit].1) else { return nil }
            total += part
            units.removeSubrange(...unit)
        }
        return isNegative ? .zero - total : total
    }

    /// `nil` beyond 10^12 seconds; digits below a nanosecond of the unit are left out.
    private static func duration(_ number: String, of unit: Int64) -> Duration? {
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = Int64(parts[0]) else { return nil }
        let (seconds, overflow) = whole.multipliedReportingOverflow(by: unit)
        if overflow || seconds > 1_000_000_000_000 { return nil }
        if parts.count == 1 { return .seconds(seconds) }
        let digits = parts[1].prefix(9)
        guard let billionths = Int64(digits + String(repeating: "0", count: 9 - digits.count)), !digits.isEmpty else { return nil }
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
                let number = words[index] == "a" || words[index] == "an" ? 1 : Double(text: words[index]), number >= 0,
                number * Double(seconds) <= 1e12
            else { return nil }
            total += .milliseconds(Int64((number * Double(seconds) * 1000).rounded()))
        }
        return total
    }
}
