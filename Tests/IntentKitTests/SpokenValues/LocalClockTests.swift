import Foundation
import IntentKit
import Testing

@testable import SpokenValues

@Suite("The person's clock")
struct LocalClockTests {
    /// 2026-03-28, 10:00 in Amsterdam: the clocks go forward in the night.
    private let beforeSpring = Saying(locale: "en-GB", now: 1_774_688_400_000)
    /// 2026-10-24, 10:00 in Amsterdam: the clocks go back in the night.
    private let beforeAutumn = Saying(locale: "en-GB", now: 1_792_828_800_000)

    @Test("a time that the clocks skip moves forward")
    func skipped() {
        beforeSpring.expect(
            .dateTime,
            ["tomorrow at 02:30": ["2026-03-29T03:30:00+02:00"], "tomorrow at 03:00": ["2026-03-29T03:00:00+02:00"]])
    }

    @Test("of a time that comes twice, it is the first")
    func twice() {
        beforeAutumn.expect(
            .dateTime,
            ["tomorrow at 02:30": ["2026-10-25T02:30:00+02:00"], "tomorrow at 03:00": ["2026-10-25T03:00:00+01:00"]])
    }

    @Test("hours are hours across the change, and days are days")
    func across() {
        beforeSpring.expect(
            .dateTime, ["in 24 hours": ["2026-03-29T11:00:00+02:00"], "in one day": ["2026-03-29T10:00:00+02:00"]])
    }

    @Test("without a zone times are in UTC, and without a clock there is no tomorrow")
    func unknown() {
        Saying(locale: "en", zone: nil).expect(.dateTime, ["tomorrow at 18:30": ["2026-03-03T18:30:00+00:00"]])
        Saying(locale: "en", zone: "Nowhere/Town").expect(
            .dateTime, ["tomorrow at 18:30": ["2026-03-03T18:30:00+00:00"]])
        Saying(locale: "en", now: nil).expect(
            .dateTime, ["tomorrow at 18:30": [], "3 March 2028 at 18:30": ["2028-03-03T18:30:00+01:00"]])
        Saying(locale: "en", now: nil).expect(.time, ["half past six": ["18:30", "06:30"]])
    }

    @Test("the day is the person's, not that of UTC")
    func personsDay() {
        Saying(locale: "en", zone: "Pacific/Auckland").expect(.date, ["today": ["2026-03-02"]])
        Saying(locale: "en", zone: "Pacific/Auckland", now: 1_772_451_000_000).expect(.date, ["today": ["2026-03-03"]])
        Saying(locale: "en", zone: "America/Los_Angeles", now: 1_772_434_800_000).expect(
            .date, ["today": ["2026-03-01"]])
    }

    @Test("days are those of Foundation's calendar")
    func calendar() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        // Foundation uses the Julian calendar before 1582.
        for number in stride(from: -140_000, through: 400_000, by: 97) {
            let day = CivilDay(number: number)
            let date = Date(timeIntervalSince1970: Double(number) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day, .weekday], from: date)
            #expect(day.components == (parts.year!, parts.month!, parts.day!))
            #expect(day.weekday == (parts.weekday! + 5) % 7)
        }
    }
}
