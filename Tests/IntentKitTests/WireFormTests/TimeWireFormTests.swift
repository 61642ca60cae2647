import IntentKit
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("The wire form of recurrences and date ranges")
struct TimeWireFormTests {
    private func moment(_ text: String) throws -> Date { try #require(Date(text: text)) }

    @Test("a recurrence")
    func recurrence() throws {
        let end = try moment("2026-12-31T00:00:00Z")
        let monday = RecurrenceRule(
            interval: 2, frequency: .weekly, weekdays: [.thursday, .monday], end: .after(count: 10))
        try WireForm<RecurrenceRule>(
            written: [
                (RecurrenceRule(frequency: .daily), #"{"frequency":"daily"}"#),
                (monday, #"{"frequency":"weekly","interval":2,"weekdays":["monday","thursday"],"count":10}"#),
                (
                    RecurrenceRule(frequency: .yearly, end: .until(end)),
                    #"{"frequency":"yearly","until":"2026-12-31T00:00:00Z"}"#
                ),
            ],
            read: [
                (#"{"frequency":"weekly","interval":2,"weekdays":["thursday","monday","monday"],"count":10.0}"#, monday)
            ],
            said: [
                ("daily", RecurrenceRule(frequency: .daily)),
                ("Every 2 weeks", RecurrenceRule(interval: 2, frequency: .weekly)),
                ("every other day", RecurrenceRule(interval: 2, frequency: .daily)),
                ("annually", RecurrenceRule(frequency: .yearly)),
                ("every two weeks on Monday and Thursday for 10 times", monday),
                ("weekly on mon, tue", RecurrenceRule(frequency: .weekly, weekdays: [.monday, .tuesday])),
                ("every weekday", RecurrenceRule(frequency: .weekly, weekdays: Weekday.allCases.prefix(5))),
                ("every month until 2026-12-31T00:00:00Z", RecurrenceRule(frequency: .monthly, end: .until(end))),
                ("every hour 3 times", RecurrenceRule(frequency: .hourly, end: .after(count: 3))),
                ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;COUNT=10", monday),
                ("RRULE:freq=yearly;until=20261231T000000Z", RecurrenceRule(frequency: .yearly, end: .until(end))),
            ],
            refused: [
                "1", #""""#, #""often""#, #""every""#, #""every 0 days""#, #""every 1001 days""#, #""daily on Monday""#,
                #""every xyzday""#,
                #""every day until tomorrow""#,
                #""every day 0 times""#, #""minute""#, #""FREQ=DAILY;BYMONTH=1""#,
                #""FREQ=DAILY;COUNT=1;UNTIL=20261231T000000Z""#,
                #""INTERVAL=2""#,
                #""FREQ=DAILY;BYDAY=MO""#, #""FREQ=DAILY;COUNT=99999999999999999999""#,
                #"{"frequency":"daily","interval":0}"#,
                #"{"frequency":"often"}"#,
                #"{"frequency":"daily","interval":1e30}"#,
                #"{"frequency":"daily","count":1,"until":"2026-12-31T00:00:00Z"}"#,
                #"{"frequency":"weekly","weekdays":["someday"]}"#, #"{"frequency":"daily","weekdays":["monday"]}"#,
                #"{"frequency":"weekly","weekdays":"monday"}"#,
                #"{"frequency":"daily","count":-1}"#, #"{"frequency":"daily","until":"soon"}"#,
            ],
            shown: [
                (monday, "every 2 weeks on Monday and Thursday, 10 times"),
                (RecurrenceRule(frequency: .minute), "every minute"),
                (RecurrenceRule(frequency: .yearly, end: .until(end)), "every year until 2026-12-31 00:00 UTC"),
            ]
        ).holds()
    }

    @Test("a recurrence is clamped to its bounds")
    func bounds() {
        let rule = RecurrenceRule(interval: .min, frequency: .daily, weekdays: [.monday], end: .after(count: .max))
        #expect(rule.interval == 1 && rule.weekdays.isEmpty && rule.end == .after(count: 100_000))
    }

    @Test("a date range")
    func dateRange() throws {
        let (six, eight) = (try moment("2026-03-02T18:00:00Z"), try moment("2026-03-02T20:00:00Z"))
        let evening = try #require(DateRange(start: six, end: eight))
        let evenings = try #require(DateRange(start: six, end: eight, recurrence: RecurrenceRule(frequency: .daily)))
        let from = try #require(DateRange(start: six, end: nil))
        let until = try #require(DateRange(start: nil, end: eight))
        try WireForm<DateRange>(
            written: [
                (evening, #"{"start":"2026-03-02T18:00:00Z","end":"2026-03-02T20:00:00Z"}"#),
                (from, #"{"start":"2026-03-02T18:00:00Z"}"#),
                (until, #"{"end":"2026-03-02T20:00:00Z"}"#),
                (
                    evenings,
                    #"{"start":"2026-03-02T18:00:00Z","end":"2026-03-02T20:00:00Z","recurrence":{"frequency":"daily"}}"#
                ),
            ],
            read: [
                (#"{"start":"2026-03-02T18:00:00Z","end":"2026-03-02T20:00:00Z","recurrence":"every day"}"#, evenings),
                (#"{"start":"2026-03-02T18:00:00Z","end":null}"#, from),
            ],
            said: [
                ("2026-03-02T18:00:00Z/2026-03-02T20:00:00Z", evening), ("2026-03-02T18:00:00Z/PT2H", evening),
                ("PT2H/2026-03-02T20:00:00Z", evening),
                ("2026-03-02T18:00:00Z/..", from), ("../2026-03-02T20:00:00Z", until),
                ("from 2026-03-02 18:00:00Z to 2026-03-02 20:00:00Z", evening),
                ("between 2026-03-02 18:00:00Z and 2026-03-02 20:00:00Z", evening), ("from 2026-03-02T18:00:00Z", from),
                ("until 2026-03-02T20:00:00Z", until),
            ],
            refused: [
                "1", #""""#, #""tonight""#, #""from""#, #""2026-03-02T18:00:00Z""#,
                #""2026-03-02T20:00:00Z/2026-03-02T18:00:00Z""#,
                #""../..""#, #""/""#, #""a/b/c""#,
                #""2026-03-02T18:00:00Z/-PT2H""#, "{}", #"{"start":5}"#,
                #"{"start":"2026-03-02T20:00:00Z","end":"2026-03-02T18:00:00Z"}"#,
                #"{"start":"2026-03-02T18:00:00Z","recurrence":5}"#,
                #"{"start":"2026-03-02T18:00:00Z","recurrence":"often"}"#,
            ],
            shown: [
                (evening, "2026-03-02 18:00 UTC to 2026-03-02 20:00 UTC"), (until, "until 2026-03-02 20:00 UTC"),
                (evenings, "2026-03-02 18:00 UTC to 2026-03-02 20:00 UTC, every day"),
            ]
        ).holds()
        #expect(evening.contains(six) && !evening.contains(eight) && from.contains(eight) && !until.contains(eight))
        #expect(DateRange(start: nil, end: nil) == nil)
        let isRefused = DateRange(start: Date(timeIntervalSinceReferenceDate: .nan), end: eight) == nil
        #expect(isRefused)
    }
}
