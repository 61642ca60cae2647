/// RFC 3339 timestamps and milliseconds since 1970, without a calendar library.
enum Timestamp {
    /// `2026-03-02T18:30:00Z`, with a fraction only if there is one.
    static func format(_ milliseconds: Int64) -> String {
        let days = floorDivide(milliseconds, 86_400_000)
        let inDay = Int(milliseconds - days * 86_400_000)
        let (year, month, day) = civil(fromDays: Int(days))
        let seconds = inDay / 1000
        var text = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
        text += "\(padded(seconds / 3600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
        if inDay % 1000 != 0 { text += ".\(padded(inDay % 1000, 3))" }
        return text + "Z"
    }

    /// Milliseconds since 1970; `nil` unless it is a whole date and time with an offset. A leap second counts as the second after it.
    static func parse(_ text: String) -> Int64? {
        var rest = Substring(SpokenNumber.trimmed(text)).utf8
        guard let year = number(&rest, 4), year >= 1, take(&rest, "-"), let month = number(&rest, 2), (1...12).contains(month),
            take(&rest, "-"), let day = number(&rest, 2), (1...daysIn(month, of: year)).contains(day), take(&rest, "Tt "),
            let hour = number(&rest, 2), hour < 24, take(&rest, ":"), let minute = number(&rest, 2), minute < 60, take(&rest, ":"),
            let second = number(&rest, 2), second <= 60
        else { return nil }
        var milliseconds = 0
        if take(&rest, ".") {
            let digits = rest.prefix { $0 &- 0x30 < 10 }
            guard !digits.isEmpty else { return nil }
            rest = rest.dropFirst(digits.count)
            milliseconds = Array((digits.map { Int($0) - 0x30 } + [0, 0]).prefix(3)).reduce(0) { $0 * 10 + $1 }
        }
        var offset = 0
        if !take(&rest, "Zz") {
            let isBehind = rest.first == UInt8(ascii: "-")
            guard take(&rest, "+-"), let hours = number(&rest, 2), hours < 24, take(&rest, ":"), let minutes = number(&rest, 2),
                minutes < 60
            else { return nil }
            offset = (isBehind ? -1 : 1) * (hours * 60 + minutes)
        }
        guard rest.isEmpty else { return nil }
        let seconds = days(fromCivil: year, month, day) * 86_400 + hour * 3600 + (minute - offset) * 60 + second
        return Int64(seconds) * 1000 + Int64(milliseconds)
    }

    private static func number(_ rest: inout Substring.UTF8View, _ count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }

    private static func take(_ rest: inout Substring.UTF8View, _ any: String) -> Bool {
        guard let first = rest.first, any.utf8.contains(first) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func padded(_ value: Int, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func daysIn(_ month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Days since 1970-01-01 in the proleptic Gregorian calendar; years start in March here, so that a leap day ends one.
    private static func days(fromCivil year: Int, _ month: Int, _ day: Int) -> Int {
        let y = month <= 2 ? year - 1 : year
        let era = (y >= 0 ? y : y - 399) / 400
        let yearOfEra = y - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(fromDays days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private static func floorDivide(_ a: Int64, _ b: Int64) -> Int64 { a >= 0 ? a / b : -((-a + b - 1) / b) }
}
