import Foundation
import IntentKit

/// The person's clock and time zone.
struct LocalClock {
    private let zone: TimeZone
    /// The local time at which the person spoke, in seconds since 1970 on a clock without zones; `nil` if the time is
    /// not known.
    let now: Int?

    init(_ context: SpeechContext) {
        let named = context.timeZone.flatMap { $0.utf8.count <= 64 ? TimeZone(identifier: $0) : nil }
        let zone = named ?? TimeZone(secondsFromGMT: 0)!
        self.zone = zone
        now = context.now.flatMap { now in
            // The range of the years 1 to 9999.
            guard (-62_135_596_800...253_402_300_799).contains(now.timeIntervalSince1970) else { return nil }
            let seconds = Int(now.timeIntervalSince1970.rounded(.down))
            return seconds + zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
        }
        instant = now == nil ? nil : context.now.map { Int($0.timeIntervalSince1970.rounded(.down)) }
    }

    /// The time at which the person spoke, in seconds since 1970.
    private let instant: Int?

    var today: CivilDay? { now.map { CivilDay(number: Self.days($0)) } }
    /// The seconds since midnight.
    var timeOfDay: Int? { now.map { $0 - Self.days($0) * 86_400 } }

    private static func days(_ seconds: Int) -> Int { Int((Double(seconds) / 86_400).rounded(.down)) }

    /// A local time as RFC 3339 text with the offset of its day. A time that the clocks skip moves forward. A time that
    /// occurs twice is the first of the two.
    func moment(_ day: CivilDay, seconds: Int) -> String? {
        guard Self.writable.contains(day.number) else { return nil }
        let local = day.number * 86_400 + seconds
        let (before, after) = (offset(local - 86_400), offset(local + 86_400))
        let first = local - before
        // If the time is valid with neither offset, the clocks skip it, and the offset before leads to the time after
        // the gap.
        let instant = offset(first) == before || offset(local - after) != after ? first : local - after
        return text(instant)
    }

    /// The moment after this number of seconds.
    func moment(after seconds: Int) -> String? {
        instant.flatMap { moment(at: $0 + seconds) }
    }

    /// The local day and the seconds since its midnight at an instant.
    func local(_ instant: Int) -> (day: CivilDay, seconds: Int) {
        let local = instant + offset(instant)
        let day = Self.days(local)
        return (CivilDay(number: day), local - day * 86_400)
    }

    /// An instant, in seconds since 1970, as RFC 3339 text with its offset; `nil` outside the years 1 to 9999.
    func moment(at instant: Int) -> String? {
        Self.writable.contains(Self.days(instant)) ? text(instant) : nil
    }

    /// The days of the years 1 to 9999, except for days at both ends that may be outside these years in another time
    /// zone.
    private static let writable = -719_160...2_932_894

    private func offset(_ instant: Int) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant)))
    }

    private func text(_ instant: Int) -> String? {
        let offset = offset(instant)
        // Old offsets have seconds, which RFC 3339 does not have.
        let minutes = offset / 60
        let local = instant + minutes * 60
        let day = Self.days(local)
        guard let date = CivilDay(number: day).text else { return nil }
        let sign = minutes < 0 ? "-" : "+"
        let zone = "\(sign)\(CivilDay.padded(abs(minutes) / 60, 2)):\(CivilDay.padded(abs(minutes) % 60, 2))"
        return "\(date)T\(Self.clock(local - day * 86_400, withSeconds: true))\(zone)"
    }

    /// A time such as "18:30", or "18:30:05" with seconds.
    static func clock(_ seconds: Int, withSeconds: Bool = false) -> String {
        let (hour, minute, second) = (seconds / 3_600, seconds / 60 % 60, seconds % 60)
        let text = "\(CivilDay.padded(hour, 2)):\(CivilDay.padded(minute, 2))"
        return withSeconds || second > 0 ? "\(text):\(CivilDay.padded(second, 2))" : text
    }
}
