/// Reads and writes times as RFC 3339 timestamps and as milliseconds since 1970, without a calendar library.
package enum Timestamp {
    /// The times that a text in UTC can express: the years 0 to 9999.
    private static let range: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    /// The time itself, or the first or the last time that a text in UTC can express.
    package static func clamped(_ milliseconds: Int64) -> Int64 {
        min(max(milliseconds, range.lowerBound), range.upperBound)
    }

    /// The time in UTC with milliseconds, such as `2026-03-01T12:00:00.250Z`. A time beyond the years 0 to 9999 is
    /// written as the first or the last time in them.
    package static func format(_ milliseconds: Int64) -> String {
        let (quotient, remainder) = Int(clamped(milliseconds)).quotientAndRemainder(dividingBy: 86_400_000)
        let days = remainder < 0 ? quotient - 1 : quotient
        let rest = remainder < 0 ? remainder + 86_400_000 : remainder
        let (year, month, day) = date(fromDays: days)
        return String(unsafeUninitializedCapacity: 24) { buffer in
            func put(_ value: Int, _ digits: Int, at index: Int) {
                var value = value
                for i in (index..<index + digits).reversed() {
                    buffer[i] = 0x30 + UInt8(value % 10)
                    value /= 10
                }
            }
            put(year, 4, at: 0)
            put(month, 2, at: 5)
            put(day, 2, at: 8)
            put(rest / 3_600_000, 2, at: 11)
            put(rest / 60_000 % 60, 2, at: 14)
            put(rest / 1_000 % 60, 2, at: 17)
            put(rest % 1_000, 3, at: 20)
            buffer[4] = 0x2D
            buffer[7] = 0x2D
            buffer[10] = 0x54
            buffer[13] = 0x3A
            buffer[16] = 0x3A
            buffer[19] = 0x2E
            buffer[23] = 0x5A
            return 24
        }
    }

    /// The time in milliseconds since 1970; `nil` if the text is not a whole date and time with an offset.
    ///
    /// A leap second, which ends a day of UTC, counts as the following second. Digits below a millisecond are cut off.
    /// A time whose offset moves it beyond the years 0 to 9999 becomes the first or the last time in them, so that
    /// reading and writing agree.
    package static func parse(_ text: String) -> Int64? {
        var text = text
        return text.withUTF8 { parse($0) }
    }

    package static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
        func number(_ range: Range<Int>) -> Int? {
            guard range.upperBound <= bytes.count else { return nil }
            var number = 0
            for index in range {
                let digit = bytes[index] &- 0x30
                guard digit < 10 else { return nil }
                number = number * 10 + Int(digit)
            }
            return number
        }
        guard bytes.count >= 20, let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13),
            let minute = number(14..<16), let second = number(17..<19), bytes[4] == 0x2D, bytes[7] == 0x2D,
            bytes[10] | 0x20 == 0x74, bytes[13] == 0x3A, bytes[16] == 0x3A,
            1...12 ~= month, 1...daysIn(month, of: year) ~= day, hour < 24, minute < 60, second <= 60
        else { return nil }
        var index = 19
        var milli = 0
        if bytes[index] == 0x2E {
            let start = index + 1
            index = bytes[start...].firstIndex { $0 &- 0x30 >= 10 } ?? bytes.count
            guard index > start, let value = number(start..<min(index, start + 3)) else { return nil }
            milli = value * [100, 10, 1][min(index - start, 3) - 1]
        }
        guard index < bytes.count else { return nil }
        var offset = 0
        if bytes[index] | 0x20 == 0x7A {
            guard index + 1 == bytes.count else { return nil }
        } else {
            guard index + 6 == bytes.count, bytes[index] == 0x2B || bytes[index] == 0x2D, bytes[index + 3] == 0x3A,
                let hours = number(index + 1..<index + 3), let minutes = number(index + 4..<index + 6), hours < 24,
                minutes < 60
            else { return nil }
            offset = (hours * 60 + minutes) * (bytes[index] == 0x2B ? 1 : -1)
        }
        let minutes = (days(year, month, day) * 24 + hour) * 60 + minute - offset
        guard second < 60 || (minutes + 1).isMultiple(of: 24 * 60) else { return nil }
        let seconds = minutes * 60 + second
        return clamped(Int64(seconds * 1_000 + milli))
    }

    private static func daysIn(_ month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    // Days since 1970 of a date in the proleptic Gregorian calendar, and back. Years are counted from March, so that
    // the leap day comes last.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let y = month > 2 ? year : year - 1
        let era = (y >= 0 ? y : y - 399) / 400
        let yearOfEra = y - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func date(fromDays days: Int) -> (year: Int, month: Int, day: Int) {
        let z = days + 719_468
        let era = (z >= 0 ? z : z - 146_096) / 146_097
        let dayOfEra = z - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }
}
